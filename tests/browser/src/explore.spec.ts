import { expect, test } from './fixtures';

test.beforeEach(async ({ view, savedRun }) => {
  await view(savedRun);
});

test('a node under the pointer lights its line', async ({ ui, project }) => {
  await ui.openFileTab('model.py');
  const seen = new Set<string>();
  for (let row = 1; row < 7; row += 1) {
    const point = await ui.pointInRow(row);
    if ((await ui.nodeAt(point)) < 0) break;
    await ui.pointAt(point);
    const lines = await ui.highlightedLines();
    for (const line of lines) seen.add(line);
    await expect(ui.part('tooltip')).toBeVisible();
    expect(await ui.isMarked()).toBe(true);
    expect(await ui.isMarked('memory')).toBe(true);
  }
  expect([...seen].some((line) => line.startsWith('model.py:'))).toBe(true);
  const conv = `model.py:${project.lineOf('model.py', 'x = self.conv(x)')}`;
  expect([...seen]).toContain(conv);
  await expect(ui.part('announcer')).toContainText('of the step');
  await ui.picture('hover-node');
  await ui.page.mouse.move(5, 5);
  await expect(ui.part('tooltip')).toHaveCount(0);
  expect(await ui.isMarked()).toBe(false);
});

test('a line under the pointer lights its nodes', async ({ ui, project }) => {
  await ui.openFileTab('model.py');
  await expect(ui.lines.filter({ hasText: 'x = self.conv(x)' })).toBeVisible();
  await ui.pointAtLine('x = self.conv(x)');
  const line = project.lineOf('model.py', 'x = self.conv(x)');
  expect(await ui.highlightedLines()).toEqual([`model.py:${line}`]);
  // The line in each of the two blocks, and what it calls.
  const nodes = await ui.highlightedNodes();
  expect(nodes.length).toBeGreaterThanOrEqual(4);
  expect(await ui.countBoxes(nodes)).toBeGreaterThanOrEqual(4);
  expect(await ui.isMarked()).toBe(true);
  await expect(ui.part('tooltip')).toContainText(`model.py:${line}`);
  await ui.picture('hover-line');
});

test('a click on a node opens its file at its line', async ({ ui }) => {
  await ui.openFileTab('entry_point.py');
  let target = await ui.pointInRow(1);
  for (let row = 1; row < 9; row += 1) {
    target = await ui.pointInRow(row);
    await ui.pointAt(target);
    if ((await ui.highlightedLines()).some((line) => line.startsWith('model.py:'))) break;
  }
  const [place] = await ui.highlightedLines();
  await ui.page.mouse.click(target.x, target.y);
  await expect.poll(() => ui.openFile()).toBe('model.py');
  const chosen = ui.lines.and(ui.page.locator('.chosen')).first();
  await expect(chosen).toBeInViewport();
  expect(place).toMatch(/^model\.py:\d+$/);
  await ui.picture('click');
});

test('a click zooms, the breadcrumb and Escape lead back', async ({ ui }) => {
  await expect(ui.crumbs).toHaveCount(1);
  const point = await ui.pointInRow(2);
  await ui.page.mouse.click(point.x, point.y);
  await expect.poll(() => ui.crumbs.count()).toBeGreaterThan(1);
  const deep = await ui.crumbs.count();
  await expect(ui.crumbs.last()).toHaveAttribute('aria-current', 'true');
  await ui.picture('zoomed');
  await ui.part('icicle-time').focus();
  await ui.page.keyboard.press('Escape');
  await expect(ui.crumbs).toHaveCount(deep - 1);
  await ui.crumbs.first().click();
  await expect(ui.crumbs).toHaveCount(1);
});

