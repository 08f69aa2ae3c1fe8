import type { Report } from '../protocol';
import { bytes, count, milliseconds } from '../text/format';
import type { Prediction } from './predictions';

/** What stands below the step's time: how it spread, or what it was before the drag. */
export function stepLines(report: Report | null, prediction: Prediction | null): [string, string] {
  if (!report) return ['', ''];
  const { wall_ms, median_ms, p95_ms, batch_size, steps } = report.iteration;
  if (prediction)
    return [`measured ${milliseconds(wall_ms)}`, `at a batch of ${count(batch_size)}`];
  return [
    `median ${milliseconds(median_ms)} · p95 ${milliseconds(p95_ms)}`,
    `mean of ${count(steps)} steps`,
  ];
}

/** Then the memory by line is that of the host: what a device allocates is not recorded. */
export function hasDevice(report: Report | null): boolean {
  const device = report?.run['device'] ?? '';
  return device !== '' && device !== 'cpu';
}

/** What the framework tells of its device. */
export function deviceLine(report: Report | null): string {
  const { device_peak_bytes, device_capacity_bytes } = report?.memory ?? {};
  if (!device_peak_bytes) return '';
  const capacity = device_capacity_bytes ? ` of ${bytes(device_capacity_bytes)}` : '';
  return `device ${bytes(device_peak_bytes)}${capacity}`;
}

/** What stands below the peak: what the machine has. */
export function memoryLine(report: Report | null): string {
  if (!report) return '';
  const { capacity_bytes, process_peak_bytes } = report.memory;
  const process = `process ${bytes(process_peak_bytes)}`;
  return capacity_bytes ? `of ${bytes(capacity_bytes)} · ${process}` : process;
}
