import { expect, test } from './fixtures';
import { TimelineScreen } from './timeline_screen';

const CONV = 'x = self.conv(x)';

test.describe('one sampled step', () => {
  test.beforeEach(async ({ view, ui, savedRun }) => {
    await view(savedRun);
    await new TimelineScreen(ui).open();
  });

  test('the wheel zooms at the pointer and pans, a double click shows all', async ({ ui }) => {
    const timeline = new TimelineScreen(ui);
    await ui.picture('timeline');
    const whole = await timeline.span();
    const middle = await timeline.middle('timeline-tracks');
    const at = { x: middle.x + 80, y: middle.y };
    await timeline.wheel(at, -300, 'Control');
    await expect.poll(() => timeline.length()).toBeLessThan(0.6 * (whole.end - whole.start));
    const near = await timeline.span();
    const box = (await ui.part('timeline-tracks').boundingBox())!;
    const share = (at.x - box.x) / box.width;
    const timeAt = ({ start, end }: typeof near) => start + share * (end - start);
    expect(Math.abs(timeAt(near) - timeAt(whole))).toBeLessThan(0.01 * (whole.end - whole.start));
    await timeline.wheel(at, 120, 'Shift');
    await expect.poll(async () => (await timeline.span()).start).toBeGreaterThan(near.start);
    expect(await timeline.length()).toBeCloseTo(near.end - near.start, -1);
    await ui.picture('timeline-zoomed');
    await timeline.wheel(at, 300, 'Control');
    await expect.poll(() => timeline.length()).toBeGreaterThan(1.2 * (near.end - near.start));
    await ui.page.mouse.dblclick(middle.x, box.y + box.height - 3);
    await expect.poll(() => timeline.span()).toEqual(whole);
  });

  test('dragging pans and is no click', async ({ ui }) => {
    const timeline = new TimelineScreen(ui);
    await ui.openFileTab('entry_point.py');
    const middle = await timeline.middle('timeline-tracks');
    await timeline.wheel(middle, -600, 'Control');
    const before = await timeline.span();
    const event = await timeline.widest(({ line }) => line.startsWith('model.py:'));
    await ui.page.mouse.move(event.x, event.y);
    await ui.page.mouse.down();
    await ui.page.mouse.move(event.x - 60, event.y, { steps: 5 });
    await ui.page.mouse.up();
    const after = await timeline.span();
    expect(after.start).toBeGreaterThan(before.start);
    expect(after.end - after.start).toBeCloseTo(before.end - before.start, -1);
    expect(await ui.openFile()).toBe('entry_point.py');
  });

  test('W, A, S and D zoom and pan, arrows and Enter reach every line', async ({ ui }) => {
    const timeline = new TimelineScreen(ui);
    const { keyboard } = ui.page;
    const whole = await timeline.span();
    await ui.part('timeline-tracks').focus();
    await keyboard.press('w');
    await keyboard.press('w');
    const near = await timeline.span();
    expect(near.end - near.start).toBeLessThan(0.6 * (whole.end - whole.start));
    await keyboard.press('d');
    expect((await timeline.span()).start).toBeGreaterThan(near.start);
    await keyboard.press('a');
    expect((await timeline.span()).start).toBeCloseTo(near.start, -1);
    await keyboard.press('s');
    expect(await timeline.length()).toBeGreaterThan(near.end - near.start);
    await keyboard.press('Escape');
    expect(await timeline.span()).toEqual(whole);
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await expect(ui.part('timeline-tip')).toBeVisible();
    while ((await ui.highlightedLines()).length === 0) await keyboard.press('ArrowRight');
    const [place] = await ui.highlightedLines();
    await keyboard.press('Enter');
    await expect.poll(async () => place!.startsWith(`${await ui.openFile()}:`)).toBe(true);
  });

  test('forward, backward and the code of a line light up together', async ({ ui, project }) => {
    const timeline = new TimelineScreen(ui);
    await ui.openFileTab('model.py');
    const line = `model.py:${project.lineOf('model.py', CONV)}`;
    const events = (await timeline.events()).filter((event) => event.line === line);
    const phases = new Set(events.map(({ phase }) => phase));
    expect(phases).toEqual(new Set(['forward', 'backward']));
    for (const phase of phases) {
      const event = await timeline.widest((one) => one.line === line && one.phase === phase);
      await ui.pointAt(event);
      await expect.poll(() => timeline.lit()).toEqual([line]);
      expect(await ui.highlightedLines()).toEqual([line]);
      await expect(ui.part('timeline-tip')).toContainText(phase);
      await expect(ui.part('timeline-tip')).toContainText(line);
    }
    await expect(ui.lines.and(ui.page.locator('.lit'))).toContainText(CONV);
    await ui.picture('timeline-hover');
    await ui.pointAtLine(CONV);
    await expect.poll(() => timeline.lit()).toEqual([line]);
    await ui.picture('timeline-lit-by-line');
    await ui.page.mouse.move(5, 5);
    await expect.poll(() => timeline.lit()).toEqual([]);
  });

  test('a click jumps to the line', async ({ ui, project }) => {
    const timeline = new TimelineScreen(ui);
    await ui.openFileTab('entry_point.py');
    const line = `model.py:${project.lineOf('model.py', CONV)}`;
    const event = await timeline.widest((one) => one.line === line);
    await ui.page.mouse.click(event.x, event.y);
    await expect.poll(() => ui.openFile()).toBe('model.py');
    await expect(ui.lines.and(ui.page.locator('.chosen')).first()).toContainText(CONV);
  });

  test('search, colours and the step can be chosen', async ({ ui }) => {
    const timeline = new TimelineScreen(ui);
    await ui.part('search').fill('conv');
    await expect(ui.part('timeline-found')).toContainText(/[1-9]\d* found/);
    await ui.picture('timeline-search');
    await ui.part('search').press('Enter');
    await expect.poll(() => ui.openFile()).toBe('model.py');
    await ui.part('search').press('Escape');
    await expect(ui.part('timeline-found')).toContainText('events');
    await ui.part('choose-module').click();
    await expect(ui.part('choose-module')).toHaveAttribute('aria-pressed', 'true');
    await ui.picture('timeline-by-module');
    const steps = ui.part('timeline-step');
    const shown = await steps.inputValue();
    const [other] = (await steps.locator('option').allTextContents()).filter((s) => s !== shown);
    const before = await timeline.span();
    const answer = ui.page.waitForResponse((response) =>
      response.url().includes(`api/timeline?run=0&step=${other}`),
    );
    await steps.selectOption(other!);
    expect((await answer).ok()).toBe(true);
    await expect.poll(() => timeline.span()).not.toEqual(before);
    await expect(steps).toHaveValue(other!);
  });

  test('the memory of a moment has categories and lines, and a way to the code', async ({ ui }) => {
    const timeline = new TimelineScreen(ui);
    await ui.openFileTab('entry_point.py');
    const middle = await timeline.middle('timeline-memory');
    await ui.pointAt(middle);
    const tip = ui.part('timeline-tip');
    await expect(tip).toContainText(/[KM]iB alive at [\d.]+ ms/);
    await expect(tip).toContainText('activations');
    await expect(tip).toContainText('parameters');
    await expect(tip).toContainText(/(model|entry_point)\.py:\d+/);
    await ui.picture('timeline-memory');
    const [place] = await ui.highlightedLines();
    expect(place).toMatch(/\.py:\d+$/);
    await ui.page.mouse.click(middle.x, middle.y);
    await expect.poll(async () => place!.startsWith(`${await ui.openFile()}:`)).toBe(true);
    await expect(ui.lines.and(ui.page.locator('.chosen')).first()).toBeVisible();
  });
});

