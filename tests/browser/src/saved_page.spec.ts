import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from './fixtures';
import { run } from './program';
import { TimelineScreen } from './timeline_screen';

const HOSTILE = '</script><img src=x onerror=hit("why")>\u202e';
const EMBEDDED = /(<script type="application\/json" id="sightline-run">)(.*?)(<\/script>)/s;

/** The page of a run as a file, and what is in it changed. */
async function saved(
  folder: string,
  savedRun: string,
  change: (content: Record<string, unknown>) => void = () => undefined,
): Promise<string> {
  const file = path.join(folder, 'saved.html');
  await run(folder, 'report', savedRun, '--html', file);
  const page = fs.readFileSync(file, 'utf8').replace(EMBEDDED, (_, before, json, after) => {
    const content = JSON.parse(json);
    change(content);
    return before + JSON.stringify(content).replaceAll('<', '\\u003c') + after;
  });
  fs.writeFileSync(file, page);
  return pathToFileURL(file).href;
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`a page that is one file has a timeline, ${colorScheme}`, async ({
      ui,
      folder,
      savedRun,
    }) => {
      await ui.page.goto(await saved(folder, savedRun));
      const timeline = new TimelineScreen(ui);
      await timeline.open();
      await expect(ui.part('timeline-step').locator('option')).toHaveCount(1);
      const event = await timeline.widest(({ line }) => line.startsWith('model.py:'));
      await ui.pointAt(event);
      await expect(ui.part('timeline-tip')).toContainText(event.line);
      await ui.picture(`one-file-timeline-${colorScheme}`);
      await ui.page.mouse.click(event.x, event.y);
      await expect.poll(() => ui.openFile()).toBe('model.py');
      await ui.pointAt(await timeline.middle('timeline-memory'));
      await expect(ui.part('timeline-tip')).toContainText('alive at');
    });
  });
}

test('a page that was saved without a timeline says why, and has no tab for it', async ({
  ui,
  folder,
  savedRun,
}) => {
  const address = await saved(folder, savedRun, (content) => {
    content['timeline'] = null;
    content['timeline_why_not'] = HOSTILE;
  });
  await ui.page.goto(address);
  await expect(ui.part('icicle-time')).toBeVisible();
  await expect(ui.part('tab-timeline')).toHaveCount(0);
  await ui.part('tab-run').click();
  await expect(ui.part('no-timeline')).toContainText('</script><img src=x onerror=hit("why")>');
});

test('a page of an older version has no timeline either', async ({ ui, folder, savedRun }) => {
  const address = await saved(folder, savedRun, (content) => {
    delete content['timeline'];
    delete content['timeline_why_not'];
  });
  await ui.page.goto(address);
  await expect(ui.part('tab-timeline')).toHaveCount(0);
  await ui.part('tab-run').click();
  await expect(ui.part('no-timeline')).toContainText('without the events of a step');
});
