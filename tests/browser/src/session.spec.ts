import { expect, test } from './fixtures';

test('an analysis goes from importing to done and fills the page', async ({ interactive, ui }) => {
  await interactive();
  await expect(ui.part('waiting')).toBeVisible();
  await ui.pictures('waiting');
  const { report } = await ui.expectDone();
  const order = ui.states().filter((state) => state !== 'queued');
  expect(order).toEqual(['importing', 'measuring', 'done']);
  await expect(ui.part('step-time')).toHaveText(/^\d[\d.]* m?s$/);
  await expect(ui.part('peak-memory')).toHaveText(/^\d[\d.]* [KM]iB$/);
  await expect(ui.part('phases')).toContainText('backward');
  await expect(ui.part('icicle-time')).toBeVisible();
  await expect(ui.part('state')).toContainText('Up to date');
  expect(report.iteration.batch_size).toBe(16);
  await ui.openFileTab('model.py');
  await expect(ui.lines.filter({ hasText: 'self.' }).first()).toBeVisible();
  await ui.pictures('done');
});

test('other batch sizes are tried after the breakdown is there', async ({ serve, ui, project }) => {
  project.edit('model.py', 'WIDTH = 16', 'WIDTH = 4');
  const server = await serve('interactive', 'entry_point.py');
  await ui.page.goto(server.address);
  await expect(ui.part('state')).toHaveAttribute('data-state', 'sampling');
  await expect(ui.part('icicle-time')).toBeVisible();
  await ui.picture('sampling');
  await ui.expectDone();
  await ui.part('tab-run').click();
  await expect(ui.part('batch-sizes').locator('tbody tr').nth(2)).toBeVisible();
  await ui.pictures('run');
});

test('a saved edit gives new numbers', async ({ interactive, ui, project }) => {
  await interactive();
  const before = await ui.expectDone();
  await ui.part('choose-module').click();
  await ui.part('tab-table').click();
  await expect(ui.rows.filter({ hasText: 'blocks.1' }).first()).toBeVisible();
  await expect(ui.rows.filter({ hasText: 'blocks.3' })).toHaveCount(0);
  project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 4');
  await expect(ui.part('old')).toBeVisible();
  await ui.picture('measuring-again');
  const after = await ui.expectDone(before.analysis);
  expect(after.cached).toBe(false);
  expect(after.report.memory.peak_bytes).toBeGreaterThan(before.report.memory.peak_bytes);
  await expect(ui.rows.filter({ hasText: 'blocks.3' }).first()).toBeVisible();
  await ui.openFileTab('model.py');
  await expect(ui.part('edited')).toHaveCount(0);
});

test('an edit that moves lines moves their costs along', async ({ interactive, ui, project }) => {
  await interactive();
  const { analysis } = await ui.expectDone();
  project.edit('model.py', 'WIDTH = 16', '# one more\n# and one more\nWIDTH = 16');
  await ui.expectDone(analysis);
  await ui.openFileTab('model.py');
  const line = project.lineOf('model.py', 'self.conv(x)');
  await expect(ui.lines.filter({ hasText: 'self.conv(x)' })).toBeVisible();
  await ui.pointAtLine('self.conv(x)');
  expect(await ui.highlightedLines()).toEqual([`model.py:${line}`]);
});

test('a syntax error is shown where it is, old results stay, and it can be mended', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  const before = await ui.expectDone();
  const good = project.read('model.py');
  project.edit('model.py', 'return self.head(x)', 'return self.head(x');
  await ui.expectState('failed');
  const line = project.lineOf('model.py', 'return self.head(x');
  await expect(ui.part('failure-what')).toContainText('syntax error');
  await expect(ui.part('failure-place')).toHaveText(`model.py:${line}`);
  await expect(ui.part('old')).toContainText('failed');
  await expect(ui.part('step-time')).toHaveText(/\d/);
  await expect(ui.lines.and(ui.page.locator('.wrong'))).toContainText('self.head(x');
  await ui.pictures('syntax-error');
  await ui.part('tab-breakdown').click();
  await expect(ui.part('icicle-time')).toBeVisible();
  await ui.picture('old-results');
  project.write('model.py', good);
  await ui.expectDone(before.analysis);
  await expect(ui.part('failure')).toHaveCount(0);
  await expect(ui.part('tab-failure')).toHaveCount(0);
});

