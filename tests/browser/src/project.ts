import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from './program';

const FIXTURES = path.resolve(import.meta.dirname, '..');

/** A copy of a project, to be edited as a user would. */
export class Project {
  private constructor(readonly folder: string) {}

  static small(folder: string): Project {
    return Project.copyOf(path.join(FIXTURES, 'project'), folder);
  }

  /** With an entry point as Skyline's own README prints it. */
  static skyline(folder: string): Project {
    return Project.copyOf(path.join(FIXTURES, 'skyline'), folder);
  }

  static example(name: string, folder: string): Project {
    return Project.copyOf(path.join(ROOT, 'examples', name), folder);
  }

  private static copyOf(from: string, folder: string): Project {
    fs.cpSync(from, folder, {
      recursive: true,
      filter: (source) => path.basename(source) !== '__pycache__',
    });
    return new Project(folder);
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  bytes(name: string): Buffer {
    return fs.readFileSync(path.join(this.folder, name));
  }

  write(name: string, text: string | Buffer): void {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  /** Saves the file with one place of it changed. */
  edit(name: string, before: string, after: string): void {
    const text = this.read(name);
    if (!text.includes(before)) throw new Error(`${name} does not have: ${before}`);
    this.write(name, text.replace(before, after));
  }

  /** The number of the first line that has the text. */
  lineOf(name: string, text: string): number {
    const line = this.read(name)
      .split('\n')
      .findIndex((each) => each.includes(text));
    if (line < 0) throw new Error(`${name} does not have: ${text}`);
    return line + 1;
  }
}
