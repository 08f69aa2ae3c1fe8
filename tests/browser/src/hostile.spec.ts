import * as fs from 'node:fs';
import * as path from 'node:path';
import { craft } from './craft';
import { expect, test } from './fixtures';
import { TimelineScreen } from './timeline_screen';

// Each would run `hit` if it were taken as markup. U+202E turns what follows around.
const SCRIPT = '<script>hit("script")</script>';
const IMAGE = '<img src=x onerror=hit("image")>';
const TURNED = 'gnp\u202etxt';

test('names of files, classes and attributes are text', async ({ interactive, ui, project }) => {
  const file = '<img src=x onerror=hit(2)>';
  project.write(
    `${file}.py`,
    [
      'from torch import nn',
      'class Layer(nn.Module):',
      '    def __init__(self):',
      '        super().__init__()',
      '        self.inner = nn.Linear(10, 10)',
      '    def forward(self, x):',
      `        return self.inner(x)  # ${SCRIPT} \u202e`,
      `Layer.__name__ = Layer.__qualname__ = ${JSON.stringify(`${SCRIPT}\u202e\u0007\n`)}`,
      '',
    ].join('\n'),
  );
  project.edit(
    'model.py',
    '        self.head = nn.Linear(WIDTH, 10)',
    [
      '        self.head = nn.Linear(WIDTH, 10)',
      '        import importlib',
      `        hostile = importlib.import_module(${JSON.stringify(file)})`,
      `        self.add_module(${JSON.stringify(`${IMAGE}\u202e\u0007`)}, hostile.Layer())`,
    ].join('\n'),
  );
  project.edit(
    'model.py',
    '        return self.head(x)',
    `        return getattr(self, ${JSON.stringify(`${IMAGE}\u202e\u0007`)})(self.head(x))`,
  );
  project.edit(
    'entry_point.py',
    'print("the entry point was imported")',
    `print(${JSON.stringify(`${SCRIPT}${IMAGE} \u202e \u0007 \u001b[31mred`)})`,
  );
  await interactive();
  await ui.expectDone();
  await ui.part('choose-module').click();
  await ui.part('tab-table').click();
  const row = ui.rows.filter({ hasText: `${IMAGE}\\u202e\\x07.inner` });
  await expect(row).toHaveCount(1);
  await expect(ui.rows.filter({ hasText: `${SCRIPT}\\u202e\\x07\\n` })).toHaveCount(1);
  await ui.picture('hostile-table');
  await row.hover();
  await ui.part('tab-breakdown').click();
  for (let row = 0; row < 6; row += 1) {
    await ui.pointAt(await ui.pointInRow(row));
    await ui.pointAt(await ui.pointInRow(row, 'memory'));
  }
  await ui.part('choose-code').click();
  await ui.part('tab-table').click();
  await ui.rows
    .filter({ hasText: `${file}.py:7` })
    .getByRole('button')
    .click();
  await expect.poll(() => ui.openFile()).toBe(`${file}.py`);
  await expect(ui.lines.filter({ hasText: SCRIPT }).first()).toBeVisible();
  await expect(ui.lines.filter({ hasText: '\\u202e' }).first()).toBeVisible();
  await ui.part('tab-breakdown').click();
  await ui.picture('hostile-code');
  await ui.part('tab-output').click();
  await expect(ui.part('output')).toContainText(`${SCRIPT}${IMAGE} \\u202e \\x07`);
  await ui.picture('hostile-output');
  await expect(ui.page.locator('img[src], script:not([src])')).toHaveCount(0);
});

test('a failure with a hostile text is text', async ({ interactive, ui, project }) => {
  project.edit(
    'model.py',
    '        x = self.stem(x)',
    `        raise RuntimeError(${JSON.stringify(`${SCRIPT}\n${IMAGE}\u202e\u0007`)})`,
  );
  await interactive();
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toContainText(SCRIPT);
  await expect(ui.part('failure')).toContainText(`${IMAGE}\\u202e\\x07`);
  await expect(ui.page.locator('img[src]')).toHaveCount(0);
  await ui.picture('hostile-failure');
});

test('everything in a run file is text', async ({ view, ui, project, savedRun }) => {
  const name = `${IMAGE}\u202e.sightline`;
  const run = path.join(project.folder, name);
  fs.copyFileSync(savedRun, run);
  craft(run, [
    [`UPDATE files SET path = ? WHERE path = 'model.py'`, `${IMAGE}/${TURNED}.py`],
    [`UPDATE frames SET function = ? || function`, SCRIPT],
    [`UPDATE operators SET name = ? || name WHERE id > 0`, `${IMAGE}\u0000\u202e`],
    [`UPDATE modules SET type = ? WHERE id > 0`, `${SCRIPT}\u202e`],
    [`UPDATE modules SET path = ? || path WHERE id > 1`, IMAGE],
    [`UPDATE threads SET name = ?`, SCRIPT],
    [`UPDATE sources SET text = ? || text`, `# ${SCRIPT}${IMAGE} \u202e\u2066\u0007\n`],
    [
      `UPDATE meta SET value = ? WHERE key IN
         ('version', 'command', 'host', 'device', 'framework', 'python', 'git_commit')`,
      `${IMAGE}${SCRIPT}\u202e`,
    ],
  ]);
  await view(name);
  await expect(ui.part('runs').locator('option')).toContainText([`${IMAGE}\\u202e.sightline`]);
  await expect(ui.part('files')).toContainText(`${TURNED.replace('\u202e', '\\u202e')}.py`);
  for (let row = 0; row < 8; row += 1) await ui.pointAt(await ui.pointInRow(row));
  await ui.picture('hostile-run');
  const timeline = new TimelineScreen(ui);
  await timeline.open();
  await ui.pointAt(await timeline.widest(({ operator }) => operator.includes('aten::')));
  await expect(ui.part('timeline-tip')).toContainText(`${IMAGE}\\x00\\u202e`);
  await ui.pointAt(await timeline.middle('timeline-memory'));
  await ui.picture('hostile-timeline');
  await ui.part('tab-table').click();
  await expect(ui.rows.filter({ hasText: SCRIPT }).first()).toBeVisible();
  await ui.part('choose-module').click();
  await expect(ui.rows.filter({ hasText: IMAGE }).first()).toBeVisible();
  await ui.part('tab-findings').click();
  await ui.part('tab-run').click();
  await expect(ui.part('run')).toContainText(`${IMAGE}${SCRIPT}\\u202e`);
  await ui.picture('hostile-run-facts');
  await expect(ui.page.locator('img[src], script:not([src], #sightline-greeting)')).toHaveCount(0);
});

test('names that occur twice, are empty or endless do no harm', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  const run = path.join(project.folder, 'twice.sightline');
  fs.copyFileSync(savedRun, run);
  craft(run, [
    [`UPDATE modules SET path = ? WHERE id > 0`, 'same'],
    [`UPDATE files SET path = ?`, 'same.py'],
    [`UPDATE frames SET line = 7, function = ?`, ''],
    [`UPDATE operators SET name = ?`, 'x'.repeat(20_000)],
  ]);
  await view('twice.sightline');
  for (const grouping of ['module', 'code']) {
    await ui.part(`choose-${grouping}`).click();
    await ui.part('tab-table').click();
    await expect(ui.rows.first()).toBeVisible();
    await ui.part('tab-breakdown').click();
    for (let row = 0; row < 6; row += 1) await ui.pointAt(await ui.pointInRow(row));
  }
  await ui.picture('names-twice');
});
