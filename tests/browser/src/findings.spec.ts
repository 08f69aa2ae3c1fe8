import * as path from 'node:path';
import { withBatchSizes } from './batch_models';
import { expect, test } from './fixtures';

interface Finding {
  rule: string;
  title: string;
  evidence: Record<string, number>;
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`every finding has its figures and their picture, ${colorScheme}`, async ({
      view,
      ui,
      project,
      savedRun,
    }) => {
      withBatchSizes(savedRun, path.join(project.folder, 'sizes.sightline'));
      await view('sizes.sightline');
      const answer = await ui.page.request.get(new URL('api/result?run=0', ui.page.url()).href);
      const { findings } = (await answer.json()).report as { findings: Finding[] };
      expect(findings.map(({ rule }) => rule)).toContain('larger-batch');
      await ui.part('tab-findings').click();
      for (const { title, evidence } of findings) {
        const article = ui.part('findings').locator('article').filter({ hasText: title });
        const figures = article.getByTestId('evidence-figures').locator('dd');
        await expect(figures).toHaveCount(Object.keys(evidence).length);
        const picture = article.getByRole('img');
        await expect(picture).toBeVisible();
        const fills = picture.locator('.fill');
        const widths = await fills.evaluateAll((bars) =>
          bars.map(
            (bar) =>
              bar.getBoundingClientRect().width / bar.parentElement!.getBoundingClientRect().width,
          ),
        );
        const { share_percent: share, samples_per_second: then } = evidence;
        if (then) {
          const now = evidence['samples_per_second_now']!;
          expect(widths[0]! / widths[1]!).toBeCloseTo(now / then, 2);
          await expect(picture).toHaveAccessibleName(/^now .* samples\/s, a batch of \d+ /);
        } else if (share) {
          expect(widths[0]).toBeCloseTo(share / 100, 2);
          await expect(picture).toHaveAccessibleName(/ % of the (step|peak)/);
        }
      }
      await ui.picture(`findings-${colorScheme}`);
    });
  });
}
