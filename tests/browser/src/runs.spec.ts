import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { craft } from './craft';
import { expect, test } from './fixtures';
import { run } from './program';
import { Project } from './project';
import type { Screen } from './screen';

const SCRIPT = '</script><script>hit("script")</script>';
const IMAGE = '<img src=x onerror=hit("image")>';
const NEW_LINE = '        pooled = torch.amax(images, AXES)';
const REMOVED = 'x = x.mean((2, 3))';
const TRAINING = `(SELECT sum(self_ns) FROM costs JOIN threads ON threads.id = thread WHERE training)`;

/** As on a machine that does nothing else: what was planted is to be larger than the noise. */
const QUIET: [string] = [
  `UPDATE steps SET wall_ns = (SELECT wall_ns / counted_steps FROM totals) WHERE role = 'counted'`,
];

/**
 * Two runs that differ in just this: one line takes some times as long, one is gone, another is new,
 * and all of the file has moved down by two lines.
 */
function plant(project: Project, savedRun: string, times = 5): void {
  const before = path.join(project.folder, 'before.sightline');
  const after = path.join(project.folder, 'after.sightline');
  fs.copyFileSync(savedRun, before);
  fs.copyFileSync(savedRun, after);
  craft(before, [QUIET]);
  const text = project.read('model.py').replace(`        ${REMOVED}`, NEW_LINE);
  craft(after, [
    [
      `UPDATE costs SET self_ns = self_ns * ${times} WHERE kind = 'forward' AND node IN
         (SELECT project_nodes.node FROM project_nodes
          JOIN node_lines ON node_lines.node = project_node
          WHERE node_lines.file = 'model.py' AND node_lines.line = ?)`,
      project.lineOf('model.py', 'x = self.stem(x)'),
    ],
    [`UPDATE totals SET forward_ns = forward_ns + ${TRAINING} - wall_ns, wall_ns = ${TRAINING}`],
    QUIET,
    [
      `UPDATE frames SET line = line + 2 WHERE file =
         (SELECT id FROM files WHERE path = 'model.py')`,
    ],
    [
      `UPDATE sources SET text = ? WHERE hash =
         (SELECT source_hash FROM files WHERE path = 'model.py')`,
      `# two lines\n# above\n${text}`,
    ],
  ]);
}

const changedLines = (ui: Screen) => ui.part('changed-lines').locator('tbody tr');

test('two runs with a planted difference: just that is found', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  plant(project, savedRun);
  await view('before.sightline', 'after.sightline');
  await expect(ui.part('tab-runs')).toHaveAttribute('aria-selected', 'true');
  await expect(ui.part('comparison-words')).toContainText('slower');
  const rows = changedLines(ui);
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'x = self.stem(x)' })).toContainText('worse');
  await expect(rows.filter({ hasText: 'torch.amax' })).toContainText('added');
  await expect(rows.filter({ hasText: REMOVED })).toContainText('removed');
  const modules = ui.part('changed-modules').locator('tbody th');
  await expect(modules).toHaveCount(2);
  await expect(modules.filter({ hasText: /^stem/ })).toHaveCount(1);
  await expect(modules.filter({ hasText: /^Net/ })).toHaveCount(1);
  await expect(ui.part('comparison')).not.toContainText('Not the same in both');

  const changed = ui.part('side-by-side').locator('tr:not(.same)');
  await expect(ui.part('side-by-side')).toHaveCount(1);
  await expect(ui.part('side-by-side').locator('tbody tr.added')).toHaveCount(3);
  await expect(ui.part('side-by-side').locator('tbody tr.removed')).toHaveCount(1);
  await expect(changed.filter({ hasText: REMOVED })).toHaveCount(1);
  await ui.picture('runs-compared');
  await ui.part('side-by-side').scrollIntoViewIfNeeded();
  await ui.part('side-by-side').locator('tr.removed').scrollIntoViewIfNeeded();
  await ui.picture('runs-code');

  // A line is shown in the run that has it.
  await rows.filter({ hasText: 'torch.amax' }).getByRole('button').click();
  await expect.poll(() => ui.openFile()).toBe('model.py');
  await expect(ui.part('runs')).toHaveValue('1');
  await expect(ui.lines.filter({ hasText: 'torch.amax' })).toBeVisible();

  // The other way round what was worse is better.
  await ui.part('before-1').check();
  await expect(rows.filter({ hasText: 'x = self.stem(x)' })).toContainText('better');
  await expect(ui.part('after-0')).toBeChecked();
});

