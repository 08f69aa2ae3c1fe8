import { execFileSync } from 'node:child_process';
import { PYTHON } from './program';

export type SqlValue = string | number | null;
export type SqlStatement = [string, ...SqlValue[]];

/** Changes a run file with statements of SQL and their values. */
export function craft(run: string, statements: SqlStatement[]): void {
  const program = `
import json, sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    for statement, *values in json.load(sys.stdin):
        connection.execute(statement, values)
connection.close()
`;
  execFileSync(PYTHON, ['-c', program, run], { input: JSON.stringify(statements) });
}
