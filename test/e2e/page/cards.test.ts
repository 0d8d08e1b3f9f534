import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { pagePatienceMs } from '../../support/page/page.ts';
import { useTinyPage } from '../../support/page/tiny-page.ts';

describe.skipIf(chromiumPath === undefined)(
  'rows of tables as cards on phones (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    const { bench, make } = useTinyPage();
    const use = async (key: string, status = 200) => {
      const body = JSON.stringify({ model: 'tiny', prompt: 'a', max_tokens: 1 });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body };
      expect((await fetch(`${bench().origin}/v1/completions`, request)).status).toBe(status);
    };
    const visit = (view: string) =>
      bench().visit(view, { viewport: { width: 390, height: 844 }, hasTouch: true });

    it('has each figure at the same place of every card, and uses the width for the plot', async () => {
      const { value } = await make('keys', {
        account: 'local',
        name: 'once',
        budgets: { requests: { day: 1 } },
      });
      await use(bench().keys.user);
      await use(value);
      await use(value, 402);
      const page = await visit('usage/1d/key/requests');
      const cards = page.locator('.stacked .stacks tbody tr');
      await expect.poll(() => cards.count()).toBe(3);
      const places = await cards.evaluateAll((rows) =>
        rows.map((row) => {
          const { left, top } = row.getBoundingClientRect();
          return [...row.querySelectorAll('td')].map((cell) => {
            const at = cell.getBoundingClientRect();
            return [cell.dataset['title'], at.left - left, at.right - left, Math.round(at.top - top)];
          });
        }),
      );
      expect(places[1]).toEqual(places[0]);
      expect(places[0]?.map(([title]) => title)).toContain('Refused');
      const [all, plot] = await Promise.all(
        ['.plot', '.plot .u-over'].map((part) => page.locator(part).boundingBox()),
      );
      expect(plot?.width).toBeGreaterThan((all?.width ?? Infinity) - 55);
      // Who is user and operator finds their own limits from here.
      await page.getByRole('link', { name: 'Your limits' }).click();
      await page.getByRole('heading', { name: 'Your limits' }).waitFor();
      expect(await page.getByRole('link', { name: 'Usage' }).getAttribute('aria-current')).toBe('page');
    });

    it('begins and ends all that it shows of a row at two edges', async () => {
      await use(bench().keys.user);
      const page = await visit('keys/local');
      const [row, key] = [page.locator('.account').first(), page.locator('.key').first()];
      await key.waitFor();
      const [around, above] = [await row.boundingBox(), await row.locator('svg').last().boundingBox()];
      const end = (around?.x ?? 0) + (around?.width ?? 0);
      expect((above?.x ?? 0) + (above?.width ?? 0)).toBeCloseTo(end, 0);
      const menu = await key.locator('.of-row svg').boundingBox();
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeCloseTo(end, 0);
      expect((await row.locator('td').first().boundingBox())?.x).toBe(around?.x);
      // The mark of a key is beside the line that joins the keys.
      const mark = await key.getByRole('rowheader').getByRole('button').boundingBox();
      expect(mark?.x).toBeGreaterThan((await key.boundingBox())?.x ?? Infinity);
      expect(mark?.x).toBeGreaterThan((around?.x ?? Infinity) + 8);
      await page.goto(`${bench().origin}/#/now`);
      const request = page.locator('.requests tbody tr').first();
      await request.getByText('tiny').waitFor();
      // Two lines: whose it was stands beside its figures.
      const [whose, figures] = [request.locator('td').nth(1), request.locator('td').last()];
      const [first, last] = [await whose.boundingBox(), await figures.boundingBox()];
      expect(Math.abs((first?.y ?? 0) - (last?.y ?? Infinity))).toBeLessThan(4);
      await page.goto(`${bench().origin}/#/plans`);
      const [none, name] = [
        page.locator('.plans td > .quiet').first(),
        page.locator('.plans tbody th').first(),
      ];
      const colours = [none, name].map((one) =>
        one.evaluate((all) => String(all.computedStyleMap().get('color'))),
      );
      expect(await colours[0]).toBe(await colours[1]);
    });
  },
);
