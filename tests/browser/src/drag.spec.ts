import * as path from 'node:path';
import { BatchModels, withBatchSizes } from './batch_models';
import { expect, test as base } from './fixtures';
import type { BarPoint, Screen } from './screen';

const MEASURED = 16;
const LARGEST = 412;

const test = base.extend<{ models: BatchModels }>({
  models: async ({ view, project, savedRun }, use) => {
    const run = path.join(project.folder, 'sizes.sightline');
    withBatchSizes(savedRun, run);
    await view('sizes.sightline');
    await use(new BatchModels(run));
  },
});

const near = (shown: number, truth: number) => Math.abs(shown / truth - 1);

/** All that the page shows is what the library says of this batch size. */
async function expectPredicted(ui: Screen, models: BatchModels, size: number): Promise<void> {
  await expect(ui.part('batch-size')).toHaveValue(String(size));
  const truth = models.at(size);
  for (const bar of ['drag-throughput', 'drag-memory']) {
    await expect(ui.part(bar)).toHaveAttribute('aria-valuenow', String(size));
  }
  expect(near(await ui.amount('throughput'), truth.samplesPerSecond)).toBeLessThan(0.006);
  expect(near(await ui.amount('peak-memory'), truth.peakBytes)).toBeLessThan(0.006);
  expect(near(await ui.amount('step-time'), truth.iterationMs)).toBeLessThan(0.006);
  // Two digits after the point are shown.
  const off = (await ui.amount('step-time-interval')) - truth.iterationIntervalMs;
  expect(Math.abs(off)).toBeLessThan(0.006 + 0.03 * truth.iterationIntervalMs);
  const doubt = truth.iterationIntervalMs / truth.iterationMs;
  const ofThroughput = (await ui.amount('throughput-interval')) / (await ui.amount('throughput'));
  expect(near(ofThroughput, doubt)).toBeLessThan(0.05);
  // The breakdown sums to the same.
  expect(near(await ui.amount('icicle-total-time'), truth.iterationMs)).toBeLessThan(0.02);
  expect(near(await ui.amount('icicle-total-memory'), truth.peakBytes)).toBeLessThan(0.02);
  // Three cards and two icicles.
  await expect(ui.part('predicted')).toHaveCount(5);
}

/** The batch size that is shown, which must be the one that the library names for the point, give
 * or take the pixel that the handle was taken hold of beside its middle. */
async function sizeAt(
  ui: Screen,
  { share, pixel }: BarPoint,
  most: number,
  inverse: (wanted: number) => number,
): Promise<number> {
  const size = Number(await ui.part('batch-size').inputValue());
  expect(size).toBeGreaterThanOrEqual(inverse((share - pixel) * most));
  expect(size).toBeLessThanOrEqual(inverse((share + pixel) * most));
  return size;
}

async function expectMeasured(ui: Screen): Promise<void> {
  await expect(ui.part('predicted')).toHaveCount(0);
  await expect(ui.part('batch-size')).toHaveValue(String(MEASURED));
  await expect(ui.part('take-back')).toBeHidden();
}

test('throughput is dragged to the smallest batch that has it', async ({ models, ui }) => {
  await expectMeasured(ui);
  await ui.picture('drag-none');
  const limit = models.limit();
  for (const share of [0.93, 0.6, 0.35]) {
    const point = await ui.dragTo('drag-throughput', share);
    const size = await sizeAt(ui, point, limit, (wanted) => models.forThroughput(wanted));
    await expectPredicted(ui, models, size);
    await ui.picture(`drag-throughput-${100 * share}`);
  }
  // Nothing of it is written in a view.
  await expect(ui.part('apply')).toHaveCount(0);
});

test('memory is dragged to the largest batch that needs no more', async ({ models, ui }) => {
  const capacity = models.capacity();
  for (const share of [0.4, 0.08, 0.5]) {
    const point = await ui.dragTo('drag-memory', share);
    const size = await sizeAt(ui, point, capacity, (wanted) => models.forMemory(wanted));
    await expectPredicted(ui, models, size);
  }
  await ui.picture('drag-memory');
  await ui.picture('docs-drag', 'summary');
  await ui.pointAt(await ui.pointInRow(2));
  await expect(ui.part('tooltip')).toContainText('predicted for a batch of');
  await ui.picture('drag-tooltip');
  await ui.part('tab-table').click();
  await expect(ui.part('as-measured')).toBeVisible();
  await ui.pictures('drag-table');
  await ui.part('take-back').click();
  await expectMeasured(ui);
});

