import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from './fixtures';
import { run, start } from './program';
import type { Project } from './project';
import type { Screen } from './screen';
import { grow, supervise, type MadePoint, type MadeSeries, type MadeTraining } from './supervised';

const SCRIPT = '<script>hit("script")</script>';
const MODULES = ['stem', 'blocks.0.conv', 'blocks.1.conv', 'head'];

/** A few frames, on a machine that does other things too. */
const SLOWEST_CHART_MS = 100;

const pointsOf = (count: number, value: (step: number) => number): MadePoint[] =>
  Array.from({ length: count }, (_, step) => [step, value(step)]);

/** Of each module a gradient that falls, less in the first than in the last, and weights. */
function seriesOf(steps: number, factor = 1): MadeSeries[] {
  return MODULES.flatMap((module, at) => [
    {
      module,
      topic: 'weight_gradients',
      statistic: 'l2',
      points: pointsOf(
        steps,
        (step) => factor * 10 ** (at - 4) * (1 + Math.exp(-step / 50) + 0.2 * Math.sin(step * 0.7)),
      ),
    },
    {
      module,
      topic: 'weights',
      statistic: 'absmax',
      points: pointsOf(steps, (step) => at + step / steps),
    },
  ]);
}

function training(project: Project, steps = 200): MadeTraining {
  const series = seriesOf(steps);
  series.push({
    module: '',
    tensor: '',
    topic: 'loss',
    statistic: '',
    points: pointsOf(steps, (step) => (step === 150 ? NaN : 2 - step / steps)),
  });
  return {
    series,
    epochs: [
      [0, 0, 99],
      [1, 100, steps - 1],
    ],
    histograms: [
      {
        module: 'head',
        topic: 'weights',
        kept: Array.from({ length: 20 }, (_, at) => ({
          step: at * 10,
          edges: [-2, -1, 0, 1, 2],
          counts: [1 + at, 10, 10, 21 - at],
        })),
      },
    ],
    verdicts: [
      {
        rule: 'vanishing-gradient',
        step: 120,
        module: 'stem',
        topic: 'weight_gradients',
        file: 'model.py',
        line: project.lineOf('model.py', 'x = self.stem(x)'),
        cause: 'The gradients of stem are a thousandth of those of head.',
        advice: 'Try a residual connection.',
        evidence: { l2: 0.0001, threshold: 0.001 },
      },
    ],
  };
}

function made(project: Project, savedRun: string, name: string, made: MadeTraining): string {
  const file = path.join(project.folder, name);
  fs.copyFileSync(savedRun, file);
  supervise(file, made);
  return file;
}

const charts = (ui: Screen) => ui.part('training-chart');

/** How many colours a canvas has, the one that lies below first. */
function coloursOf(ui: Screen, plot: string): Promise<number> {
  return ui
    .part(plot)
    .first()
    .evaluate((element) => {
      const canvas = element.querySelector('canvas')!;
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext('2d', { willReadFrequently: true })!;
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
}

for (const scheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ colorScheme: scheme });

    test(`a training is shown by module, in ${scheme} colours`, async ({
      view,
      ui,
      project,
      savedRun,
    }) => {
      await view(made(project, savedRun, 'net.sightline', training(project)));
      await ui.part('tab-training').click();
      await expect(charts(ui)).toHaveCount(MODULES.length);
      await expect(charts(ui).nth(1)).toContainText('blocks.0.conv');
      await expect.poll(() => coloursOf(ui, 'training-plot')).toBeGreaterThan(2);
      await expect(ui.part('training-span')).toHaveText('steps 0 to 199');
      await ui.picture(`training-series-${scheme}`);

      await ui.part('training-topic').selectOption('weights');
      await expect(ui.part('training-statistic')).toHaveValue('absmax');
      // The largest weight of head is 3 and the share of the steps that are over.
      await expect(ui.part('training-value').nth(3)).toHaveText('3.995');
      await ui.part('training-topic').selectOption('loss');
      await expect(charts(ui)).toHaveCount(1);

      await ui.part('training-topic').selectOption('weight_gradients');
      await ui.part('choose-log').click();
      await ui.part('tab-overlay').click();
      await expect.poll(() => coloursOf(ui, 'training-overlay')).toBeGreaterThan(4);
      await ui.picture(`training-overlay-${scheme}`);
      await ui.part('tab-heat').click();
      await expect.poll(() => coloursOf(ui, 'training-heat-plot')).toBeGreaterThan(4);
      await ui.picture(`training-heat-${scheme}`);
      await ui.part('tab-histograms').click();
      await expect.poll(() => coloursOf(ui, 'training-histogram-plot')).toBeGreaterThan(4);
      await ui.picture(`training-histograms-${scheme}`);
      await ui.part('tab-modules').click();
      await expect(ui.part('module-health').first()).toHaveText('warning');
      await ui.picture(`training-modules-${scheme}`);
      await ui.part('tab-verdicts').click();
      await expect(ui.part('training-verdicts')).toContainText('a thousandth of those of head');
      await ui.picture(`training-verdicts-${scheme}`);
    });
  });
}