test('a run that is compared with a copy of itself has no changes', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  for (const name of ['one', 'two']) {
    fs.copyFileSync(savedRun, path.join(project.folder, `${name}.sightline`));
  }
  await view('one.sightline', 'two.sightline');
  await expect(ui.part('comparison-words')).toContainText('the same time within the noise');
  await expect(ui.part('changed-lines')).toHaveCount(0);
  await expect(ui.part('changed-lines-rest')).toContainText('lines are the same');
  await expect(ui.part('comparison')).toContainText('The code that both runs keep is the same.');
});

test('a session keeps its results, and two of them are compared', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  await ui.expectDone();
  await ui.part('tab-runs').click();
  await expect(ui.part('run-history')).toContainText('Two results can be compared.');
  await ui.picture('runs-one');
  const original = project.read('model.py');
  const edited = original.replace(
    `        ${REMOVED}`,
    `        x = x.double().sin().cos().float()\n        ${REMOVED}`,
  );
  project.write('model.py', edited);
  await ui.expectDone(1);
  const list = ui.part('run-list').locator('tbody tr');
  await expect(list).toHaveCount(2);
  await expect(list.first()).toContainText('current');
  await expect(changedLines(ui).filter({ hasText: 'sin().cos()' })).toContainText('added');
  await expect(ui.part('side-by-side').locator('tr.added')).toContainText('sin().cos()');
  await expect(ui.part('side-by-side').locator('tr.removed')).toHaveCount(0);
  await ui.picture('runs-session');

  project.write('model.py', original);
  await ui.expectDone(2);
  await expect(list).toHaveCount(3);
  await expect(changedLines(ui).filter({ hasText: 'sin().cos()' })).toContainText('removed');
  await ui.page.reload();
  await ui.part('tab-runs').click();
  await expect(list).toHaveCount(3);
  await expect(ui.part('trend-step_ms').locator('circle')).toHaveCount(3);

  // A line of an earlier result is shown where it stands now.
  project.write('model.py', `# two lines\n# above\n${edited}`);
  await ui.expectDone(3);
  await ui.part('before-1').check();
  await ui.part('after-2').check();
  await changedLines(ui).filter({ hasText: 'sin().cos()' }).getByRole('button').click();
  await expect.poll(() => ui.openFile()).toBe('model.py');
  await expect(ui.lines.and(ui.page.locator('.chosen')).first()).toContainText('sin().cos()');
});

