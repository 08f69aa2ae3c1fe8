import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'src',
  outputDir: '../../build/browser-tests',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // The machine is not ours alone: what something else disturbed is tried again, and the summary
  // says so.
  retries: 1,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env['SIGHTLINE_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
});