test('an exception in forward is shown with its file, line and traceback', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  const { analysis } = await ui.expectDone();
  project.edit('model.py', 'x = self.norm(x)', 'raise ValueError("no such norm")');
  await ui.expectState('failed');
  const line = project.lineOf('model.py', 'no such norm');
  await expect(ui.part('failure-what')).toContainText(/ValueError.*: no such norm/);
  await expect(ui.part('failure-place')).toHaveText(`model.py:${line}`);
  await expect(ui.part('failure-details')).toContainText('entry_point.py');
  await expect(ui.part('old')).toBeVisible();
  await ui.picture('exception');
  await ui.openFileTab('entry_point.py');
  await ui.part('failure-place').click();
  expect(await ui.openFile()).toBe('model.py');
  await expect(ui.lines.and(ui.page.locator('.wrong'))).toBeInViewport();
  project.edit('model.py', 'raise ValueError("no such norm")', 'x = self.norm(x)');
  await ui.expectDone(analysis);
  await expect(ui.part('failure')).toHaveCount(0);
});

test('a project that is broken from the start is explained, and works when mended', async ({
  interactive,
  ui,
  project,
}) => {
  project.edit('entry_point.py', 'from model import Net', 'from nowhere import Net');
  await interactive();
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toContainText('nowhere');
  await expect(ui.part('failure-place')).toHaveText('entry_point.py:2');
  await ui.picture('broken-from-the-start');
  project.edit('entry_point.py', 'from nowhere import Net', 'from model import Net');
  await ui.expectDone(1);
});

test('undoing an edit brings the results back at once', async ({ interactive, ui, project }) => {
  await interactive();
  const first = await ui.expectDone();
  project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 1');
  const second = await ui.expectDone(first.analysis);
  expect(second.report.memory.peak_bytes).toBeLessThan(first.report.memory.peak_bytes);
  const start = Date.now();
  project.edit('model.py', 'BLOCKS = 1', 'BLOCKS = 2');
  const third = await ui.expectDone(second.analysis);
  expect(Date.now() - start).toBeLessThan(1500);
  expect(third.cached).toBe(true);
  expect(third.report.iteration).toEqual(first.report.iteration);
  await expect(ui.page.getByText('from the cache')).toBeVisible();
});

test('an analysis can be repeated and cancelled by button', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  const first = await ui.expectDone();
  await ui.part('analyse').click();
  const second = await ui.expectDone(first.analysis);
  expect(second.analysis).toBe(first.analysis + 1);
  expect(second.cached).toBe(false);
  project.edit(
    'model.py',
    '        x = self.stem(x)',
    '        import time; time.sleep(0.5); x = self.stem(x)',
  );
  await expect(ui.part('cancel')).toBeVisible();
  await expect(ui.part('state')).toHaveAttribute('data-state', 'measuring');
  await ui.picture('measuring');
  await ui.part('cancel').click();
  await ui.expectState('stale');
  await expect(ui.part('state')).toContainText('cancelled');
  await expect(ui.part('old')).toContainText('files have changed');
  await ui.picture('cancelled');
  project.edit('model.py', 'import time; time.sleep(0.5); ', '');
  const third = await ui.expectDone(second.analysis);
  expect(third.cached).toBe(true);
});

test('without watching, an edit waits for the button', async ({ interactive, ui, project }) => {
  await interactive('--no-watch');
  if ((await ui.part('state').getAttribute('data-state')) === 'idle') {
    await ui.part('analyse').click();
  }
  const { analysis } = await ui.expectDone();
  project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 1');
  await ui.expectState('stale');
  await expect(ui.part('old')).toContainText('files have changed');
  await ui.picture('stale');
  await ui.part('analyse').click();
  await ui.expectDone(analysis);
});

test('an edit after the worker was killed is analysed', async ({ interactive, ui, project }) => {
  const server = await interactive();
  const first = await ui.expectDone();
  const workers = server.workers();
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) process.kill(worker, 'SIGKILL');
  project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 1');
  const second = await ui.expectDone(first.analysis);
  expect(second.report.memory.peak_bytes).toBeLessThan(first.report.memory.peak_bytes);
});

