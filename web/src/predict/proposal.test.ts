import { expect, test } from 'vitest';
import type { Finding } from '../protocol';
import { proposedBatchSize } from './proposal';

const finding = (rule: string, evidence: unknown) => ({ rule, evidence }) as Finding;

test('only a finding about larger batches proposes one', () => {
  expect(proposedBatchSize(finding('larger-batch', { batch_size: 64 }))).toBe(64);
  expect(proposedBatchSize(finding('data-wait', { batch_size: 64 }))).toBeNull();
});

test('a proposal that is no batch size is none', () => {
  for (const evidence of [{}, undefined, { batch_size: null }, { batch_size: 1.5 }]) {
    expect(proposedBatchSize(finding('larger-batch', evidence))).toBeNull();
  }
});
