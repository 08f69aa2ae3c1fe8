import { expect, type Locator, type Page } from '@playwright/test';
import * as path from 'node:path';
import { ROOT } from './program';
import type { TimelineProbe } from './timeline_screen';

interface Probe {
  nodeAt(x: number, y: number): number;
  boxOf(node: number, metric?: Metric): DOMRect | null;
  highlightedLines(): string[];
  highlightedNodes(): number[];
  openFile(): string | null;
  timeline(): TimelineProbe | null;
}

declare global {
  interface Window {
    sightline: Probe;
  }
}

export type Metric = 'time' | 'memory';

export interface Message {
  type: string;
  [key: string]: any;
}

export interface Point {
  x: number;
  y: number;
}

export interface BarPoint extends Point {
  share: number;
  /** The share of one pixel. */
  pixel: number;
}

const ROW = 21;
// On a busy machine; else a few seconds.
const ANALYSIS_MS = 60_000;

const UNITS: Record<string, number> = {
  s: 1000,
  k: 1000,
  M: 1000 ** 2,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** The page as a user sees and uses it, and what the server has told it. */
export class Screen {
  readonly messages: Message[] = [];

  constructor(readonly page: Page) {
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        this.messages.push(JSON.parse(String(payload)) as Message);
      });
    });
  }

  part(name: string): Locator {
    return this.page.getByTestId(name);
  }

  /** The lines of code on the screen. */
  get lines(): Locator {
    return this.part('code').locator('.cm-line');
  }

  get rows(): Locator {
    return this.part('table').locator('tbody tr');
  }

  get crumbs(): Locator {
    return this.part('breadcrumb').getByRole('button');
  }

  async expectState(state: string): Promise<void> {
    await expect(this.part('state')).toHaveAttribute('data-state', state, {
      timeout: ANALYSIS_MS,
    });
  }

  /** Waits for an analysis of the files as they are, the first after `analysis`. */
  async expectDone(analysis = 0): Promise<Message> {
    await expect
      .poll(
        () => {
          const newest = this.newest('state');
          return newest?.state === 'done' && newest.current && newest.analysis > analysis;
        },
        { timeout: ANALYSIS_MS },
      )
      .toBe(true);
    await this.expectState('done');
    await expect(this.part('old')).toHaveCount(0);
    return this.newest('breakdown')!;
  }

  newest(type: string): Message | undefined {
    return this.messages.findLast((message) => message.type === type);
  }

  get analysis(): number {
    return this.newest('state')?.analysis ?? 0;
  }

  /** The states that were announced, without repeats. */
  states(): string[] {
    const names = this.messages.filter(({ type }) => type === 'state').map(({ state }) => state);
    return names.filter((name, i) => name !== names[i - 1]);
  }

  /** A point of the icicle in the given row, a little right of its left edge, where the largest stand. */
  async pointInRow(row: number, metric: Metric = 'time'): Promise<Point> {
    const box = (await this.part(`icicle-${metric}`).boundingBox())!;
    return { x: box.x + 12, y: box.y + row * ROW + ROW / 2 };
  }

  nodeAt({ x, y }: Point): Promise<number> {
    return this.page.evaluate(([x, y]) => window.sightline.nodeAt(x, y), [x, y] as const);
  }

  highlightedLines(): Promise<string[]> {
    return this.page.evaluate(() => window.sightline.highlightedLines());
  }

  highlightedNodes(): Promise<number[]> {
    return this.page.evaluate(() => window.sightline.highlightedNodes());
  }

  /** How many of the nodes have a box that can be seen. */
  countBoxes(nodes: number[]): Promise<number> {
    return this.page.evaluate(
      (nodes) => nodes.filter((node) => (window.sightline.boxOf(node)?.width ?? 0) > 1).length,
      nodes,
    );
  }

  openFile(): Promise<string | null> {
    return this.page.evaluate(() => window.sightline.openFile());
  }

  /** Whether anything is marked on an icicle. */
  isMarked(metric: Metric = 'time'): Promise<boolean> {
    return this.part(`icicle-${metric}`).evaluate((element) => {
      const canvas = element.querySelectorAll('canvas')[1]!;
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext('2d', { willReadFrequently: true })!;
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value > 0);
    });
  }

  async pointAt(point: Point): Promise<void> {
    await this.page.mouse.move(point.x - 3, point.y);
    await this.page.mouse.move(point.x, point.y);
  }

  /** By mouse moves alone: the code scrolls by itself where it is told to. */
  async pointAtLine(text: string): Promise<void> {
    const box = (await this.lines.filter({ hasText: text }).first().boundingBox())!;
    await this.pointAt({ x: box.x + 60, y: box.y + box.height / 2 });
  }

  async openFileTab(name: string): Promise<void> {
    await this.part('files').getByRole('button', { name, exact: true }).click();
    await expect.poll(() => this.openFile()).toBe(name);
  }

  /** The pixel of a card's bar nearest to a share of its whole, and what it stands for. */
  async pointOnBar(bar: string, share: number): Promise<BarPoint> {
    const frame = (await this.part(bar).locator('.track').boundingBox())!;
    const x = Math.round(frame.x + share * frame.width);
    const y = Math.round(frame.y + frame.height / 2);
    return { x, y, share: (x - frame.x) / frame.width, pixel: 1 / frame.width };
  }

  /** Drags the handle of a card's bar by mouse; gives the point that the pointer ended at. */
  async dragTo(bar: string, share: number): Promise<BarPoint> {
    const from = (await this.part(bar).locator('.handle').boundingBox())!;
    const to = await this.pointOnBar(bar, share);
    await this.page.mouse.move(from.x + from.width / 2, to.y);
    await this.page.mouse.down();
    await this.page.mouse.move((from.x + to.x) / 2, to.y);
    await this.page.mouse.move(to.x, to.y);
    await this.page.mouse.up();
    return to;
  }

  /** The number that a part shows, in milliseconds, bytes or as it is. */
  async amount(name: string): Promise<number> {
    const text = (await this.part(name).innerText()).replaceAll('\u2009', '');
    const [, number, unit] = /([\d.]+)\s*([a-zA-Z]*)/.exec(text)!;
    return Number(number) * (UNITS[unit!] ?? 1);
  }

  /** No text of a card is cut off or runs over what is beside it. */
  async expectCardsFit(): Promise<void> {
    const tooLong = await this.part('summary').evaluate((summary) =>
      Array.from(summary.querySelectorAll('.card [data-testid]:not([role])'))
        .filter((part) => {
          const text = document.createRange();
          text.selectNodeContents(part);
          const box = part.getBoundingClientRect();
          const card = part.closest('.card')!.getBoundingClientRect();
          const isCut = text.getBoundingClientRect().width > box.width + 1;
          return isCut || box.right > card.right;
        })
        .map(({ textContent }) => textContent),
    );
    expect(tooLong).toEqual([]);
  }

  /** Leaves pictures of the page in light and in dark. */
  async pictures(name: string): Promise<void> {
    await this.picture(name);
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await this.page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await this.picture(`${name}-dark`);
    await this.page.emulateMedia({ colorScheme: null });
  }

  /** Leaves a picture for people, of all or of a part. */
  async picture(name: string, part?: string): Promise<void> {
    const file = { path: path.join(ROOT, 'build', 'screenshots', `${name}.png`) };
    await (part ? this.part(part).screenshot(file) : this.page.screenshot(file));
  }
}
