import type { Measurement } from '../src/measurement/wire';

export interface Made {
  batch?: number;
  width?: number;
  speed?: number;
  seed?: number;
}

export function resnet18(made?: Made): Measurement;
