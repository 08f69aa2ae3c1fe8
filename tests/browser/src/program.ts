import { execFile, spawn, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
const VENV = path.join(ROOT, '.venv');
export const PYTHON = path.join(VENV, 'bin', 'python');
/** With sanitizers, where it was built so. */
const BUILT = [
  path.join(ROOT, 'build', 'dev', 'bin', 'sightline'),
  path.join(VENV, 'bin', 'sightline'),
];
const PROGRAM = process.env['SIGHTLINE_PROGRAM'] ?? BUILT.find(fs.existsSync) ?? 'sightline';

const START_MS = 20_000;
const STOP_MS = 10_000;

/** A process of its own knows nothing of the user's home. */
export function environment(folder: string): NodeJS.ProcessEnv {
  const temporary = path.join(folder, 'tmp');
  fs.mkdirSync(temporary, { recursive: true });
  return {
    ...process.env,
    VIRTUAL_ENV: VENV,
    HOME: folder,
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    TMPDIR: temporary,
    // Two tests run at once.
    OMP_NUM_THREADS: '1',
  };
}

/** Runs the program to its end. */
export async function run(folder: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(PROGRAM, args, { cwd: folder, env: environment(folder) });
}

/** Starts the program and leaves it to the test to end it. */
export function start(folder: string, ...args: string[]): ChildProcess {
  return spawn(PROGRAM, args, { cwd: folder, env: environment(folder), stdio: 'ignore' });
}

/** `sightline interactive` or `sightline view`, as it runs. */
export class Server {
  address = '';
  private output = '';

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts it in the folder `cwd`; `folder` is its home. */
  static async start(folder: string, cwd: string, ...args: string[]): Promise<Server> {
    const child = spawn(PROGRAM, [...args, '--no-browser'], {
      cwd,
      env: environment(folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new Server(child, folder);
    await server.started();
    return server;
  }

  get pid(): number {
    return this.process.pid!;
  }

  get port(): string {
    return new URL(this.address).port;
  }

  /** Ends it as a user would, and sees that it took along all that it made. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const children = childrenOf(this.pid);
    this.process.kill('SIGTERM');
    if (!(await this.ends())) {
      await this.kill();
      throw new Error(`the server did not end by SIGTERM:\n${this.output}`);
    }
    if (this.process.exitCode !== 0) {
      throw new Error(`the server ended with ${this.process.exitCode}:\n${this.output}`);
    }
    await until(() => children.every((child) => !isAlive(child)), 'the workers have ended');
    const left = this.leftovers();
    if (left.length > 0) throw new Error(`left in the temporary directory: ${left.join(', ')}`);
  }

  /** Ends it as a crash would, which leaves its files. */
  async kill(): Promise<void> {
    const children = childrenOf(this.pid);
    this.process.kill('SIGKILL');
    await this.ends();
    await until(() => children.every((child) => !isAlive(child)), 'the workers have ended');
    for (const left of this.leftovers()) fs.rmSync(left, { recursive: true });
  }

  private leftovers(): string[] {
    const folder = path.join(this.folder, 'tmp');
    const names = fs.readdirSync(folder).filter((name) => name.startsWith('sightline'));
    return names.map((name) => path.join(folder, name));
  }

  /** The processes in which code of the user runs. */
  workers(): number[] {
    return childrenOf(this.pid).filter((child) => commandOf(child).includes('sightline._worker'));
  }

  private started(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail('does not start'), START_MS);
      const fail = (what: string) => {
        clearTimeout(timer);
        this.process.kill('SIGKILL');
        reject(new Error(`the server ${what}:\n${this.output}`));
      };
      const read = (text: Buffer) => {
        this.output += text.toString();
        const found = /http:\/\/\S+/.exec(this.output);
        if (!found || this.address) return;
        this.address = found[0];
        clearTimeout(timer);
        resolve();
      };
      this.process.stdout!.on('data', read);
      this.process.stderr!.on('data', read);
      this.process.on('error', (error) => fail(error.message));
      this.process.on('exit', (code) => {
        if (!this.address) fail(`ended with ${code}`);
      });
    });
  }

  private ends(): Promise<boolean> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) {
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), STOP_MS);
      this.process.once('exit', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !holds(); waited += 50) {
    if (waited > STOP_MS) throw new Error(`does not come true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function childrenOf(pid: number): number[] {
  const found: number[] = [];
  for (const name of fs.readdirSync('/proc')) {
    if (/^\d+$/.test(name) && statOf(Number(name))?.parent === pid) found.push(Number(name));
  }
  return found;
}

function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.state !== 'Z';
}

function statOf(pid: number): { state: string; parent: number } | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: state!, parent: Number(parent) };
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