test('a result of a session is compared with a saved run: what was planted is found', async ({
  interactive,
  ui,
  project,
  savedRun,
}) => {
  plant(project, savedRun, 50);
  project.write('damaged.sightline', fs.readFileSync(savedRun).subarray(0, 5000));
  project.write(`${IMAGE}\u202e.sightline`, SCRIPT);
  await interactive();
  await ui.expectDone();
  await ui.part('tab-runs').click();
  await expect(ui.part('comparison')).toHaveCount(0);
  await expect(ui.part('run-history')).toContainText('or choose a saved run');
  const saved = ui.part('saved-run-list');
  await expect(saved.locator('tbody tr')).toHaveCount(4);
  await expect(saved.locator('tr', { hasText: 'damaged' })).toContainText(
    'it is cut off: 5000 bytes',
  );
  const hostile = saved.locator('tr', { hasText: `${IMAGE}\\u202e.sightline` });
  await expect(hostile).toContainText('it is not a Sightline run');
  await expect(saved.getByRole('radio', { name: 'damaged.sightline as A' })).toBeDisabled();
  await ui.picture('runs-saved-none');

  await saved.getByRole('radio', { name: 'after.sightline as A' }).check();
  await expect(ui.part('after-1')).toBeChecked();
  const rows = changedLines(ui);
  await expect(rows.filter({ hasText: 'x = self.stem(x)' })).toContainText('better');
  await expect(rows.filter({ hasText: 'torch.amax' })).toContainText('removed');
  await expect(rows.filter({ hasText: REMOVED })).toContainText('added');
  await expect(ui.part('changed-modules').locator('th', { hasText: /^stem/ })).toHaveCount(1);
  await expect(ui.part('side-by-side')).toHaveCount(1);
  await expect(ui.part('side-by-side').locator('tr.removed')).toHaveCount(3);
  await expect(ui.part('side-by-side').locator('tr.added')).toHaveCount(1);
  await expect(ui.part('trend-step_ms').locator('.level')).toHaveCount(1);
  await ui.pictures('runs-saved');

  // Of a line that a saved run has, the place is shown where it stands now.
  await rows.filter({ hasText: 'x = self.stem(x)' }).getByRole('button').click();
  await expect.poll(() => ui.openFile()).toBe('model.py');
  await expect(ui.lines.and(ui.page.locator('.chosen')).first()).toContainText('self.stem(x)');

  // Both may be saved ones, and they come and go.
  await saved.getByRole('radio', { name: 'before.sightline as A' }).check();
  await saved.getByRole('radio', { name: 'after.sightline as B' }).check();
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'x = self.stem(x)' })).toContainText('worse');
  fs.rmSync(path.join(project.folder, 'before.sightline'));
  await expect(saved.locator('tbody tr')).toHaveCount(3);
  await expect(ui.part('before-1')).toBeChecked();
  await expect(ui.page.locator('img[src], script:not([src], #sightline-greeting)')).toHaveCount(0);

  await ui.page.setViewportSize({ width: 390, height: 844 });
  await ui.part('tab-runs').click();
  await saved.scrollIntoViewIfNeeded();
  expect(await ui.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await ui.picture('runs-saved-phone');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({
      colorScheme,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });

    test(`the comparison fits on a phone, ${colorScheme}`, async ({
      view,
      ui,
      project,
      savedRun,
    }) => {
      plant(project, savedRun);
      await view('before.sightline', 'after.sightline');
      await expect(changedLines(ui)).toHaveCount(3);
      const wide = await ui.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      await ui.picture(`runs-phone-${colorScheme}`);
      await ui.part('side-by-side').locator('tr.removed').scrollIntoViewIfNeeded();
      await ui.picture(`runs-phone-code-${colorScheme}`);
    });
  });
}

test.describe(() => {
  test.use({ colorScheme: 'dark' });

  test('the comparison is dark where the system is', async ({ view, ui, project, savedRun }) => {
    plant(project, savedRun);
    await view('before.sightline', 'after.sightline');
    await expect(changedLines(ui)).toHaveCount(3);
    await ui.picture('runs-compared-dark');
  });
});

test('names in compared runs are text', async ({ view, ui, project, savedRun }) => {
  plant(project, savedRun);
  const hostile = `${IMAGE}\u202e`;
  for (const name of ['before', 'after']) {
    craft(path.join(project.folder, `${name}.sightline`), [
      [`UPDATE modules SET type = ?`, `${SCRIPT}\u202e`],
      [`UPDATE files SET path = ? WHERE path = 'model.py'`, `${hostile}.py`],
      [
        `UPDATE sources SET text = replace(text, 'def forward', ? || char(10) || 'def forward')`,
        `# ${SCRIPT}`,
      ],
      [`UPDATE meta SET value = ? WHERE key IN ('device', 'started')`, `${name} ${hostile}`],
    ]);
  }
  fs.renameSync(
    path.join(project.folder, 'after.sightline'),
    path.join(project.folder, `${IMAGE}.sightline`),
  );
  await view('before.sightline', `${IMAGE}.sightline`);
  await expect(ui.part('run-list')).toContainText(`${IMAGE}.sightline`);
  await expect(ui.part('comparison')).toContainText(`device (before ${IMAGE}\\u202e`);
  await expect(ui.part('changed-lines')).toContainText(`${IMAGE}\\u202e.py`);
  await expect(ui.page.locator('img[src], script:not([src], #sightline-greeting)')).toHaveCount(0);
  await ui.picture('runs-hostile');
});

