import { expect, test } from 'vitest';
import { overheadText, runText } from './run_text';

test('overhead and drops are always stated', () => {
  expect(overheadText({ step_percent: 3.21, settled: true, dropped: 0 })).toBe(
    'overhead 3.2 % of the step · nothing dropped',
  );
  expect(overheadText({ step_percent: null, settled: false, dropped: 12 })).toBe(
    'overhead not measured · 12 facts dropped',
  );
  expect(overheadText({ step_percent: 48, settled: false, dropped: 0 })).toBe(
    'overhead not settled yet · nothing dropped',
  );
  expect(overheadText({ step_percent: -2, settled: true, dropped: 0 })).toBe(
    'overhead too little to be seen · nothing dropped',
  );
  expect(overheadText(null)).toBe('overhead not measured · nothing dropped');
});

test('a run is told by what it ran on', () => {
  expect(
    runText({ framework: 'torch', framework_version: '2.13', device: 'cpu', threads: 2 }),
  ).toBe('torch 2.13 · cpu · 2 threads');
});
