import { expect } from '@playwright/test';
import type { Point, Screen } from './screen';

export interface Span {
  start: number;
  end: number;
}

export interface TimelineProbe {
  count(): number;
  span(): Span;
  describe(event: number): { operator: string; phase: string; line: string };
  boxOf(event: number): DOMRect | null;
  hovered(): number;
  lit(): string[];
}

export interface Shown {
  event: number;
  operator: string;
  phase: string;
  line: string;
  x: number;
  y: number;
  width: number;
}

/** The tab with the timeline, as a user sees and uses it. */
export class TimelineScreen {
  constructor(readonly ui: Screen) {}

  async open(): Promise<void> {
    await this.ui.part('tab-timeline').click();
    await expect(this.ui.part('timeline-tracks')).toBeVisible();
    await expect.poll(() => this.count()).toBeGreaterThan(10);
  }

  count(): Promise<number> {
    return this.ui.page.evaluate(() => window.sightline.timeline()?.count() ?? 0);
  }

  span(): Promise<Span> {
    return this.ui.page.evaluate(() => window.sightline.timeline()!.span());
  }

  async length(): Promise<number> {
    const { start, end } = await this.span();
    return end - start;
  }

  lit(): Promise<string[]> {
    return this.ui.page.evaluate(() => window.sightline.timeline()!.lit());
  }

  /** All events, with the middle of their boxes. */
  events(): Promise<Shown[]> {
    return this.ui.page.evaluate(() => {
      const timeline = window.sightline.timeline()!;
      return Array.from({ length: timeline.count() }, (_, event) => {
        const box = timeline.boxOf(event);
        return {
          event,
          ...timeline.describe(event),
          x: box ? box.x + box.width / 2 : 0,
          y: box ? box.y + box.height / 2 : 0,
          width: box?.width ?? 0,
        };
      });
    });
  }

  /** The widest event that is like that. */
  async widest(like: (event: Shown) => boolean): Promise<Shown> {
    const found = (await this.events()).filter(like).sort((a, b) => b.width - a.width);
    expect(found.length).toBeGreaterThan(0);
    return found[0]!;
  }

  async middle(part: 'timeline-tracks' | 'timeline-memory'): Promise<Point> {
    const box = (await this.ui.part(part).boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Turns the wheel, with keys held down. */
  async wheel(at: Point, by: number, ...keys: string[]): Promise<void> {
    await this.ui.page.mouse.move(at.x, at.y);
    for (const key of keys) await this.ui.page.keyboard.down(key);
    await this.ui.page.mouse.wheel(0, by);
    for (const key of keys) await this.ui.page.keyboard.up(key);
  }
}
