import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { craft } from './craft';
import { PYTHON } from './program';

const MIB = 1024 ** 2;

/** The capacity that leaves room for a batch of 412, with 300 MiB for what is not a tensor. */
const CAPACITY = 720 * MIB + MIB / 2;

/** A copy of a run, with measurements of other batch sizes that lie on no line, and at its own say
 * what it does: whatever the machine, a step of it is no quicker than the limit. */
export function withBatchSizes(run: string, copy: string): void {
  fs.copyFileSync(run, copy);
  const sample = (size: number, ms: number, heldOut: 0 | 1) => {
    const peak = Math.round(8.25 * MIB + size * MIB);
    return [size, ms, ms / 100, peak, peak + 300 * MIB, heldOut];
  };
  const samples = [
    sample(4, 6.1, 0),
    sample(8, 7.9, 0),
    sample(16, 13, 0),
    sample(32, 20.2, 0),
    sample(48, 28.5, 1),
    sample(64, 36, 0),
  ];
  const quicker = `(SELECT avg(wall_ns) / 13e6 FROM steps WHERE step > 2)`;
  const columns = [0, 1, 2, 3, 4, 5]
    .map((at) => `json_extract(value, '$[${at}]')${at === 1 || at === 2 ? ` * ${quicker}` : ''}`)
    .join(', ');
  craft(copy, [
    [`INSERT INTO batch_samples SELECT ${columns} FROM json_each(?)`, JSON.stringify(samples)],
    [`UPDATE memory SET capacity_bytes = ?`, String(CAPACITY)],
  ]);
}

export interface AtBatchSize {
  iterationMs: number;
  iterationIntervalMs: number;
  peakBytes: number;
  samplesPerSecond: number;
}

/** What the library itself says of the run: the truth that the page is held against. */
export class BatchModels {
  constructor(private readonly run: string) {}

  at(size: number): AtBatchSize {
    return this.ask(
      `{"iterationMs": models.iteration_ms(${size}),
        "iterationIntervalMs": models.iteration_interval_ms(${size}),
        "peakBytes": models.peak_bytes(${size}),
        "samplesPerSecond": models.samples_per_second(${size})}`,
    );
  }

  limit(): number {
    return this.ask('models.limit_samples_per_second()');
  }

  forThroughput(samplesPerSecond: number): number {
    return this.ask(`models.batch_size_for_throughput(${samplesPerSecond})`);
  }

  forMemory(bytes: number): number {
    return this.ask(`models.batch_size_for_memory(${Math.floor(bytes)})`);
  }

  capacity(): number {
    return this.ask('run.memory["capacity_bytes"]');
  }

  private ask<Answer>(question: string): Answer {
    const program = `
import json, sys, sightline
run = sightline.open(sys.argv[1])
models = run.batch_models
print(json.dumps(${question}))
`;
    return JSON.parse(execFileSync(PYTHON, ['-c', program, this.run], { encoding: 'utf8' }));
  }
}
