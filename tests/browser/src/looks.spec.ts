import * as path from 'node:path';
import { withBatchSizes } from './batch_models';
import { expect, test } from './fixtures';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`the page is ${colorScheme} where the system is`, async ({ view, ui, savedRun }) => {
      await view(savedRun);
      await ui.openFileTab('model.py');
      await ui.pointAt(await ui.pointInRow(3));
      const brightness = (element: string) =>
        ui.page.locator(element).evaluate((found) => {
          const [r = 0, g = 0, b = 0] = getComputedStyle(found)
            .backgroundColor.match(/[\d.]+/g)!
            .map(Number);
          return (r + g + b) / 3;
        });
      if (colorScheme === 'dark') expect(await brightness('body')).toBeLessThan(80);
      else expect(await brightness('body')).toBeGreaterThan(200);
      await ui.picture(colorScheme);
    });
  });
}

test.describe(() => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('on a phone the parts stand behind tabs and nothing sticks out', async ({
    view,
    ui,
    savedRun,
  }) => {
    await view(savedRun);
    for (const tab of ['breakdown', 'table', 'code', 'findings', 'run']) {
      await ui.part(`tab-${tab}`).tap();
      await expect(ui.part(`tab-${tab}`)).toHaveAttribute('aria-selected', 'true');
      const wide = await ui.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      await ui.picture(`phone-${tab}`);
    }
    await ui.part('tab-code').tap();
    await expect(ui.lines.first()).toBeVisible();
    await expect(ui.part('icicle-time')).toBeHidden();
  });
});

test('all can be done by keyboard', async ({ view, ui, savedRun, project }) => {
  await view(savedRun);
  const { keyboard } = ui.page;
  const focusIsOn = (testid: string) =>
    ui.page.evaluate(
      (id) => document.activeElement?.closest(`[data-testid="${id}"]`) !== null,
      testid,
    );
  const tabTo = async (testid: string) => {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await focusIsOn(testid)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${testid}`);
  };

  await tabTo('icicle-time');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await expect(ui.part('tooltip')).toBeVisible();
  expect(await ui.isMarked()).toBe(true);
  await ui.picture('keyboard-icicle');
  await keyboard.press('Enter');
  await expect.poll(() => ui.crumbs.count()).toBeGreaterThan(1);
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await expect(ui.crumbs).toHaveCount(1);

  await keyboard.press('/');
  expect(await focusIsOn('search')).toBe(true);
  await keyboard.type('conv');
  await expect(ui.part('search-share')).toContainText('found');
  await keyboard.press('Escape');
  await expect(ui.part('search-share')).not.toContainText('found');

  await ui.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await tabTo('tab-breakdown');
  await keyboard.press('ArrowRight');
  await expect(ui.part('tab-table')).toHaveAttribute('aria-selected', 'true');
  await expect(ui.part('tab-table')).toBeFocused();
  await tabTo('sort-calls');
  await keyboard.press('Enter');
  await expect(ui.part('sort-calls').locator('..')).toHaveAttribute('aria-sort', 'descending');
  await tabTo('table');
  while (!(await ui.page.evaluate(() => document.activeElement?.closest('tbody') !== null))) {
    await keyboard.press('Tab');
  }
  expect(await ui.highlightedLines()).toHaveLength(1);
  const [place] = await ui.highlightedLines();
  await keyboard.press('Enter');
  await expect.poll(async () => place!.startsWith(`${await ui.openFile()}:`)).toBe(true);

  await ui.part('code').locator('.cm-content').focus();
  await keyboard.press('ArrowDown');
  expect(await ui.highlightedLines()).toHaveLength(1);
  const [first] = await ui.highlightedLines();
  await keyboard.press('ArrowDown');
  expect(await ui.highlightedLines()).not.toEqual([first]);
  await ui.picture('keyboard-code');
  void project;
});

test.describe(() => {
  test.use({ firstVisit: true });

  test('a first visit has hints, which stay away once they were dismissed', async ({
    view,
    ui,
    project,
    savedRun,
  }) => {
    withBatchSizes(savedRun, path.join(project.folder, 'sizes.sightline'));
    await view('sizes.sightline');
    const guide = ui.part('guide');
    for (const title of ['Your code', 'Where the step goes', 'at a glance', 'And more']) {
      await expect(guide).toContainText(title);
      await ui.pictures(`guide-${title.split(' ')[0]!.toLowerCase()}`);
      if (title === 'at a glance') await ui.picture('docs-hints');
      await ui.part('guide-next').click();
    }
    await expect(guide).toHaveCount(0);
    await ui.page.reload();
    await expect(ui.part('icicle-time')).toBeVisible();
    await expect(guide).toHaveCount(0);

    await ui.page.evaluate(() => localStorage.clear());
    await ui.page.reload();
    await expect(guide).toBeVisible();
    await ui.page.keyboard.press('Escape');
    await expect(guide).toHaveCount(0);
    await ui.page.reload();
    await expect(ui.part('icicle-time')).toBeVisible();
    await expect(guide).toHaveCount(0);
  });
});
