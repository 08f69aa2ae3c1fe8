import type { Source } from '../protocol';
import { getFiles, getSource } from './requests';

const KEPT_TEXTS = 64;

/** The texts of files, and those they had when they were analysed. */
export class Sources {
  files = $state.raw<string[]>([]);
  current = $state.raw<Source | null>(null);
  trouble = $state('');
  private asked = 0;
  private readonly byHash = new Map<string, string>();

  async list(run: number | null): Promise<void> {
    try {
      this.files = (await getFiles(run)).files;
    } catch {
      this.files = [];
    }
  }

  async open(path: string, run: number | null): Promise<void> {
    this.asked += 1;
    const mine = this.asked;
    try {
      const source = await getSource(path, run);
      this.byHash.set(source.hash, source.text);
      if (this.byHash.size > KEPT_TEXTS) this.byHash.delete(this.byHash.keys().next().value!);
      if (mine !== this.asked) return;
      this.current = source;
      this.trouble = '';
    } catch (error) {
      if (mine !== this.asked) return;
      this.current = null;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** The text with this hash, if it was ever seen. */
  textOf(hash: string): string | null {
    return this.byHash.get(hash) ?? null;
  }
}
