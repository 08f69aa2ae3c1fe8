import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from './fixtures';
import { resnet18, writeMeasurement, type Made, type Measured } from './measured';
import { run } from './program';
import type { Project } from './project';
import type { Screen } from './screen';

const SCRIPT = '</script><script>hit("script")</script>';
const IMAGE = '<img src=x onerror=hit("image")>';
// What others say of ResNet-18 for one image.
const MACS = 1_814_073_344;
const PARAMETERS = 11_689_512;

const layerRows = (ui: Screen) => ui.part('layer-table').locator('tbody tr');
const rowOf = (ui: Screen, name: string) =>
  layerRows(ui).filter({ has: ui.page.locator(`th[title^="${name} "]`) });

function fileOf(project: Project, savedRun: string, name: string, measured: Measured): string {
  const file = path.join(project.folder, name);
  writeMeasurement(savedRun, file, measured);
  return file;
}

const made = (project: Project, savedRun: string, name: string, options: Made = {}) =>
  fileOf(project, savedRun, name, resnet18(options));

async function open(ui: Screen, address: string, part = 'layer-table'): Promise<void> {
  await ui.page.goto(address);
  await expect(ui.part(part)).toBeVisible();
}

test('a measurement is shown with its figures, for people and exactly', async ({
  serve,
  ui,
  project,
  savedRun,
}) => {
  made(project, savedRun, 'one.sightline', { batch: 1 });
  const { address } = await serve('view', 'one.sightline');
  await open(ui, address);
  await expect(ui.part('measured-model')).toHaveText('resnet18.py');
  await expect(ui.part('card-parameters')).toHaveText('11.7 M');
  await expect(ui.part('card-macs')).toHaveText('1.81 GMAC');
  const digits = (value: number) => value.toLocaleString('en').replaceAll(',', '\u2009');
  await expect(ui.part('card-macs')).toHaveAttribute('title', `${digits(MACS)} MAC`);
  await expect(ui.part('card-parameters')).toHaveAttribute(
    'title',
    `${digits(PARAMETERS)} elements`,
  );
  await expect(ui.part('memory-weights')).toHaveText('44.6 MiB');
  await expect(ui.part('uncounted-note')).toHaveText(
    '2 operators are not counted: at least 2.1 % of the time',
  );
  await ui.part('tab-figures').click();
  await expect(ui.part('figure-macs-backward')).toContainText(digits(2 * MACS));
  await ui.part('uncounted-note').click();
  await expect(ui.part('uncounted')).toContainText('vision::nms_kernel');
  await expect(ui.part('uncounted')).toContainText('not known');
  await ui.picture('measurement-uncounted');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`layers are explored by mouse, ${colorScheme}`, async ({
      serve,
      ui,
      project,
      savedRun,
    }) => {
      made(project, savedRun, 'resnet18.sightline');
      const { address } = await serve('view', 'resnet18.sightline');
      await open(ui, address);
      const body = await ui.page
        .locator('body')
        .evaluate((found) => getComputedStyle(found).backgroundColor);
      expect(body).toBe(colorScheme === 'dark' ? 'rgb(15, 19, 25)' : 'rgb(238, 241, 245)');
      await ui.picture(colorScheme === 'light' ? 'docs-measurement' : 'measurement-dark');
      await expect(ui.part('layers-total')).toHaveText('14.5 GMAC');

      const icicle = (await ui.part('icicle-layers').boundingBox())!;
      await ui.pointAt({ x: icicle.x + 20, y: icicle.y + 21 + 10 });
      await expect(ui.part('layer-tip')).toContainText('layer1');
      await ui.picture(`measurement-tip-${colorScheme}`);
      const before = await ui.part('layer-table').boundingBox();
      await ui.page.mouse.click(icicle.x + 20, icicle.y + 21 + 10);
      await expect(ui.crumbs).toHaveCount(2);
      expect(await ui.part('layer-table').boundingBox()).toEqual(before);
      await ui.crumbs.first().click();

      await ui.part('choose-parameters').click();
      await expect(ui.part('layers-total')).toHaveText('11.7 M');
      await expect(rowOf(ui, 'fc').locator('.percent')).toHaveText('4.4 %');
      await ui.part('choose-time').click();
      await expect(ui.part('layers-total')).toContainText('ms');
      await ui.page.mouse.move(2, 2);
      await ui.picture(`measurement-time-${colorScheme}`);
      await ui.part('choose-macs').click();
      await ui.part('choose-backward').click();
      await expect(ui.part('layers-total')).toHaveText('29.0 GMAC');

      await ui.part('search').fill('downsample.0');
      await expect(ui.part('layers-found')).toHaveText('3 found');
      await expect(layerRows(ui)).toHaveCount(1 + 3 * 4);
      await ui.picture(`measurement-search-${colorScheme}`);
    });
  });
}