test('search says what share the matches have, and filters the table', async ({ ui }) => {
  await ui.part('search').fill('block.forward');
  await expect(ui.part('search-share')).toContainText(/[1-9]\d* found: [\d.]+ % of time/);
  await ui.picture('search');
  await ui.part('tab-table').click();
  await expect(ui.part('search')).toHaveValue('block.forward');
  await expect(ui.rows.first()).toBeVisible();
  for (const text of await ui.rows.locator('th').allTextContents()) {
    expect(text).toContain('Block.forward');
  }
  await ui.part('search').fill('nothing has this name');
  await expect(ui.rows).toHaveCount(0);
  await expect(ui.part('table')).toContainText('Nothing is called that.');
  await ui.part('search').press('Escape');
  await expect(ui.part('search')).toHaveValue('');
  await expect(ui.rows.first()).toBeVisible();
});

test('the tree is by code or by module, the code by time or memory', async ({ ui }) => {
  await ui.openFileTab('model.py');
  await expect(ui.part('choose-code')).toHaveAttribute('aria-pressed', 'true');
  await ui.part('choose-module').click();
  await expect(ui.part('choose-module')).toHaveAttribute('aria-pressed', 'true');
  await ui.pointAt(await ui.pointInRow(2));
  await expect(ui.part('tooltip')).toContainText(/blocks|head|stem/);
  await ui.picture('by-module');
  await ui.part('tab-table').click();
  await expect(ui.rows.filter({ hasText: 'blocks.0.conv' })).toContainText('Conv2d');
  const costs = ui.part('code').locator('.cm-costs .text');
  await expect(costs.filter({ hasText: /ms/ }).first()).toBeVisible();
  await ui.part('choose-memory').click();
  await expect(costs.filter({ hasText: /[KM]iB|B/ }).first()).toBeVisible();
  await expect(costs.filter({ hasText: /ms/ })).toHaveCount(0);
  await ui.picture('by-memory');
  await ui.part('choose-time').click();
  await ui.part('choose-code').click();
  await expect(ui.rows.filter({ hasText: 'entry_point.py' }).first()).toBeVisible();
});

test('the table sorts by any column, both ways', async ({ ui }) => {
  await ui.part('tab-table').click();
  const header = (column: string) => ui.part(`sort-${column}`).locator('..');
  const amounts = async (column: number) =>
    (await ui.rows.locator(`td:nth-of-type(${column})`).allTextContents()).map(amountOf);
  await expect(header('time')).toHaveAttribute('aria-sort', 'descending');
  const columns = ['time', 'self', 'forward', 'backward', 'python', 'calls', 'memory', 'allocated'];
  for (const [i, column] of columns.entries()) {
    if (column !== 'time') await ui.part(`sort-${column}`).click();
    await expect(header(column)).toHaveAttribute('aria-sort', 'descending');
    const falling = await amounts(i + 2);
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    await ui.part(`sort-${column}`).click();
    await expect(header(column)).toHaveAttribute('aria-sort', 'ascending');
    const rising = await amounts(i + 2);
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
  }
  await ui.pictures('table');
});

test('a row of the table lights its line and opens it', async ({ ui, project }) => {
  await ui.openFileTab('entry_point.py');
  await ui.part('tab-table').click();
  const line = project.lineOf('model.py', 'x = self.norm(x)');
  const row = ui.rows.filter({ hasText: `model.py:${line} ` });
  await row.hover();
  expect(await ui.highlightedLines()).toEqual([`model.py:${line}`]);
  await row.getByRole('button').click();
  await expect.poll(() => ui.openFile()).toBe('model.py');
  await expect(ui.lines.and(ui.page.locator('.chosen'))).toContainText('self.norm(x)');
});

function amountOf(text: string): number {
  const units: Record<string, number> = { s: 1000, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
  const [, number, unit] = /^<?([\d.\u2009]+)\s*(\S*)$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new Error(`no amount: ${text}`);
  const value = Number(number.replaceAll('\u2009', '')) * (units[unit ?? ''] ?? 1);
  return text.trim().startsWith('<') ? value / 2 : value;
}