test('a verdict leads to its module and to its line', async ({ view, ui, project, savedRun }) => {
  await view(made(project, savedRun, 'net.sightline', training(project)));
  await ui.part('tab-training').click();
  await expect(ui.part('tab-verdicts')).toContainText('1');
  await ui.part('tab-verdicts').click();
  await expect(ui.part('training-verdicts')).toContainText('threshold 0.001');
  await ui.part('verdict-line').click();
  await expect.poll(() => ui.openFile()).toBe('model.py');
  await expect(ui.lines.filter({ hasText: 'x = self.stem(x)' })).toBeVisible();
  await ui.part('verdict-module').click();
  await expect(charts(ui)).toHaveCount(1);
  await expect(charts(ui)).toContainText('stem');
  await ui.part('training-module').click();
  await expect(charts(ui)).toHaveCount(MODULES.length);
});

test('zoom and pointer are shared, by wheel, buttons and keys', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  await view(made(project, savedRun, 'net.sightline', training(project)));
  await ui.part('tab-training').click();
  await expect(charts(ui)).toHaveCount(MODULES.length);
  const box = (await ui.part('training-plot').first().boundingBox())!;
  await ui.page.mouse.move(box.x + box.width / 2, box.y + 40);
  await expect(ui.part('training-readout')).toContainText(/step (99|100)/);
  await ui.page.keyboard.down('Control');
  await ui.page.mouse.wheel(0, -400);
  await ui.page.keyboard.up('Control');
  await expect(ui.part('training-span')).not.toHaveText('steps 0 to 199');
  const asked = ui.page.waitForRequest(/api\/series.*from=/);
  await ui.page.getByLabel('zoom in').click();
  const query = new URL((await asked).url()).searchParams;
  expect(Number(query.get('to')) - Number(query.get('from'))).toBeLessThan(199);
  const zoomed = await ui.part('training-span').textContent();
  await ui.part('tab-heat').click();
  await expect(ui.part('training-span')).toHaveText(zoomed!);
  await ui.part('training-all-steps').click();
  await expect(ui.part('training-span')).toHaveText('steps 0 to 199');

  await ui.part('training-charts').focus();
  await ui.page.keyboard.press('w');
  await expect(ui.part('training-span')).not.toHaveText('steps 0 to 199');
  await ui.page.keyboard.press('ArrowRight');
  await expect(ui.part('training-readout')).toContainText('step');
  await ui.page.keyboard.press('Escape');
  await expect(ui.part('training-span')).toHaveText('steps 0 to 199');
});

test('a run that is being written is followed, unless paused', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  const file = made(project, savedRun, 'net.sightline', {
    series: [
      {
        module: '',
        tensor: '',
        topic: 'loss',
        statistic: '',
        points: pointsOf(10, (step) => step),
      },
    ],
    growing: true,
  });
  await view(file);
  await ui.part('tab-training').click();
  await expect(ui.part('training-live')).toHaveText('live');
  await expect(ui.part('training-value')).toHaveText('9');
  grow(file, 1, [[10, 42]]);
  await expect(ui.part('training-value')).toHaveText('42');
  await expect(ui.part('training-span')).toHaveText('steps 0 to 10');

  await ui.part('training-pause').click();
  await expect(ui.part('training-live')).toHaveText('paused');
  const pushes = ui.messages.filter(({ type }) => type === 'training').length;
  grow(file, 1, [[11, 43]]);
  await expect
    .poll(() => ui.messages.filter(({ type }) => type === 'training').length)
    .toBeGreaterThan(pushes);
  await expect(ui.part('training-value')).toHaveText('42');
  await ui.part('training-pause').click();
  await expect(ui.part('training-value')).toHaveText('43');
});

