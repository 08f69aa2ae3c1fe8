import * as path from 'node:path';
import { expect, test as base } from './fixtures';
import { Project } from './project';

const test = base.extend({
  project: async ({ folder }, use) => {
    await use(Project.skyline(path.join(folder, 'skyline')));
  },
});

test('an entry point as Skyline prints it is started, edited, broken, mended and applied to', async ({
  serve,
  ui,
  project,
}) => {
  const server = await serve('interactive', 'entry_point.py', '--device', 'cpu');
  await ui.page.goto(server.address);
  const first = await ui.expectDone();
  expect(first.report.iteration.batch_size).toBe(32);
  await ui.part('choose-module').click();
  await ui.part('tab-table').click();
  for (const module of ['model.conv', 'model.linear', 'loss_fn']) {
    await expect(ui.rows.filter({ hasText: module }).first()).toBeVisible();
  }
  await ui.picture('skyline-readme');

  project.edit('model.py', 'out = self.conv(input)', 'out = self.conv(input).relu()');
  const edited = await ui.expectDone(first.analysis);
  expect(edited.tree.operators).toContain('aten::relu');
  expect(first.tree.operators).not.toContain('aten::relu');

  project.edit('model.py', '.relu()', '.rellu()');
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toContainText('rellu');
  await expect(ui.part('failure-place')).toHaveText(
    `model.py:${project.lineOf('model.py', 'rellu')}`,
  );
  project.edit('model.py', '.rellu()', '.relu()');
  const mended = await ui.expectDone(edited.analysis);
  expect(mended.cached).toBe(true);
  await expect(ui.part('failure')).toHaveCount(0);

  const before = project.read('entry_point.py');
  await ui.part('batch-size').fill('48');
  await ui.part('apply').click();
  await expect
    .poll(() => project.read('entry_point.py'))
    .toBe(before.replace('batch_size: int = 32', 'batch_size: int = 48'));
  const applied = await ui.expectDone(mended.analysis);
  expect(applied.report.iteration.batch_size).toBe(48);
  await ui.part('undo').click();
  await expect.poll(() => project.read('entry_point.py')).toBe(before);
});