test('a session shows the steps of its newest result', async ({ interactive, ui, project }) => {
  await interactive();
  await ui.expectDone();
  const timeline = new TimelineScreen(ui);
  await timeline.open();
  const before = await timeline.count();
  project.edit('model.py', 'BLOCKS = 2', 'BLOCKS = 5');
  await ui.expectDone(ui.analysis);
  await expect.poll(() => timeline.count()).toBeGreaterThan(before);
});

test.describe(() => {
  test.use({ colorScheme: 'dark' });

  test('the timeline is dark where the system is', async ({ view, ui, savedRun }) => {
    await view(savedRun);
    const timeline = new TimelineScreen(ui);
    await timeline.open();
    await ui.pointAt(await timeline.widest(({ phase }) => phase === 'backward'));
    await ui.picture('timeline-dark');
    await ui.part('choose-module').click();
    await ui.pointAt(await timeline.middle('timeline-memory'));
    await ui.picture('timeline-dark-memory');
  });
});

test.describe(() => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('on a phone the first touch tells, the second jumps', async ({ view, ui, savedRun }) => {
    await view(savedRun);
    await ui.part('tab-timeline').tap();
    const timeline = new TimelineScreen(ui);
    await expect.poll(() => timeline.count()).toBeGreaterThan(10);
    const wide = await ui.page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    const event = await timeline.widest(({ line }) => line.startsWith('model.py:'));
    await ui.page.touchscreen.tap(event.x, event.y);
    await expect(ui.part('timeline-tip')).toBeVisible();
    await ui.picture('phone-timeline');
    await ui.page.touchscreen.tap(event.x, event.y);
    await expect(ui.part('tab-code')).toHaveAttribute('aria-selected', 'true');
    await expect.poll(() => ui.openFile()).toBe('model.py');
  });
});
