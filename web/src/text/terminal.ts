// What a terminal would show of a program's output: colours and cursor movements are left out, and
// what follows a carriage return stands in place of what was before it, as progress bars want.

const SEQUENCES = /\u001b\[[0-9;?]*[A-Za-z]/g;

export function terminalText(text: string): string {
  return text
    .replace(SEQUENCES, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map(afterReturns)
    .join('\n');
}

/** A shorter text leaves the end of the longer one that it is written over. */
function afterReturns(line: string): string {
  return line
    .split('\r')
    .reduce((shown, part) => (part.length < shown.length ? part + shown.slice(part.length) : part));
}
