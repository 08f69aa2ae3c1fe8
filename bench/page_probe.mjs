// Measures Sightline's page in Chromium. One JSON object a line comes in, one goes out.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(new URL('../tests/browser/package.json', import.meta.url));
const { chromium } = require('@playwright/test');

const WAIT_MS = 60_000;

/** In the page, before its own script: notes when a message came and when it was drawn. */
function watch() {
  window.arrived = [];
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        const came = performance.timeOrigin + performance.now();
        const { type, analysis, cached, state, report } = JSON.parse(data);
        const entry = { type, analysis, cached, state, came, drawn: null };
        if (report) entry.iteration = report.iteration;
        window.arrived.push(entry);
        if (type !== 'breakdown') return;
        // The first frame has it drawn, the second begins after that.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => (entry.drawn = performance.timeOrigin + performance.now())),
        );
      });
    }
  };
  // Usable: the icicle answers to the pointer, and code is there to read.
  const look = () => {
    const icicle = document.querySelector('[data-testid="icicle-time"]');
    const box = icicle?.getBoundingClientRect();
    const node = box ? window.sightline.nodeAt(box.x + 20, box.y + 10) : -1;
    const lines = document.querySelector('.editor')?.shadowRoot?.querySelectorAll('.cm-line');
    if (node >= 0 && (lines?.length ?? 0) > 1) {
      requestAnimationFrame(() => (window.usable = performance.now()));
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const browser = await chromium.launch({
  executablePath: process.env.SIGHTLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await context.addInitScript(watch);
let page = await context.newPage();

const verbs = {
  /** Opens a page, anew; gives the milliseconds until it is usable. */
  async open({ address }) {
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => window.usable, null, { timeout: WAIT_MS });
    return page.evaluate(() => ({
      usable_ms: window.usable,
      measures: performance.getEntriesByType('resource').map((entry) => ({
        name: entry.name.replace(/.*\//, ''),
        start_ms: entry.startTime,
        end_ms: entry.responseEnd,
      })),
    }));
  },

  /** Opens a page, anew, at its training; gives the milliseconds until a curve is drawn. */
  async training({ address }) {
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    await page.getByTestId('tab-training').click({ timeout: WAIT_MS });
    const curve = page.getByTestId('training-plot').first().locator('canvas').first();
    await curve.waitFor({ timeout: WAIT_MS });
    return page.evaluate(
      () =>
        new Promise((drawn) =>
          requestAnimationFrame(() => requestAnimationFrame(() => drawn(performance.now()))),
        ),
    );
  },

  /** Waits for the state `done`. */
  async done() {
    await page.waitForFunction(
      () => window.arrived.findLast(({ type }) => type === 'state')?.state === 'done',
      null,
      { timeout: WAIT_MS },
    );
    return null;
  },

  /** Saves a file; gives what came of it, in milliseconds since the save. */
  async save({ path, text }) {
    const before = await page.evaluate(() =>
      Math.max(...window.arrived.map(({ analysis }) => analysis ?? 0)),
    );
    const saved = Date.now();
    writeFileSync(path, text);
    await page.waitForFunction(
      (before) =>
        window.arrived.some(
          ({ type, analysis, drawn }) => type === 'breakdown' && analysis > before && drawn,
        ),
      before,
      { timeout: WAIT_MS },
    );
    return page.evaluate(
      ([before, saved]) => {
        const news = window.arrived.filter(({ analysis }) => analysis > before);
        const { came, drawn, cached, iteration } = news.find(({ type }) => type === 'breakdown');
        const states = news
          .filter(({ type }) => type === 'state')
          .map(({ state, came }) => ({ state, ms: came - saved }));
        return { came_ms: came - saved, drawn_ms: drawn - saved, cached, iteration, states };
      },
      [before, saved],
    );
  },

  /** Moves the pointer over an icicle; gives the script time of each move. */
  async hover({ moves }) {
    const box = await page.getByTestId('icicle-time').boundingBox();
    await page.evaluate(() => performance.clearMeasures('hover'));
    for (let move = 0; move < moves; move += 1) {
      const x = box.x + 2 + ((move * 37) % (box.width - 4));
      const y = box.y + 5 + ((move * 29) % (box.height - 10));
      await page.mouse.move(x, y);
    }
    return page.evaluate(() =>
      performance.getEntriesByName('hover').map(({ duration }) => duration),
    );
  },

  /** Drags both cards; gives the script time of each move, and the longest frame. */
  async drag({ moves }) {
    // Before frames are watched: to ask for a place costs the page time.
    const boxes = [
      await page.getByTestId('drag-throughput').boundingBox(),
      await page.getByTestId('drag-memory').boundingBox(),
    ];
    await page.evaluate(() => {
      performance.clearMeasures('drag');
      window.longest = 0;
      let before = performance.now();
      const frame = () => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - before);
        before = now;
        window.frame = requestAnimationFrame(frame);
      };
      window.frame = requestAnimationFrame(frame);
    });
    for (const box of boxes) {
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width / 4, y);
      await page.mouse.down();
      for (let move = 0; move < moves / 2; move += 1) {
        await page.mouse.move(box.x + 10 + ((move * 7) % (box.width - 20)), y);
      }
      await page.mouse.up();
    }
    return page.evaluate(() => {
      cancelAnimationFrame(window.frame);
      const script_ms = performance.getEntriesByName('drag').map(({ duration }) => duration);
      return { script_ms, frame_ms: window.longest };
    });
  },

  /** Opens the timeline; gives how many events it has and how long that took. */
  async timeline({ events }) {
    const began = performance.now();
    await page.getByTestId('tab-timeline').click();
    await page.waitForFunction(
      (least) => (window.sightline.timeline()?.count() ?? 0) >= least,
      events,
      { timeout: WAIT_MS },
    );
    const count = await page.evaluate(() => window.sightline.timeline().count());
    return { count, ms: performance.now() - began };
  },

  /** Zooms into the timeline and out again, here and there; gives the script time of each step. */
  async zoom({ steps }) {
    const box = await page.getByTestId('timeline-tracks').boundingBox();
    await page.evaluate(() => performance.clearMeasures('zoom'));
    await page.keyboard.down('Control');
    for (let step = 0; step < steps; step += 1) {
      await page.mouse.move(box.x + 20 + ((step * 37) % (box.width - 40)), box.y + 40);
      await page.mouse.wheel(0, step % 20 < 10 ? -100 : 100);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn())));
    }
    await page.keyboard.up('Control');
    return page.evaluate(() =>
      performance.getEntriesByName('zoom').map(({ duration }) => duration),
    );
  },

  /** How many nodes the tree of the newest result has. */
  async nodes() {
    return page.evaluate(async () => {
      const answer = await fetch('api/result');
      return (await answer.json()).tree.nodes.parent.length;
    });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: verb, ...rest } = JSON.parse(line);
  let answer;
  try {
    answer = { result: await verbs[verb](rest) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