/** Learns, slowly enough to be watched, and has one module that gives out what is not finite. */
const TRAINING = `
import itertools
import time
import torch
from torch import nn


class Bare(nn.Module):
    def forward(self, x):
        return torch.log(x * 0.0)


model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 1))
bare = nn.Sequential(nn.Linear(8, 1), Bare())
parameters = [*model.parameters(), *bare.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.01)
for step in itertools.count():
    inputs = torch.randn(32, 8)
    loss = (model(inputs) - inputs.sum(1, keepdim=True)).square().mean()
    bare(inputs)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    time.sleep(0.02)
    if step == 60:
        open("warm", "w").close()
`;

test('a training is followed while it trains', async ({ view, ui, project }) => {
  fs.writeFileSync(path.join(project.folder, 'train.py'), TRAINING);
  const file = path.join(project.folder, 'train.sightline');
  const trains = start(project.folder, 'run', '--supervise', '-o', file, 'train.py');
  try {
    const warm = path.join(project.folder, 'warm');
    await expect.poll(() => fs.existsSync(warm), { timeout: 60_000 }).toBe(true);
    await view(file);
    await ui.part('tab-training').click();
    await expect(ui.part('training-live')).toHaveText('live', { timeout: 20_000 });
    await expect(charts(ui).first()).toBeVisible({ timeout: 20_000 });
    const lastStep = async () => {
      const span = await ui.part('training-span').innerText();
      return Number(span.split(' to ').at(-1)!.replace(/\s/g, ''));
    };
    const seen = await lastStep();
    await expect.poll(lastStep, { timeout: 20_000 }).toBeGreaterThan(seen);

    await ui.part('training-topic').selectOption('gradients');
    await expect(charts(ui)).not.toHaveCount(0);
    await ui.part('training-topic').selectOption('loss');
    await expect(charts(ui)).toHaveCount(1);
    await expect.poll(() => coloursOf(ui, 'training-plot')).toBeGreaterThan(2);

    await ui.part('tab-verdicts').click();
    await expect(ui.part('training-verdicts')).toContainText('non-finite');
    await expect(ui.part('verdict-operator')).toHaveText('aten::log');
    const line = 1 + TRAINING.split('\n').findIndex((text) => text.includes('torch.log'));
    await expect(ui.part('verdict-line').filter({ hasText: `train.py:${line}` })).toBeVisible();
  } finally {
    trains.kill('SIGINT');
    await new Promise((resolve) => trains.once('exit', resolve));
  }
});

test('two runs lie over each other', async ({ view, ui, project, savedRun }) => {
  made(project, savedRun, 'a.sightline', training(project));
  made(project, savedRun, 'b.sightline', { series: seriesOf(300, 3) });
  await view('a.sightline', 'b.sightline');
  await ui.part('tab-training').click();
  await expect(charts(ui)).toHaveCount(MODULES.length);
  await ui.part('training-other').selectOption('1');
  await expect(ui.part('training-span')).toHaveText('steps 0 to 299');
  await expect(ui.part('training-legend')).toContainText('b.sightline');
  const box = (await ui.part('training-plot').first().boundingBox())!;
  await ui.page.mouse.move(box.x + box.width / 3, box.y + 40);
  await expect(ui.part('training-value').first()).toContainText(' / ');
  const [a, b] = (await ui.part('training-value').first().innerText()).split(' / ').map(Number);
  expect(b! / a!).toBeCloseTo(3, 1);
  await ui.picture('training-compared');
});