test('the table is a tree that is sorted, opened and closed', async ({
  serve,
  ui,
  project,
  savedRun,
}) => {
  made(project, savedRun, 'resnet18.sightline');
  const { address } = await serve('view', 'resnet18.sightline');
  await open(ui, address);
  const levels = () => layerRows(ui).evaluateAll((rows) => rows.map((row) => row.ariaLevel));
  const all = await layerRows(ui).count();
  await rowOf(ui, 'layer1').locator('.twist').first().click();
  await expect(rowOf(ui, 'layer1')).toHaveAttribute('aria-expanded', 'false');
  expect(await layerRows(ui).count()).toBeLessThan(all);
  await ui.part('sort-parameters').click();
  await expect(ui.part('sort-parameters').locator('..')).toHaveAttribute('aria-sort', 'descending');
  const children = (await levels()).flatMap((level, i) => (level === '2' ? [i] : []));
  const names = await layerRows(ui)
    .locator('th')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')!.split(' ')[0]));
  expect(children.slice(0, 4).map((i) => names[i])).toEqual(['layer4', 'layer3', 'layer2', 'fc']);
});

test('a measurement can be read by keyboard alone', async ({ serve, ui, project, savedRun }) => {
  made(project, savedRun, 'resnet18.sightline');
  const { address } = await serve('view', 'resnet18.sightline');
  await open(ui, address);
  const { keyboard } = ui.page;
  await ui.part('icicle-layers').focus();
  await keyboard.press('ArrowDown');
  await expect(ui.part('layer-tip')).toBeVisible();
  await expect(ui.part('announcer')).toContainText('GMAC');
  await keyboard.press('Enter');
  await expect(ui.crumbs).toHaveCount(2);
  await keyboard.press('Escape');
  await expect(ui.crumbs).toHaveCount(1);

  await rowOf(ui, 'ResNet').focus();
  await keyboard.press('ArrowDown');
  await expect(rowOf(ui, 'conv1')).toBeFocused();
  await keyboard.press('End');
  await expect(rowOf(ui, 'fc')).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(rowOf(ui, 'ResNet')).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(layerRows(ui)).toHaveCount(1);
  await keyboard.press('ArrowRight');
  await expect(rowOf(ui, 'layer1')).toBeVisible();
  await keyboard.press('/');
  await keyboard.type('layer4.1.conv2');
  await expect(ui.part('layers-found')).toHaveText('1 found');
  await keyboard.press('Enter');
  await expect(rowOf(ui, 'layer4.1.conv2')).toHaveAttribute('aria-selected', 'true');
  await ui.picture('measurement-keyboard');
});

test('two measurements are compared by figure and by layer', async ({
  serve,
  ui,
  project,
  savedRun,
}) => {
  made(project, savedRun, 'before.sightline');
  made(project, savedRun, 'after.sightline', { width: 384, speed: 0.8, seed: 2 });
  const { address } = await serve('view', 'before.sightline', 'after.sightline');
  await open(ui, address, 'metric-changes');
  await expect(ui.part('change-parameters')).toContainText('better');
  await expect(ui.part('change-execution_time')).toContainText('better');
  const layers = ui.part('layer-changes').locator('tbody tr');
  await expect(layers.first()).toContainText('layer4');
  await expect(ui.part('layer-changes-rest')).toContainText('layers are the same');
  await ui.picture('measurement-compared');
  await ui.part('measured-before').selectOption('1');
  await expect(ui.part('measured-after')).toHaveValue('0');
  await expect(ui.part('change-parameters')).toContainText('worse');
  await ui.part('tab-layers').click();
  await expect(ui.part('card-parameters')).toHaveText('11.7 M');
  await ui.part('runs').selectOption('1');
  await expect(ui.part('card-parameters')).not.toHaveText('11.7 M');
});

