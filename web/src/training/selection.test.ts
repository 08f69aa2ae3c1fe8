import { expect, test } from 'vitest';
import { exampleSeries, exampleTraining } from './example';
import {
  counterpart,
  figureName,
  figureOf,
  isInModule,
  nameOf,
  seriesOf,
  statisticsOf,
  topicsOf,
} from './selection';

const training = exampleTraining({
  series: [
    exampleSeries(1),
    exampleSeries(2, { statistic: 'mean' }),
    exampleSeries(3, { module: 'block.0.conv', tensor: 'weight' }),
    exampleSeries(4, { module: '', tensor: '', topic: 'loss', statistic: '' }),
    exampleSeries(5, { topic: 'weights', statistic: 'absmax' }),
  ],
});

test('topics and statistics are those that there are, by name', () => {
  expect(topicsOf(training)).toEqual(['loss', 'weight_gradients', 'weights']);
  expect(statisticsOf(training, 'weight_gradients')).toEqual(['l2', 'mean']);
  expect(statisticsOf(training, 'loss')).toEqual(['']);
});

test('the figure that was asked for stays as far as the run has it', () => {
  const asked = { topic: 'weight_gradients', statistic: 'mean' };
  expect(figureOf(training, asked)).toEqual(asked);
  expect(figureOf(training, { topic: 'weights', statistic: 'l2' })).toEqual({
    topic: 'weights',
    statistic: 'absmax',
  });
  expect(figureOf(training, { topic: 'gone', statistic: 'l2' })).toEqual({
    topic: 'weight_gradients',
    statistic: 'l2',
  });
  expect(figureOf(exampleTraining({ series: [] }), null)).toBeNull();
});

test('a module stands for those in it, and for no others of a similar name', () => {
  expect(isInModule('block.0.conv', 'block')).toBe(true);
  expect(isInModule('blocks', 'block')).toBe(false);
  expect(isInModule('anything', '')).toBe(true);
  const figure = { topic: 'weight_gradients', statistic: 'l2' };
  expect(seriesOf(training, figure, null).map(({ id }) => id)).toEqual([1, 3]);
  expect(seriesOf(training, figure, 'block').map(({ id }) => id)).toEqual([3]);
  expect(seriesOf(training, null, null)).toEqual([]);
});

test('the same series of another run is found by its name, not its number', () => {
  const other = exampleTraining({ series: [exampleSeries(70, { module: 'block.0.conv' })] });
  expect(counterpart(training.series[2], other)?.id).toBe(70);
  expect(counterpart(training.series[0], other)).toBeNull();
});

test('names are text, also hostile ones', () => {
  expect(nameOf(training.series[2])).toBe('block.0.conv · weight');
  expect(nameOf(training.series[3])).toBe('loss');
  expect(nameOf(exampleSeries(9, { module: 'a\u202eb', tensor: '' }))).toBe('a\\u202eb');
  expect(figureName({ topic: 'loss', statistic: '' })).toBe('loss');
});