test.describe(() => {
  test.use({ expectedComplaints: [/Content Security Policy|Failed to (fetch|load resource)/] });

  test('a page that is one file needs no server and lets nothing in', async ({
    ui,
    folder,
    savedRun,
  }) => {
    const file = path.join(folder, 'run.html');
    await run(folder, 'report', savedRun, '--html', file);
    expect(fs.statSync(file).size).toBeLessThan(1_000_000);
    const requests: string[] = [];
    ui.page.on('request', (request) => requests.push(request.url()));
    await ui.page.goto(pathToFileURL(file).href);
    await expect(ui.part('icicle-time')).toBeVisible();
    await expect(ui.part('state')).toContainText('Saved run');
    await expect(ui.part('tab-runs')).toHaveCount(0);

    await ui.pointAt(await ui.pointInRow(3));
    await expect(ui.part('tooltip')).toBeVisible();
    expect(await ui.isMarked()).toBe(true);
    const point = await ui.pointInRow(2);
    await ui.page.mouse.click(point.x, point.y);
    await expect.poll(() => ui.crumbs.count()).toBeGreaterThan(1);
    await ui.openFileTab('model.py');
    await expect(ui.lines.first()).toBeVisible();
    await ui.pictures('one-file');
    await ui.part('tab-table').click();
    await expect(ui.rows.first()).toBeVisible();
    await ui.part('tab-run').click();
    await expect(ui.part('run')).toContainText('torch');
    expect(requests.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
    expect(ui.messages).toEqual([]);

    const blocked = await ui.page.evaluate(async () => {
      const script = (fill: (element: HTMLScriptElement) => void) => {
        const element = document.createElement('script');
        fill(element);
        document.body.append(element);
      };
      script((element) => (element.src = 'https://example.com/elsewhere.js'));
      script((element) => (element.textContent = 'hit("inline")'));
      const image = document.createElement('img');
      image.src = 'https://example.com/elsewhere.png';
      document.body.append(image);
      const fetched = await fetch('https://example.com/').then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { fetched, violations: window.violations.splice(0) };
    });
    expect(blocked.fetched).toBe(false);
    expect(blocked.violations.map((text) => text.replace(/:.*/, '')).sort()).toEqual([
      'connect-src',
      'img-src',
      'script-src-elem',
      'script-src-elem',
    ]);
  });
});

test('hostile names in a page that is one file are text', async ({ ui, folder, savedRun }) => {
  const copy = path.join(folder, `${IMAGE}.sightline`);
  fs.copyFileSync(savedRun, copy);
  const hostile = `${SCRIPT}${IMAGE}<!--<script>\u2028\u2029\u202e`;
  craft(copy, [
    [`UPDATE files SET path = ? WHERE path = 'model.py'`, `${hostile}.py`],
    [`UPDATE frames SET function = ? || function`, hostile],
    [`UPDATE operators SET name = ? || name WHERE id > 0`, hostile],
    [`UPDATE modules SET type = ?, path = path || ? WHERE id > 0`, hostile, hostile],
    [`UPDATE sources SET text = ? || text`, `# ${hostile}\n`],
    [`UPDATE meta SET value = ? WHERE key IN ('command', 'host', 'device', 'python')`, hostile],
  ]);
  const file = path.join(folder, 'hostile.html');
  await run(folder, 'report', copy, '--html', file);
  await ui.page.goto(pathToFileURL(file).href);
  await expect(ui.part('icicle-time')).toBeVisible();
  for (let row = 0; row < 6; row += 1) await ui.pointAt(await ui.pointInRow(row));
  await ui.part('tab-run').click();
  await expect(ui.part('run')).toContainText(SCRIPT);
  await ui.part('tab-table').click();
  await expect(ui.rows.filter({ hasText: SCRIPT }).first()).toBeVisible();
  await ui.picture('one-file-hostile');
  await expect(ui.page.locator('script')).toHaveCount(2);
  await expect(ui.page.locator('img[src]')).toHaveCount(0);
});
