import * as fs from 'node:fs';
import * as path from 'node:path';
import { expect, test } from './fixtures';
import { run } from './program';

test('saved runs are shown as they were, and one is changed for another', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  fs.copyFileSync(savedRun, path.join(project.folder, 'before.sightline'));
  project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 4');
  await run(
    project.folder,
    'profile',
    'entry_point.py',
    '-o',
    'after.sightline',
    '--no-throughput',
  );
  project.write('model.py', '# the file has changed since\n');
  await view('before.sightline', 'after.sightline');
  await ui.part('tab-breakdown').click();
  await expect(ui.part('state')).toContainText('Saved run');
  await expect(ui.part('runs').locator('option')).toHaveText([
    'before.sightline',
    'after.sightline',
  ]);
  await expect(ui.part('analyse')).toHaveCount(0);
  await expect(ui.part('tab-output')).toHaveCount(0);
  await ui.openFileTab('model.py');
  await expect(ui.part('edited')).toHaveCount(0);
  await ui.part('choose-module').click();
  await ui.part('tab-table').click();
  await expect(ui.rows.filter({ hasText: 'blocks.1.conv' })).toBeVisible();
  await expect(ui.rows.filter({ hasText: 'blocks.3.conv' })).toHaveCount(0);
  const memory = await ui.part('peak-memory').textContent();
  await ui.part('runs').selectOption('1');
  await expect(ui.rows.filter({ hasText: 'blocks.3.conv' })).toBeVisible();
  await expect(ui.part('peak-memory')).not.toHaveText(memory!);
  await ui.picture('view-second-run');
  await ui.part('runs').selectOption('0');
  await expect(ui.rows.filter({ hasText: 'blocks.3.conv' })).toHaveCount(0);
  await expect(ui.part('peak-memory')).toHaveText(memory!);
  await ui.pictures('view');
});

test('an address without the token shows nothing of the run', async ({ serve, ui, savedRun }) => {
  const server = await serve('view', savedRun);
  const answer = await ui.page.request.get(server.address.replace(/\?.*/, ''));
  expect(answer.status()).toBe(401);
  expect(await answer.text()).not.toContain('model.py');
});

test('the token leaves the address bar, and a reload works', async ({ view, ui, savedRun }) => {
  await view(savedRun);
  expect(ui.page.url()).not.toContain('token');
  await ui.page.reload();
  await expect(ui.part('icicle-time')).toBeVisible();
});

test('a run is shown before there is a connection', async ({ view, ui, savedRun, folder }) => {
  const named = path.join(folder, '<script>hostile & <!-- name.sightline');
  fs.copyFileSync(savedRun, named);
  await ui.page.routeWebSocket(/api\/live/, () => undefined);
  await view(named);
  await expect(ui.part('icicle-time')).toBeVisible();
  await expect(ui.page.getByText('<script>hostile & <!-- name').first()).toBeVisible();
});