test('a worker that is killed while it measures is reported or replaced', async ({
  interactive,
  ui,
  project,
}) => {
  const server = await interactive();
  const { analysis } = await ui.expectDone();
  project.edit(
    'model.py',
    '        x = self.stem(x)',
    '        import time; time.sleep(0.2); x = self.stem(x)',
  );
  await expect(ui.part('state')).toHaveAttribute('data-state', 'measuring');
  for (const worker of server.workers()) process.kill(worker, 'SIGKILL');
  await expect(ui.part('state')).toHaveAttribute('data-state', /failed|done/, {
    timeout: 60_000, // a new worker imports torch first
  });
  await ui.picture('worker-killed');
  project.edit('model.py', 'import time; time.sleep(0.2); ', '');
  await ui.expectDone(analysis);
});

test.describe(() => {
  test.use({ expectedComplaints: [/WebSocket connection|ERR_CONNECTION_REFUSED/] });

  test('the page finds the server again after it was killed', async ({
    interactive,
    serve,
    ui,
    project,
  }) => {
    const server = await interactive();
    const { analysis } = await ui.expectDone();
    await server.kill();
    await expect(ui.part('state')).toContainText('Disconnected');
    await expect(ui.part('old')).toContainText('not connected');
    await expect(ui.part('analyse')).toBeDisabled();
    await expect(ui.part('icicle-time')).toBeVisible();
    await ui.picture('disconnected');
    const { length } = ui.messages;
    await serve('interactive', 'entry_point.py', '--no-throughput', '--port', server.port);
    await expect(ui.part('state')).not.toContainText('Disconnected');
    await expect.poll(() => ui.messages.length).toBeGreaterThan(length);
    const again = await ui.expectDone();
    expect(again.analysis).toBe(analysis);
    project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 1');
    await ui.expectDone(again.analysis);
  });
});

test('what the code prints is shown as it comes', async ({ interactive, ui, project }) => {
  project.edit(
    'entry_point.py',
    '    return Net()',
    '    print("a model: \\u00e4\\u4f60")\n    return Net()',
  );
  await interactive();
  await ui.part('tab-output').click();
  await expect(ui.part('output')).toContainText('the entry point was imported');
  await expect(ui.part('output')).toContainText('a model: ä你');
  const { analysis } = await ui.expectDone();
  await ui.pictures('output');
  const silent = project.read('entry_point.py').replace(/^ *print\(.*\)\n/gm, '');
  project.write('entry_point.py', silent);
  await ui.expectDone(analysis);
  await expect(ui.part('output')).not.toContainText('imported');
});

test('after 100 saves in 10 seconds the result belongs to the last', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  const { analysis } = await ui.expectDone();
  const text = project.read('model.py');
  const start = Date.now();
  for (let save = 1; save <= 100; save += 1) {
    project.write('model.py', text.replace('BLOCKS = 2', `BLOCKS = ${1 + (save % 3)}  # ${save}`));
    await ui.page.waitForTimeout(Math.max(0, start + save * 100 - Date.now()));
  }
  const final = text.replace('BLOCKS = 2', 'BLOCKS = 3  # the last');
  project.write('model.py', final);
  const hash = async () => {
    const answer = await ui.page.request.get(
      new URL('api/source?path=model.py', ui.page.url()).href,
    );
    return (await answer.json()) as { text: string; hash: string };
  };
  await expect.poll(async () => (await hash()).text).toBe(final);
  await expect
    .poll(
      () => ui.newest('breakdown')?.tree.files.find((file: any) => file.path === 'model.py').hash,
    )
    .toBe((await hash()).hash);
  const result = await ui.expectDone(analysis);
  const paths = result.tree.modules.map((module: any) => module.path);
  expect(paths).toContain('blocks.2');
  expect(paths).not.toContain('blocks.3');
  await expect(ui.part('edited')).toHaveCount(0);
});

test.describe(() => {
  test.use({ example: 'skyline' });

  test('an entry point of Skyline runs as it is', async ({ interactive, ui }) => {
    await interactive('--device', 'cpu', '--batch-size', '2');
    await ui.expectDone();
    await ui.part('choose-module').click();
    await ui.part('tab-table').click();
    await expect(ui.rows.filter({ hasText: 'model.conv' }).first()).toBeVisible();
    await expect(ui.rows.filter({ hasText: 'loss_fn' }).first()).toBeVisible();
    await ui.picture('skyline');
  });
});