test('a larger batch has no more parameters, gradients and optimizer state', async ({
  models,
  ui,
}) => {
  const held = async () => {
    const all = await ui.part('categories').locator('li').allTextContents();
    return all.filter((text) => /parameters|gradients|optimizer/.test(text)).sort();
  };
  const before = await held();
  expect(before).toHaveLength(3);
  const activations = ui.part('categories').locator('li').filter({ hasText: 'activations' });
  const measured = await activations.textContent();
  await ui.part('batch-size').fill('200');
  await expectPredicted(ui, models, 200);
  expect(await held()).toEqual(before);
  await expect(activations).not.toHaveText(measured!);
});

test('beyond the largest batch the bars resist and say why', async ({ models, ui }) => {
  const why = `more than ${LARGEST} does not fit into 721 MiB`;
  await ui.dragTo('drag-memory', 0.97);
  await expect(ui.part('drag-message')).toHaveText(why);
  await expectPredicted(ui, models, LARGEST);
  await ui.picture('drag-resists');
  await ui.dragTo('drag-throughput', 0.5);
  await expect(ui.part('drag-message')).not.toHaveText(why);
  await ui.dragTo('drag-throughput', 1.2);
  await expect(ui.part('drag-message')).toHaveText(why);
  await expect(ui.part('batch-size')).toHaveValue(String(LARGEST));
  await ui.dragTo('drag-memory', 0);
  await expect(ui.part('drag-message')).toContainText('a batch of 1 needs');
  await expect(ui.part('batch-size')).toHaveValue('1');
});

test('keys lead from batch to batch, and Escape takes them back', async ({ models, ui }) => {
  const { keyboard } = ui.page;
  for (const bar of ['drag-throughput', 'drag-memory']) {
    await ui.part(bar).focus();
    const steps: [string, number][] = [
      ['ArrowRight', 17],
      ['ArrowUp', 18],
      ['ArrowLeft', 17],
      ['PageUp', 34],
      ['PageDown', 17],
      ['Home', 1],
      ['ArrowDown', 1],
      ['End', LARGEST],
      ['ArrowRight', LARGEST],
    ];
    for (const [key, size] of steps) {
      await keyboard.press(key);
      await expect(ui.part(bar)).toHaveAttribute('aria-valuenow', String(size));
    }
    await expect(ui.part('drag-message')).toContainText('does not fit');
    await expect(ui.part(bar)).toHaveAttribute('aria-valuetext', /predicted, batch size 412$/);
    await keyboard.press('ArrowLeft');
    await expectPredicted(ui, models, LARGEST - 1);
    await keyboard.press('Escape');
    await expectMeasured(ui);
  }
});

test('a batch size can be typed', async ({ models, ui }) => {
  const input = ui.part('batch-size');
  await input.fill('100');
  await expectPredicted(ui, models, 100);
  await input.press('ArrowUp');
  await expectPredicted(ui, models, 101);
  await input.fill('a few');
  await expect(input).toHaveAttribute('aria-invalid', 'true');
  await expect(ui.part('drag-message')).toHaveText(
    `a batch size is a whole number from 1 to ${LARGEST}`,
  );
  await ui.picture('drag-mistyped');
  await input.fill('5000');
  await expect(ui.part('drag-message')).toContainText('does not fit');
  await input.press('Enter');
  await expect(input).toHaveValue(String(LARGEST));
  await input.press('Escape');
  await expectMeasured(ui);
  await input.fill(String(MEASURED));
  await expectMeasured(ui);
});

test('a press beside the handle brings it there, one on it does nothing', async ({
  ui,
  models,
}) => {
  const handle = (await ui.part('drag-memory').locator('.handle').boundingBox())!;
  await ui.page.mouse.click(handle.x + 3, handle.y + 5);
  await expectMeasured(ui);
  const onMemory = await ui.pointOnBar('drag-memory', 0.3);
  await ui.page.mouse.click(onMemory.x, onMemory.y);
  await expectPredicted(ui, models, models.forMemory(onMemory.share * models.capacity()));
  const onThroughput = await ui.pointOnBar('drag-throughput', 0.8);
  await ui.page.mouse.click(onThroughput.x, onThroughput.y);
  await expectPredicted(ui, models, models.forThroughput(onThroughput.share * models.limit()));
});

