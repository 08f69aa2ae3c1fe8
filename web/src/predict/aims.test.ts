import { expect, test } from 'vitest';
import { Aims } from './aims';
import { exampleReport, exampleTable } from './example';
import { Predictions } from './predictions';

const predictions = new Predictions(exampleTable());
const aims = new Aims(predictions, exampleReport());

test('what can be reached is reached, in whole batch sizes', () => {
  expect(aims.batchSize(7)).toEqual({ batchSize: 7, resists: '' });
  expect(aims.memory(1790)).toEqual({ batchSize: 7, resists: '' });
  expect(aims.throughput(6000 / 22)).toEqual({ batchSize: 6, resists: '' });
  expect(aims.throughput(0)).toEqual({ batchSize: 1, resists: '' });
});

test('beyond the largest batch that fits, the reason is told', () => {
  const resists = 'more than 20 does not fit into 4.88 KiB';
  expect(aims.batchSize(21)).toEqual({ batchSize: 20, resists });
  expect(aims.memory(4201)).toEqual({ batchSize: 20, resists });
  expect(aims.memory(4200)).toEqual({ batchSize: 20, resists: '' });
});

test('more throughput than the best leads to the best', () => {
  expect(aims.throughput(400)).toEqual({
    batchSize: 8,
    resists: 'no batch that fits has more than 308 samples/s',
  });
  const grows = new Predictions({ ...exampleTable(), iteration_ms: [12, 14, 18, 26, 50] });
  expect(new Aims(grows, exampleReport()).throughput(401)).toEqual({
    batchSize: 20,
    resists: 'more than 20 does not fit into 4.88 KiB',
  });
});

test('less memory than one sample needs leads to one', () => {
  expect(aims.memory(0)).toEqual({ batchSize: 1, resists: 'a batch of 1 needs 1.07 KiB already' });
  expect(aims.batchSize(0)).toEqual({ batchSize: 1, resists: '' });
});

test('where all batches fit, predictions end for another reason', () => {
  const report = exampleReport();
  report.throughput!.max_batch_size = null;
  expect(new Aims(predictions, report).batchSize(50).resists).toBe(
    'predictions end at 20, four times the largest batch that was measured',
  );
  report.throughput!.max_batch_size = 1e9;
  expect(new Aims(predictions, report).batchSize(50).resists).toBe('predictions end at 20');
});
