import * as fs from 'node:fs';
import * as path from 'node:path';
import { entryPoint, LAYOUTS } from './apply_layouts';
import { expect, test } from './fixtures';
import type { Server } from './program';
import type { Project } from './project';
import type { Screen } from './screen';

const PLAIN = entryPoint('def sightline_input_provider(batch_size=16):');

interface Tools {
  ui: Screen;
  project: Project;
  serve: (...args: string[]) => Promise<Server>;
}

/** Starts a session on the entry point, and waits until other batch sizes are known. */
async function measured({ ui, project, serve }: Tools, ...args: string[]): Promise<void> {
  project.write('entry_point.py', PLAIN);
  const server = await serve('interactive', 'entry_point.py', ...args);
  await ui.page.goto(server.address);
  await ui.expectDone();
  await expect(ui.part('batch-size')).toBeEnabled();
}

const place = (project: Project, text: string) =>
  `entry_point.py:${project.lineOf('entry_point.py', text)}`;

test('a batch size is applied, measured, and taken back', async ({ serve, ui, project }) => {
  project.write('entry_point.py', PLAIN);
  const server = await serve('interactive', 'entry_point.py');
  await ui.page.goto(server.address);
  // A fast machine has measured them within a second, so every frame is looked at.
  await ui.page.waitForFunction(() => {
    const part = (id: string) => document.querySelector(`[data-testid="${id}"]`);
    const told = part('drag-message')?.textContent ?? '';
    const disabled = part('drag-throughput')?.getAttribute('aria-disabled');
    return told.includes('are being measured') && disabled === 'true';
  });
  await ui.picture('drag-sampling');
  const before = await ui.expectDone();
  await expect(ui.part('apply')).toBeDisabled();
  await expect(ui.part('apply-place')).toHaveText(place(project, 'batch_size=16'));
  await expect(ui.part('undo')).toHaveCount(0);

  await ui.part('batch-size').fill('48');
  await expect(ui.part('apply')).toBeEnabled();
  await ui.expectCardsFit();
  await ui.pictures('apply');
  await ui.part('apply').click();
  await expect.poll(() => project.read('entry_point.py')).toBe(PLAIN.replace('=16', '=48'));
  await expect(ui.part('predicted')).toHaveCount(0);
  await expect(ui.part('undo')).toBeVisible();
  const after = await ui.expectDone(before.analysis);
  expect(after.report.iteration.batch_size).toBe(48);
  await expect(ui.part('batch-size')).toHaveValue('48');
  await expect(ui.part('predicted')).toHaveCount(0);
  await ui.picture('applied');

  await ui.part('undo').click();
  await expect.poll(() => project.read('entry_point.py')).toBe(PLAIN);
  await expect(ui.part('undo')).toHaveCount(0);
  const again = await ui.expectDone(after.analysis);
  expect(again.cached).toBe(true);
  await expect(ui.part('batch-size')).toHaveValue('16');
});

test('only the number changes, however the code is laid out', async ({ serve, ui, project }) => {
  await measured({ ui, project, serve }, '--no-watch');
  for (const { about, file, line, files, before, after } of LAYOUTS) {
    await test.step(about, async () => {
      // Latin-1 has a letter for every byte, so what differs can be read.
      const bytes = () => project.bytes(file).toString('latin1');
      for (const [name, text] of Object.entries(files)) project.write(name, text);
      await expect(ui.part('apply-place')).toHaveText(`${file}:${line}`);
      await ui.expectState('stale');
      await expect.poll(() => ui.newest('batch_size')?.value).toBe(16);
      await ui.part('batch-size').fill('77');
      await expect(ui.part('apply')).toBeEnabled();
      await ui.part('apply').click();
      await expect.poll(bytes).toBe(after.toString('latin1'));
      await expect(ui.part('undo')).toBeVisible();
      await expect(ui.part('predicted')).toHaveCount(0);
      await ui.part('undo').click();
      await expect.poll(bytes).toBe(before.toString('latin1'));
      await expect(ui.part('undo')).toHaveCount(0);
      for (const [name, text] of Object.entries(files)) {
        expect(project.bytes(name).equals(text), name).toBe(true);
      }
    });
  }
});

test('what others write meanwhile stays', async ({ serve, ui, project }) => {
  await measured({ ui, project, serve }, '--no-watch');
  // Before the change: it is made in the file as it is then.
  await ui.part('batch-size').fill('77');
  project.edit('entry_point.py', 'lr=0.1)', 'lr=0.25)  # ours');
  await ui.part('apply').click();
  const theirs = PLAIN.replace('lr=0.1)', 'lr=0.25)  # ours');
  await expect.poll(() => project.read('entry_point.py')).toBe(theirs.replace('=16', '=77'));
  await expect(ui.part('undo')).toBeVisible();
  // After it: what they wrote in its place is not taken back.
  project.edit('entry_point.py', 'batch_size=77', 'batch_size=24');
  await expect(ui.part('undo')).toHaveCount(0);
  expect(project.read('entry_point.py')).toBe(theirs.replace('=16', '=24'));

  // A file that must not be written is not.
  const file = path.join(project.folder, 'entry_point.py');
  fs.chmodSync(file, 0o444);
  await ui.part('batch-size').fill('99');
  await ui.part('apply').click();
  await expect(ui.part('drag-message')).toHaveText(
    'entry_point.py is read-only. By hand: write 99 in place of 24 at entry_point.py:21',
  );
  await expect(ui.part('predicted')).toHaveCount(5);
  await ui.expectCardsFit();
  await ui.picture('apply-refused');
  fs.chmodSync(file, 0o644);
  await ui.part('apply').click();
  await expect.poll(() => project.read('entry_point.py')).toBe(theirs.replace('=16', '=99'));
  await expect(ui.part('drag-message')).not.toContainText('read-only');
});

test('a batch size that is computed is explained, and the place is shown', async ({
  serve,
  ui,
  project,
}) => {
  await measured({ ui, project, serve }, '--no-watch');
  await ui.part('apply-place').click();
  expect(await ui.openFile()).toBe('entry_point.py');
  const name = '<img src=x onerror=hit(3)>\u202e';
  const computed = `def sightline_input_provider(batch_size=int(os.environ.get("${name}", "16"))):`;
  project.write('entry_point.py', entryPoint(computed));
  await expect(ui.part('drag-message')).toContainText('is computed when the program runs');
  await expect(ui.part('drag-message')).toContainText(place(project, 'os.environ'));
  await expect(ui.part('drag-message')).toContainText('onerror=hit(3)>\\u202e');
  await ui.part('batch-size').fill('77');
  await expect(ui.part('predicted')).toHaveCount(5);
  await expect(ui.part('apply')).toBeDisabled();
  await expect(ui.part('apply-place')).toHaveCount(0);
  await ui.expectCardsFit();
  await ui.picture('apply-computed');
  expect(project.read('entry_point.py')).toBe(entryPoint(computed));
});

test('without other batch sizes there is nothing to drag', async ({ interactive, ui }) => {
  await interactive();
  await ui.expectDone();
  await expect(ui.part('drag-message')).toContainText('other batch sizes were not measured');
  await expect(ui.part('batch-size')).toBeDisabled();
  await expect(ui.part('apply')).toBeDisabled();
});
