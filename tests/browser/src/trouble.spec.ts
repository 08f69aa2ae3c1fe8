import { expect, test } from './fixtures';
import type { Project } from './project';
import type { Screen } from './screen';

const FORWARD = '        x = self.stem(x)';

/** Runs code in front of the first layer. */
function insert(project: Project, code: string): number {
  project.edit('model.py', FORWARD, `        ${code}\n${FORWARD}`);
  return project.lineOf('model.py', code);
}

/** The last good results stay, as old ones, and a mended file brings new ones. */
async function expectMended(ui: Screen, project: Project, good: string): Promise<void> {
  await expect(ui.part('old')).toContainText('failed');
  await expect(ui.part('step-time')).toHaveText(/\d/);
  const { analysis } = ui;
  project.write('model.py', good);
  await ui.expectDone(analysis);
  await expect(ui.part('failure')).toHaveCount(0);
}

test('a crash is told with its signal and line, and the session goes on', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  await ui.expectDone();
  const good = project.read('model.py');
  const line = insert(project, 'import ctypes; ctypes.string_at(0)');
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toContainText(/the process crashed.*Segmentation fault/);
  await expect(ui.part('failure-place')).toHaveText(`model.py:${line}`);
  await ui.picture('crash');
  await expectMended(ui, project, good);
});

test('code that hangs is given up after the time-out, with its line', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive('--timeout', '6');
  await ui.expectDone();
  const good = project.read('model.py');
  const line = insert(project, 'while True: pass');
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toContainText('nothing came back within 6 seconds');
  await expect(ui.part('failure')).toContainText('--timeout S waits longer');
  await expect(ui.part('failure-place')).toHaveText(`model.py:${line}`);
  await ui.picture('hang');
  await expectMended(ui, project, good);
});

test('a process that the system kills for its memory says so', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  await ui.expectDone();
  const good = project.read('model.py');
  insert(project, 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)');
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toContainText('the process was killed');
  await expect(ui.part('failure')).toContainText('ran out of memory');
  await expect(ui.part('failure')).toContainText('a smaller batch needs less');
  await ui.picture('killed-for-memory');
  await expectMended(ui, project, good);
});

test('a batch that does not fit is told as memory that is missing', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  await ui.expectDone();
  const good = project.read('model.py');
  insert(project, 'x.new_empty(1 << 58)');
  await ui.expectState('failed');
  await expect(ui.part('failure')).toContainText('ran out of memory');
  await expect(ui.part('failure-what')).toContainText('there was not enough memory');
  await ui.picture('out-of-memory');
  await expectMended(ui, project, good);
});

test('a wrong provider is told with what is wrong and what to do', async ({
  interactive,
  ui,
  project,
}) => {
  await interactive();
  const { analysis } = await ui.expectDone();
  const good = project.read('entry_point.py');
  project.edit('entry_point.py', 'def sightline_model_provider()', 'def model_provider()');
  await ui.expectState('failed');
  await expect(ui.part('failure-what')).toHaveText(
    'the entry point lacks sightline_model_provider',
  );
  await ui.picture('provider-missing');
  project.write('entry_point.py', good.replace('return Net()', 'return Net'));
  await expect(ui.part('failure-what')).toContainText('which is no torch.nn.Module');
  await expect(ui.part('failure-place')).toHaveText(/^entry_point\.py:\d+$/);
  await ui.picture('provider-wrong');
  project.write('entry_point.py', good);
  await ui.expectDone(analysis);
});