test('a run with steps and a measurement are shown each in its way', async ({
  serve,
  ui,
  project,
  savedRun,
}) => {
  made(project, savedRun, 'measured.sightline');
  fs.copyFileSync(savedRun, path.join(project.folder, 'steps.sightline'));
  const { address } = await serve('view', 'measured.sightline', 'steps.sightline');
  await open(ui, address);
  await ui.part('runs').selectOption('1');
  await expect(ui.part('icicle-time')).toBeVisible();
  await expect(ui.part('tab-runs')).toHaveCount(0);
  await ui.part('runs').selectOption('0');
  await expect(ui.part('layer-table')).toBeVisible();
});

test.describe(() => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('on a phone a measurement fits', async ({ serve, ui, project, savedRun }) => {
    made(project, savedRun, 'before.sightline');
    made(project, savedRun, 'after.sightline', { width: 384, seed: 2 });
    const { address } = await serve('view', 'before.sightline', 'after.sightline');
    await open(ui, address, 'metric-changes');
    for (const tab of ['comparison', 'layers', 'uncounted', 'figures']) {
      await ui.part(`tab-${tab}`).tap();
      const wide = await ui.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      await ui.picture(`measurement-phone-${tab}`);
    }
  });
});

function hostileMeasurement(): Measured {
  const name = `${SCRIPT}${IMAGE}<!--\u2028\u202e`;
  const measured = resnet18();
  return {
    ...measured,
    model: name,
    inputs: name,
    layers: measured.layers.map((layer) => ({
      ...layer,
      path: layer.path && `${name}.${layer.path}`,
      type: name + layer.type,
      file: name,
      inputs: name,
      outputs: name,
    })),
    uncounted: [{ name, calls: 1, time_share: 0.1 }],
  };
}

test('names of a measurement are text', async ({ serve, ui, project, savedRun }) => {
  fileOf(project, savedRun, 'hostile.sightline', hostileMeasurement());
  fileOf(project, savedRun, `${IMAGE}.sightline`, resnet18());
  const { address } = await serve('view', 'hostile.sightline', `${IMAGE}.sightline`);
  await open(ui, address, 'metric-changes');
  await expect(ui.part('layer-changes')).toContainText(IMAGE);
  await ui.part('tab-uncounted').click();
  await expect(ui.part('uncounted')).toContainText(`${SCRIPT}${IMAGE}<!--\\u2028\\u202e`);
  await ui.part('tab-layers').click();
  const icicle = (await ui.part('icicle-layers').boundingBox())!;
  await ui.pointAt({ x: icicle.x + 20, y: icicle.y + 31 });
  await expect(ui.part('layer-tip')).toContainText(IMAGE);
  expect(await ui.page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  await ui.picture('measurement-hostile');
  await expect(ui.page.locator('img[src], script:not([src], #sightline-greeting)')).toHaveCount(0);
});

test('a page that is one file shows a measurement from disk', async ({
  ui,
  folder,
  project,
  savedRun,
}) => {
  const saved = fileOf(project, savedRun, 'hostile.sightline', hostileMeasurement());
  const whole = made(project, savedRun, 'resnet18.sightline');
  const requests: string[] = [];
  ui.page.on('request', (request) => requests.push(request.url()));
  for (const [file, name] of [
    [whole, 'resnet18.py'],
    [saved, IMAGE],
  ]) {
    const page = path.join(folder, `${path.basename(file!)}.html`);
    await run(folder, 'report', file!, '--html', page);
    await open(ui, pathToFileURL(page).href);
    await expect(ui.part('measured-model')).toContainText(name!);
    await ui.part('tab-figures').click();
    await expect(ui.part('figure-parameters')).toContainText('11.7 M');
    await expect(ui.page.locator('script')).toHaveCount(2);
    await expect(ui.page.locator('img[src]')).toHaveCount(0);
  }
  expect(requests.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
  expect(ui.messages).toEqual([]);
  await ui.picture('measurement-one-file');
});
