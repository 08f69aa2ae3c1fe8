export interface Part {
  text: string;
  place: { file: string; line: number } | null;
}

const FRAME = /File "([^"\n]+)", line (\d+)/g;

/** A traceback in parts, those that name a line of the project with the place they name. */
export function tracebackParts(text: string, root: string, files: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  let done = 0;
  for (const match of text.matchAll(FRAME)) {
    const file = relative(match[1], root);
    if (!files.has(file)) continue;
    if (match.index > done) parts.push({ text: text.slice(done, match.index), place: null });
    parts.push({ text: match[0], place: { file, line: Number(match[2]) } });
    done = match.index + match[0].length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), place: null });
  return parts;
}

function relative(path: string, root: string): string {
  const folder = root.endsWith('/') ? root : `${root}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