test('Escape ends a drag while it goes on, and elsewhere on the page', async ({ models, ui }) => {
  const point = await ui.pointOnBar('drag-memory', 0.3);
  await ui.page.mouse.move(point.x, point.y);
  await ui.page.mouse.down();
  await expect(ui.part('take-back')).toBeVisible();
  await ui.page.keyboard.press('Escape');
  await expectMeasured(ui);
  await ui.page.mouse.up();
  await ui.part('batch-size').fill('50');
  await ui.part('search').focus();
  await ui.page.keyboard.press('Escape');
  await expectPredicted(ui, models, 50);
  await ui.part('icicle-time').focus();
  await ui.page.keyboard.press('Escape');
  await expectMeasured(ui);
});

test('a finding about a larger batch shows it', async ({ models, ui }) => {
  await ui.part('tab-findings').click();
  await ui.picture('drag-finding');
  await ui.part('propose').click();
  await expect(ui.part('drag-throughput')).toBeFocused();
  await ui.part('tab-breakdown').click();
  await expectPredicted(ui, models, 64);
});

test('another run ends the drag', async ({ view, ui, project, savedRun }) => {
  withBatchSizes(savedRun, path.join(project.folder, 'sizes.sightline'));
  await view('sizes.sightline', savedRun);
  await ui.part('tab-breakdown').click();
  await ui.part('batch-size').fill('50');
  await expect(ui.part('predicted')).toHaveCount(5);
  await ui.part('runs').selectOption('1');
  await expect(ui.part('drag-message')).toContainText('this run has no measurements');
  await expectMeasured(ui);
  await expect(ui.part('batch-size')).toBeDisabled();
  await expect(ui.part('drag-memory')).toHaveAttribute('aria-disabled', 'true');
  const point = await ui.pointOnBar('drag-memory', 0.5);
  await ui.page.mouse.click(point.x, point.y);
  await ui.part('drag-memory').press('ArrowRight');
  await expectMeasured(ui);
  await ui.picture('drag-disabled');
});

test('nothing on the page moves when a drag begins or resists', async ({ models, ui }) => {
  void models;
  const places = () =>
    ui.page.evaluate(() =>
      [
        'drag-throughput',
        'drag-memory',
        'batch-size',
        'icicle-time',
        'icicle-memory',
        'phases',
      ].map((id) => {
        const box = document.querySelector(`[data-testid="${id}"]`)!.getBoundingClientRect();
        return [id, box.x, box.y, box.width, box.height];
      }),
    );
  const before = await places();
  await ui.part('batch-size').fill('300');
  await expect(ui.part('predicted')).toHaveCount(5);
  expect(await places()).toEqual(before);
  await ui.part('batch-size').fill('9999');
  await expect(ui.part('drag-message')).toContainText('does not fit');
  expect(await places()).toEqual(before);
});

test.describe(() => {
  test.use({ colorScheme: 'dark' });

  test('a drag in the dark', async ({ models, ui }) => {
    void models;
    await ui.dragTo('drag-throughput', 0.9);
    await ui.pointAt(await ui.pointInRow(2));
    await ui.picture('drag-dark');
  });
});

test.describe(() => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a finger drags, and the page does not scroll with it', async ({ models, ui }) => {
    await ui.picture('drag-phone-none');
    const from = await ui.pointOnBar('drag-memory', 0.03);
    const to = await ui.pointOnBar('drag-memory', 0.45);
    const client = await ui.page.context().newCDPSession(ui.page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: to.y }],
      });
    await touch('touchStart', from.x);
    for (let step = 1; step <= 5; step += 1) {
      await touch('touchMove', from.x + ((to.x - from.x) * step) / 5);
    }
    await touch('touchEnd');
    await expect(ui.part('predicted')).toHaveCount(5);
    const size = Number(await ui.part('batch-size').inputValue());
    const truth = models.forMemory(to.share * models.capacity());
    // The finger may have taken hold a little beside the middle of the handle.
    expect(Math.abs(size - truth)).toBeLessThan(60);
    expect(await ui.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await ui.picture('drag-phone');
  });
});
