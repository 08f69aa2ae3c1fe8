import { test as base, expect } from '@playwright/test';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { run, Server } from './program';
import { Project } from './project';
import { Screen } from './screen';

declare global {
  interface Window {
    violations: string[];
    hit: (what?: string) => void;
  }
}

interface PerTest {
  /** A folder of the test's own: the home of its servers. */
  folder: string;
  project: Project;
  /** The example to take in place of the small project. */
  example: string;
  ui: Screen;
  /** Whether the page has its hints, which else were dismissed before. */
  firstVisit: boolean;
  /** Complaints of the browser that a test asks for. */
  expectedComplaints: RegExp[];
  serve: (...args: string[]) => Promise<Server>;
  /** Starts `sightline interactive` on the project and opens its page. */
  interactive: (...args: string[]) => Promise<Server>;
  /** Opens saved runs. */
  view: (...runs: string[]) => Promise<Server>;
}

interface PerWorker {
  /** A run of the small project, made once. */
  savedRun: string;
}

const temporaryFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'sightline-browser-'));
const remove = (folder: string) => fs.rmSync(folder, { recursive: true, maxRetries: 3 });

export const test = base.extend<PerTest, PerWorker>({
  savedRun: [
    async ({}, use) => {
      const folder = temporaryFolder();
      const { folder: place } = Project.small(path.join(folder, 'small'));
      await run(place, 'profile', 'entry_point.py', '-o', 'small.sightline', '--no-throughput');
      await use(path.join(place, 'small.sightline'));
      remove(folder);
    },
    { scope: 'worker' },
  ],

  folder: async ({}, use) => {
    const folder = temporaryFolder();
    await use(folder);
    remove(folder);
  },

  example: ['', { option: true }],

  project: async ({ folder, example }, use) => {
    await use(
      example
        ? Project.example(example, path.join(folder, example))
        : Project.small(path.join(folder, 'small')),
    );
  },

  firstVisit: [false, { option: true }],

  expectedComplaints: [[], { option: true }],

  ui: async ({ page, serve, firstVisit, expectedComplaints }, use) => {
    void serve; // Its servers end after the page, which would complain of it.
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.addInitScript(() => {
      window.violations = [];
      window.hit = (what) => window.violations.push(`a name was run as a script: ${what}`);
      document.addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`),
      );
    });
    if (!firstVisit) {
      await page.addInitScript(() => {
        // The page before the first one has no storage.
        if (location.protocol !== 'about:') localStorage.setItem('sightline-guide', 'seen');
      });
    }
    await use(new Screen(page));
    const unexpected = complaints.filter(
      (text) => !expectedComplaints.some((expected) => expected.test(text)),
    );
    expect(unexpected, 'complaints of the browser').toEqual([]);
    expect(await page.evaluate(() => window.violations ?? [])).toEqual([]);
  },

  serve: async ({ folder, project }, use) => {
    const servers: Server[] = [];
    await use(async (...args) => {
      const server = await Server.start(folder, project.folder, ...args);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.stop();
  },

  interactive: async ({ serve, ui }, use) => {
    await use(async (...args) => {
      const server = await serve('interactive', 'entry_point.py', '--no-throughput', ...args);
      await ui.page.goto(server.address);
      return server;
    });
  },

  view: async ({ serve, ui }, use) => {
    await use(async (...runs) => {
      const server = await serve('view', ...runs);
      await ui.page.goto(server.address);
      await expect(ui.part(runs.length > 1 ? 'comparison' : 'icicle-time')).toBeVisible();
      return server;
    });
  },
});

export { expect };
