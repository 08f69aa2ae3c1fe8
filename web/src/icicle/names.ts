import { visible } from '../text/visible';
import type { Label } from '../tree/cost_tree';

/** The names of a node, from the one that says most to the shortest. */
export function namesOf({ name, kind, function: called, place }: Label): string[] {
  const names = {
    step: [name],
    rest: [name],
    line: [
      `${called}  ${name}`,
      `${called}  ${afterLast(name, '/')}`,
      `${afterLast(called, '.')}:${place?.line}`,
      `:${place?.line}`,
    ],
    operator: [name, afterLast(name, ':')],
    module: [name === called ? name : `${name}  ${called}`, name, afterLast(name, '.')],
  }[kind];
  return names.map((text) => visible(text.trim()));
}

function afterLast(text: string, mark: string): string {
  return text.slice(text.lastIndexOf(mark) + 1);
}

/** The first of the names that has room, or what has room of the last. */
export function fitted(names: string[], letters: number): string {
  const fitting = names.find((name) => name.length <= letters);
  if (fitting !== undefined) return fitting;
  return letters < 3 ? '' : `${names[names.length - 1].slice(0, letters - 1)}…`;
}
