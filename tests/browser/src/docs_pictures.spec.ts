import { expect, test } from './fixtures';
import { TimelineScreen } from './timeline_screen';

// The pictures of docs/, of what a visitor would see: tools/copy-pictures takes them there.
test.use({ example: 'resnet' });

test('a session with a small ResNet looks as docs/page.md shows it', async ({
  serve,
  ui,
  project,
}) => {
  test.setTimeout(300_000);
  const server = await serve('interactive', 'entry_point.py');
  await ui.page.goto(server.address);
  // All batch sizes of a real network take a while.
  await expect(ui.part('state')).toHaveAttribute('data-state', 'done', { timeout: 240_000 });
  await expect(ui.part('batch-size')).toBeEnabled();
  await ui.openFileTab('model.py');
  await ui.expectCardsFit();
  await ui.pointAt(await ui.pointInRow(6));
  await expect(ui.part('tooltip')).toBeVisible();
  expect(await ui.highlightedLines()).toHaveLength(1);
  await ui.picture('docs-page');

  const timeline = new TimelineScreen(ui);
  await timeline.open();
  await ui.pointAt(await timeline.middle('timeline-memory'));
  await expect(ui.part('timeline-tip')).toContainText('alive at');
  await ui.picture('docs-timeline');

  await ui.part('tab-findings').click();
  await expect(ui.part('evidence-picture').first()).toBeVisible();
  await ui.picture('docs-findings');

  project.edit('model.py', '= (2, 2, 2)', '= (1, 2, 2)');
  await ui.part('tab-runs').click();
  // How much faster it is may be within the noise; what it holds never is.
  await expect(ui.part('comparison-words')).toContainText('lower', { timeout: 60_000 });
  await ui.page.mouse.move(5, 5);
  await ui.picture('docs-runs');
});
