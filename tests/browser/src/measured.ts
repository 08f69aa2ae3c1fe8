import * as fs from 'node:fs';
import { resnet18, type Made } from '../../../web/dev/resnet18.mjs';
import { craft, type SqlStatement, type SqlValue } from './craft';

export type Measured = ReturnType<typeof resnet18>;

const KINDS = ['macs', 'effective_macs', 'flops', 'bytes'] as const;

export { resnet18, type Made };

/** Makes a run file with this measurement, of one that has steps. */
export function writeMeasurement(savedRun: string, file: string, measured: Measured): void {
  fs.copyFileSync(savedRun, file);
  craft(file, statementsOf(measured));
}

function statementsOf(measured: Measured): SqlStatement[] {
  const { parameters, footprint_bytes: footprint } = measured;
  const statements = [
    insert('measurement', [
      0,
      measured.model,
      measured.inputs,
      measured.batch_size,
      Number(measured.training_mode),
      ...numbersOf(parameters),
      measured.size_bytes,
      footprint.weights,
      footprint.inference_peak,
      footprint.training_peak,
      Number(footprint.computed),
    ]),
    ...workAndTimes(0, measured),
  ];
  measured.layers.forEach((layer, i) => {
    statements.push(
      insert('measured_layers', [
        i + 1,
        layer.parent,
        layer.path,
        layer.type,
        layer.file,
        layer.line,
        layer.inputs,
        layer.outputs,
        ...numbersOf(layer.parameters),
        layer.parameter_bytes,
        layer.activation_bytes,
        layer.peak_bytes,
        null, // in training
      ]),
      ...workAndTimes(i + 1, layer),
    );
  });
  measured.uncounted.forEach(({ name, calls, time_share }, i) => {
    statements.push(insert('uncounted_calls', [i + 1, name, calls, time_share]));
  });
  return statements;
}

function numbersOf({ total, trainable, frozen, buffers }: Measured['parameters']): number[] {
  return [total, trainable, frozen, buffers];
}

function workAndTimes(
  layer: number,
  measured: Pick<Measured, (typeof KINDS)[number] | 'times_ms'>,
): SqlStatement[] {
  return [
    ...KINDS.map((kind) => {
      const { forward, backward, optimizer } = measured[kind];
      return insert('measured_work', [layer, kind, forward, backward, optimizer]);
    }),
    ...measured.times_ms.map((ms, run) => insert('measured_times', [layer, run, ms])),
  ];
}

function insert(table: string, values: SqlValue[]): SqlStatement {
  return [`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, ...values];
}