test('a million points are there at once and move smoothly', async ({
  view,
  ui,
  project,
  savedRun,
}) => {
  const series = Array.from({ length: 100 }, (_, at): MadeSeries => ({
    module: `layers.${at}`,
    topic: 'weight_gradients',
    statistic: 'l2',
    points: pointsOf(10_000, (step) => Math.fround((1 + at) * (2 + Math.sin(step / 300 + at)))),
  }));
  await view(made(project, savedRun, 'large.sightline', { series }));
  await ui.part('tab-training').click();
  await expect(charts(ui).first()).toBeVisible();
  await ui.part('tab-heat').click();
  await expect.poll(() => coloursOf(ui, 'training-heat-plot')).toBeGreaterThan(10);
  await expect(ui.part('training-span')).toHaveText('steps 0 to 9\u2009999');
  await ui.picture('training-million');
  await ui.part('training-charts').focus();
  for (const key of 'wwwwddaasswwww') await ui.page.keyboard.press(key);
  // Drawn anew for each key, of few columns only: far below what the points would take.
  const slowest = await ui.page.evaluate(() =>
    Math.max(...performance.getEntriesByName('chart').map(({ duration }) => duration)),
  );
  expect(slowest).toBeLessThan(SLOWEST_CHART_MS);
  const span = await ui.part('training-span').innerText();
  expect(span).not.toBe('steps 0 to 9\u2009999');
  await expect.poll(() => coloursOf(ui, 'training-heat-plot')).toBeGreaterThan(10);
});

test('a run that was not supervised says how to', async ({ view, ui, savedRun }) => {
  await view(savedRun);
  await ui.part('tab-training').click();
  await expect(ui.part('training-none')).toContainText('This run was not supervised');
  await expect(ui.part('training-none')).toContainText('sightline run --supervise');
  await ui.picture('training-none');
});

test('hostile names are text', async ({ view, ui, project, savedRun }) => {
  const name = `${SCRIPT}\u202e\u0007`;
  const shown = `${SCRIPT}\\u202e\\x07`;
  const file = made(project, savedRun, 'hostile.sightline', {
    series: [{ module: name, tensor: name, topic: name, statistic: name, points: [[0, 1]] }],
    histograms: [{ module: name, topic: name, kept: [{ step: 0, edges: [0, 1], counts: [1] }] }],
    verdicts: [
      {
        rule: name,
        step: 0,
        module: name,
        topic: name,
        operator: name,
        file: name,
        cause: name,
        advice: name,
      },
    ],
  });
  await view(file);
  await ui.part('tab-training').click();
  await expect(charts(ui)).toContainText(shown);
  for (const tab of ['overlay', 'heat', 'histograms', 'modules', 'verdicts']) {
    await ui.part(`tab-${tab}`).click();
    await expect(ui.part('training')).toContainText(shown);
  }
  await expect(ui.page.locator('img[src], script:not([src]):not([type])')).toHaveCount(0);
});

test('a page that is one file has the training too', async ({ ui, project, savedRun }) => {
  made(project, savedRun, 'net.sightline', training(project));
  await run(project.folder, 'report', 'net.sightline', '--html', 'net.html');
  await ui.page.goto(pathToFileURL(path.join(project.folder, 'net.html')).href);
  await ui.part('tab-training').click();
  await expect(charts(ui)).toHaveCount(MODULES.length);
  await expect.poll(() => coloursOf(ui, 'training-plot')).toBeGreaterThan(2);
  await ui.part('tab-heat').click();
  await expect.poll(() => coloursOf(ui, 'training-heat-plot')).toBeGreaterThan(2);
  await ui.part('tab-histograms').click();
  await expect.poll(() => coloursOf(ui, 'training-histogram-plot')).toBeGreaterThan(2);
});

test.describe(() => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('on a phone everything has room', async ({ serve, ui, project, savedRun }) => {
    const { address } = await serve(
      'view',
      made(project, savedRun, 'net.sightline', training(project)),
    );
    await ui.page.goto(address);
    await ui.part('tab-training').tap();
    await expect(charts(ui).first()).toBeVisible();
    for (const tab of ['overlay', 'heat', 'histograms', 'modules', 'verdicts', 'series']) {
      await ui.part(`tab-${tab}`).tap();
      await expect(ui.part(`tab-${tab}`)).toHaveAttribute('aria-selected', 'true');
      const wide = await ui.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      await ui.picture(`training-phone-${tab}`);
    }
  });
});
