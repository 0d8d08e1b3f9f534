import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { pagePatienceMs } from '../../support/page/page.ts';
import { useTinyPage } from '../../support/page/tiny-page.ts';

/** Where the text ends that stands before the button of a batch. */
const rightOfSent = `(() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector('.all-batches tbody .nowrap'));
  return text.getBoundingClientRect().right;
})()`;

describe.skipIf(chromiumPath === undefined)(
  'rows of tables, on phones as cards (skipped where no chromium is on PATH)',
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

    it('stays where it is while requests come and end, and tells how long it speaks', async () => {
      const route = '/v1/audio/speech';
      const ended = {
        request_id: 'a',
        status: 200,
        duration_ms: 4,
        model: 'tiny',
        route,
        ended_at: 1_700_000_000,
      };
      const nothing = { key_id: null, error_code: null, time_to_first_token_ms: null, batch_id: null };
      const short = {
        ...ended,
        ...nothing,
        stopped: true,
        prompt_tokens: 1,
        completion_tokens: 0,
        audio_seconds: 2,
      };
      const failed = {
        status: 503,
        error_code: 'context_length_exceeded',
        model: 'a-model-with-a-long-name',
      };
      const long = {
        duration_ms: 352,
        time_to_first_token_ms: 10_200,
        prompt_tokens: 12_345,
        audio_seconds: 12.3,
      };
      const works = { state: 'computing', age_ms: 1000, output_tokens: 0, tokens_per_second: 0 };
      const running = (count: number) =>
        Array.from({ length: count }, (_, id) => ({ ...short, ...works, id: `${id}` }));
      const memory = { ram_bytes: 0, vram_bytes: 0 };
      const models = {
        type: 'models',
        data: [],
        memory: { used: memory, budget: memory },
        server: { version: '0', started_at: 0 },
      };
      const page = await bench().visit('chat', { movesTime: true });
      let requests: object[] = [short];
      let runs = running(0);
      await page.route('**/admin/v1/events', async (asked) => {
        const events = [models, { type: 'requests', data: requests }, { type: 'running', data: runs }];
        const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
        await asked.fulfill({ contentType: 'text/event-stream', body });
      });
      await page.goto(`${bench().origin}/#/now`);
      await page.getByRole('row', { name: /tiny audio\/speech 200 stopped 4 ms – 1 2\.0 s$/ }).waitFor();
      const edges = () =>
        page.locator('.requests th').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
      const height = async () => (await page.locator('.running-now').boundingBox())?.height;
      const before = { edges: await edges(), height: await height() };
      [requests, runs] = [
        [short, { ...short, ...failed, request_id: 'b' }, { ...short, ...long, request_id: 'c' }],
        running(1),
      ];
      await page.clock.fastForward(2500);
      await page.getByRole('row', { name: /a-model-with-a-long-name/ }).waitFor();
      await page.getByRole('row', { name: /speaking/ }).waitFor();
      expect({ edges: await edges(), height: await height() }).toEqual(before);
      runs = running(4);
      await page.clock.fastForward(2500);
      await page
        .getByRole('row', { name: /speaking/ })
        .nth(3)
        .waitFor();
      await expect.poll(height).toBeGreaterThan(before.height ?? Infinity);
      // A row at a time, also where others come and go meanwhile.
      runs = running(1);
      for (let step = 0; step < 4; step += 1) await page.clock.runFor(3000);
      await expect.poll(height).toBe(before.height);
      // On a tablet no text of a batch comes under its button, and why it waits is said once.
      const count = { total: 8, completed: 0, failed: 0 };
      const batch = {
        id: 'batch_1',
        account_name: 'choir',
        model: 'tiny',
        input_file_name: 'waits.jsonl',
        created_at: Date.now() / 1000 - 1380,
        status: 'in_progress',
        request_counts: count,
        hearth: {
          waiting_code: 'model_unavailable',
          waiting_server: 'Cellar',
          waiting_until: Date.now() / 1000,
        },
        failures: {},
        usage: { input_tokens: 0, output_tokens: 0 },
        in_progress_at: null,
        completed_at: null,
        failed_at: null,
        expired_at: null,
        cancelled_at: null,
        expires_at: null,
        error_file_id: null,
        output_file_id: null,
      };
      await page.route('**/admin/v1/batches*', (asked) => asked.fulfill({ json: { data: [batch] } }));
      await page.setViewportSize({ width: 768, height: 1000 });
      await page.goto(`${bench().origin}/#/batches`);
      await page.getByRole('button', { name: 'waits.jsonl' }).click();
      await page.locator('.details').waitFor();
      expect(await page.getByText(/^waits for Cellar/).count()).toBe(1);
      const end = await page.evaluate<number>(rightOfSent);
      const stop = await page
        .getByRole('row', { name: /^waits/ })
        .getByRole('button', { name: 'Stop' })
        .boundingBox();
      expect(stop?.x).toBeGreaterThan(end + 4);
    });
  },
);
