import * as path from 'node:path';
import { withBatchSizes } from './batch_models';
import { craft } from './craft';
import { expect, test } from './fixtures';

interface Finding {
  rule: string;
  title: string;
  evidence: Record<string, number>;
}

/** A run in which every eighth step is slow, and a line reads two values back. */
function withFaults(run: string): void {
  craft(run, [
    [`UPDATE steps SET wall_ns = 100000000`],
    [
      `INSERT INTO steps
         SELECT 1000 + value, 'unobserved', start_ns, iif(value % 8 = 0, 300000000, 100000000),
                evaluation_ns, forward_ns, backward_ns, recompute_ns, engine_ns, optimizer_ns,
                data_ns, copy_ns, python_ns, operators, allocated_bytes, peak_bytes
         FROM steps, json_each(?) WHERE step = (SELECT max(step) FROM steps)`,
      JSON.stringify(Array.from({ length: 48 }, (_, step) => step)),
    ],
    [`UPDATE operators SET name = 'aten::_local_scalar_dense' WHERE name = 'aten::relu'`],
  ]);
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
      const run = path.join(project.folder, 'faults.sightline');
      withBatchSizes(savedRun, run);
      withFaults(run);
      await view(run);
      const answer = await ui.page.request.get(new URL('api/result?run=0', ui.page.url()).href);
      const { findings } = (await answer.json()).report as { findings: Finding[] };
      const rules = findings.map(({ rule }) => rule);
      for (const rule of ['larger-batch', 'slow-steps', 'synchronising-calls', 'memory-peak']) {
        expect(rules).toContain(rule);
      }
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
      const pictured = (text: string) => ui.part('findings').getByRole('img', { name: text });
      await expect(pictured('one of 8 steps takes 300 ms, the others 100 ms')).toBeVisible();
      await expect(pictured('2 in a step')).toBeVisible();
      await ui.picture(`findings-${colorScheme}`);
      await pictured('2 in a step').scrollIntoViewIfNeeded();
      await ui.picture(`findings-more-${colorScheme}`);
    });
  });
}
