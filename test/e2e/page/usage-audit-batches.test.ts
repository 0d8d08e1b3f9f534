import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../../support/page/browser.ts';
import { openClient } from '../../support/server/chat-client.ts';
import {
  accessibilityFindings,
  coloursIn,
  PageBench,
  pagePatienceMs,
  savedBy,
} from '../../support/page/page.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';

/** The colour of a group in the legend of the plot. */
const legendColour = (page: Page, name: string) =>
  page.evaluate<string>(
    `getComputedStyle([...document.querySelectorAll('.legend > span')].find((one) => one.textContent.includes('${name} ')).querySelector('i')).backgroundColor`,
  );

describe.skipIf(chromiumPath === undefined)(
  'usage, batches and the audit log on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let folder: string;
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hearth-page-batches-'));
      server = await startServer({ modelsDirs: [folder], config: { prices: { '*': { requests: 0.25 } } } });
      bench = await PageBench.open(server);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    it('plots what was used, and has it as a table', async () => {
      const client = openClient({ ...server, apiKey: bench.keys.user });
      await client.chat.completions.create({
        model: 'hearth-demo',
        messages: [{ role: 'user', content: 'Hi' }],
      });
      const page = await bench.visit('usage');
      await page.getByRole('rowheader', { name: 'hearth-demo' }).waitFor();
      await page.getByLabel('Measure').selectOption('completion_tokens');
      const toHex = (rgb: string) =>
        [...rgb.matchAll(/\d+/g)].map(([part]) => Number(part).toString(16).padStart(2, '0')).join('');
      const colour = await legendColour(page, 'hearth-demo');
      expect(await coloursIn(page, '.plot canvas')).toContain(toHex(colour));
      // The latest usage stands at the right edge, and its figures beside the crosshair.
      const { width = 0 } = (await page.locator('.u-over').boundingBox()) ?? {};
      await page.locator('.u-over').hover({ position: { x: width - 3, y: 20 } });
      const tip = page.locator('.tip');
      await tip.getByText(/\d:\d\d/).waitFor();
      await expect.poll(() => tip.innerText()).toMatch(/hearth-demo\s+[1-9]/);
      await page.mouse.move(5, 5);
      await tip.waitFor({ state: 'detached' });
      // The keyboard goes from period to period, and tells a screen reader the same.
      const plot = page.getByRole('slider', { name: /over time/ });
      await plot.focus();
      await page.keyboard.press('End');
      await tip.waitFor();
      const told = (await plot.getAttribute('aria-valuetext')) ?? '';
      expect(told).toMatch(/\d:\d\d.*hearth-demo [1-9]/);
      // All of the day is drawn, though only its last hour was used.
      expect(await plot.getAttribute('aria-valuemax')).toBe('24');
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('ArrowLeft');
      await tip.getByText('nothing').waitFor();
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'detached' });
      await page.getByLabel('Measure').selectOption('refused_requests');
      await page.getByText('Refused: nothing in this period.').waitFor();
      await page.getByLabel('Measure').selectOption('units');
      // The address has the choices, also behind the link past the navigation.
      await page.reload();
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await page.keyboard.press('Enter');
      await plot.waitFor();
      expect(await page.getByLabel('Measure').inputValue()).toBe('units');
      await page.goBack();
      await page.goBack();
      await page.getByText('Refused: nothing in this period.').waitFor();
      // Without an admin key it is one's own.
      const own = await bench.visit('usage', { keys: { user: bench.keys.user } });
      for (const view of [page, own]) {
        const title = view.getByRole('columnheader', { name: 'Units' });
        const said = await view.getByText('Units are what requests cost').innerText();
        expect(await title.getAttribute('title')).toBe(said);
        const saved = (name: string) => savedBy(view, () => view.getByRole('button', { name }).click());
        const rows = JSON.parse(await saved('Download JSON')) as { requests: number; units: number }[];
        expect(rows.length).toBeGreaterThan(0);
        for (const { requests, units } of rows) expect(units).toBe(requests / 4);
        const [titles, ...lines] = (await saved('Download CSV')).trimEnd().split('\n');
        const at = titles?.split(',').indexOf('units') ?? -1;
        expect(lines.map((line) => line.split(',')[at])).toEqual(rows.map(({ units }) => String(units)));
      }
    });

    it('sorts the table, and shows the use of one account, key or model alone', async () => {
      await bench.askAdmin('POST', 'accounts', { name: 'left house' });
      const { value } = await bench.askAdmin<{ value: string }>('POST', 'keys', {
        account: 'left house',
        name: 'b',
      });
      const messages = [{ role: 'user' as const, content: 'Hi' }];
      for (const apiKey of [value, bench.keys.user, bench.keys.user])
        await openClient({ ...server, apiKey }).chat.completions.create({ model: 'hearth-demo', messages });
      await bench.askAdmin('DELETE', 'accounts/left%20house');
      const page = await bench.visit('usage/1d/account', { viewport: { width: 768, height: 1024 } });
      const names = () => page.locator('.close tr:not(.sum) th[scope=row]').allInnerTexts();
      await expect.poll(names).toEqual(['local', 'left house (removed)']);
      await page.locator('.close').getByRole('button', { name: 'Account' }).click();
      await expect.poll(names).toEqual(['left house (removed)', 'local']);
      expect(
        await page.evaluate(
          `document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth`,
        ),
      ).toBe(true);
      await page.getByRole('link', { name: 'left house (removed)' }).click();
      const chip = (name: string) => page.getByRole('button', { name: `Only: ${name}. Show all again` });
      await chip('left house (removed)').waitFor();
      await expect.poll(names).toEqual(['hearth-demo']);
      await page.getByText(/^(?!All accounts).* until now/).waitFor();
      await page.getByRole('link', { name: 'hearth-demo' }).click();
      await expect.poll(names).toEqual(['left house (removed): b']);
      // The known part of its secret is told to who points at it.
      await page
        .getByRole('rowheader')
        .and(page.getByTitle(/: b hk-/))
        .waitFor();
      // The address has it.
      await page.reload();
      await chip('hearth-demo').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await chip('left house (removed)').click();
      await expect.poll(async () => (await names()).length).toBeGreaterThan(1);
      await chip('hearth-demo').click();
      await chip('hearth-demo').waitFor({ state: 'detached' });
      // As wide as its table needs.
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${bench.origin}/#/models`);
      const columns = page.locator('.scroll', { has: page.locator('.model') });
      await columns.getByRole('button', { name: 'On disk' }).click();
      expect(await page.locator('.model th button').first().innerText()).toBe('hearth-demo');
      await columns.getByRole('button', { name: 'On disk' }).click();
      await expect.poll(() => page.locator('.model th button').last().innerText()).toBe('hearth-demo');
    });

    it('keeps figures under the name of their own period until those of another one come', async () => {
      const page = await bench.visit('usage');
      const lead = page.getByText(/ until now/);
      const before = await lead.innerText();
      const held = Promise.withResolvers<void>();
      await page.route(/since=30d/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.getByLabel('Period').selectOption('30d');
      await page.locator('.told[aria-busy=true]').waitFor();
      expect(await lead.innerText()).toBe(before);
      held.resolve();
      await page.locator('.told[aria-busy=false]').waitFor();
      expect(await lead.innerText()).not.toBe(before);
    });

    it('names what is plotted in the order of its size, each in a colour of its own', async () => {
      const page = await bench.visit('usage');
      const path = '/admin/v1/usage?by=model&step=hour&since=1d';
      const headers = { authorization: `Bearer ${bench.keys.admin}` };
      const list = (await (await fetch(bench.origin + path, { headers })).json()) as { data: object[] };
      const data = Array.from({ length: 10 }, (_, index) => {
        const name = `m${index}`;
        return { ...list.data[0], group: name, label: name, requests: index + 1, prompt_tokens: 20 - index };
      });
      await page.route(`**${path}`, (route) => route.fulfill({ json: { ...list, data } }));
      await page.reload();
      const items = page.locator('.legend > span');
      await items.nth(7).waitFor();
      expect((await items.allInnerTexts()).map((text) => text.trim())).toEqual([
        ...[9, 8, 7, 6, 5, 4, 3].map((index) => `m${index} ${index + 1}`),
        '3 others 6',
      ]);
      const colours = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.legend i')].map((one) => getComputedStyle(one).backgroundColor)",
      );
      expect(new Set(colours).size).toBe(8);
      // Of another rank, and among others, it has the same colour.
      const before = await legendColour(page, 'm5');
      const coloursOf = () => Promise.all(['m3', 'm4', 'm5', 'm6'].map((name) => legendColour(page, name)));
      const ofRequests = await coloursOf();
      await page.getByLabel('Measure').selectOption('prompt_tokens');
      await items.first().getByText('20').waitFor();
      expect(await coloursOf()).toEqual(ofRequests);
      await page.getByRole('row', { name: /^All / }).getByRole('cell', { name: '55', exact: true }).waitFor();
      await page.getByLabel('Measure').selectOption('requests');
      const turned = data.map((one, index) => ({ ...one, requests: index < 3 ? 1 : 20 - index }));
      await page.unrouteAll();
      await page.route(`**${path}`, (route) => route.fulfill({ json: { ...list, data: turned } }));
      await page.reload();
      await items.first().getByText('17').waitFor();
      expect(await legendColour(page, 'm5')).toBe(before);
      // However long a name is, all figures are in sight.
      const long = { ...data[0], label: 'a key with a long name of '.repeat(8) };
      const refused = { ...data[1], label: 'only refused', requests: 0, refused_requests: 1 };
      await page.unrouteAll();
      await page.route(`**${path}`, (route) => route.fulfill({ json: { ...list, data: [long, refused] } }));
      await page.reload();
      await page.getByRole('rowheader', { name: 'only refused' }).waitFor();
      expect(await items.count()).toBe(1);
      const table = page.locator('.scroll');
      await table.waitFor();
      expect(await table.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    });

    it('shows who did what, with what changed, the older acts too, and saves them all', async () => {
      await bench.askAdmin('POST', 'accounts', { name: 'seen first' });
      for (let index = 0; index < 105; index++)
        await bench.askAdmin('PATCH', 'accounts/seen%20first', { budgets: { requests: { day: index + 1 } } });
      const page = await bench.visit('keys', { viewport: { width: 390, height: 844 } });
      await page.getByRole('link', { name: 'Audit log' }).click();
      const change = page.getByRole('row', { name: /Changed the account seen first.*local/ }).first();
      await change.waitFor();
      await page.getByRole('rowheader', { name: 'today' }).waitFor();
      await change.getByRole('button').click();
      await page
        .getByRole('row', { name: /^Budgets/ })
        .locator('[data-title="After"]', { hasText: '105 requests per day' })
        .waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      // The sought words are in sight, also among the details.
      await page.getByRole('searchbox', { name: 'Filter' }).fill('77');
      const hit = page.getByRole('row', { name: /^Budgets/ }).getByText('77 requests per day');
      await hit.first().waitFor();
      await page.getByRole('searchbox', { name: 'Filter' }).fill('created account seen');
      await hit.first().waitFor({ state: 'detached' });
      await change.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show older' }).click();
      await page.getByRole('row', { name: /Created the account seen first.*local/ }).waitFor();
      await page.getByLabel('Actions').selectOption('Models');
      await page.getByText('matches the filter').waitFor();
      await page.getByLabel('Actions').selectOption('Accounts');
      const saved = await savedBy(page, () => page.getByRole('button', { name: 'Save all' }).click());
      const acts = saved
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number });
      expect(acts.length).toBeGreaterThan(106);
      expect(new Set(acts.map(({ id }) => id)).size).toBe(acts.length);
      // The name leads to the account, which is found there.
      await page.getByRole('link', { name: 'seen first' }).first().click();
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
      await page.locator('.account', { hasText: 'seen first' }).waitFor();
      await expect.poll(() => page.locator('.account').count()).toBe(1);
    });

    it('names what acts were done to as it was called then, and leads to keys that are revoked', async () => {
      await bench.askAdmin('POST', 'accounts', { name: 'choir' });
      const make = { account: 'choir', name: 'score key' };
      const { id } = await bench.askAdmin<{ id: string }>('POST', 'keys', make);
      await bench.askAdmin('PATCH', `keys/${id}`, { name: 'sheet key' });
      await bench.askAdmin('DELETE', `keys/${id}`);
      const page = await bench.visit('audit');
      await page.getByRole('row', { name: /^Revoked the key sheet key of choir/ }).waitFor();
      const made = page.getByRole('row', { name: /^Created the key score key \(now sheet key\) of choir/ });
      await made.getByRole('link').click();
      await page.locator('.key', { hasText: 'sheet key' }).waitFor();
      expect(await page.getByLabel('Show revoked and expired keys').isChecked()).toBe(true);
    });

    it('has tables of one density', async () => {
      const looks = new Set<string>();
      for (const view of ['usage', 'keys', 'models', 'now']) {
        const page = await bench.visit(view);
        await page.locator('.scroll tbody td').first().waitFor();
        looks.add(
          await page.evaluate<string>(
            `getComputedStyle(document.querySelector('.scroll tbody td')).fontSize`,
          ),
        );
      }
      expect([...looks]).toHaveLength(1);
    });

    it('sends a batch as a file, watches and saves it', async () => {
      const line = (id: string, content: string) =>
        JSON.stringify({
          custom_id: id,
          method: 'POST',
          url: '/v1/chat/completions',
          body: { model: 'hearth-demo', max_tokens: 2, messages: [{ role: 'user', content }] },
        });
      const file = join(folder, 'two lines.jsonl');
      writeFileSync(file, `${line('a', 'Hi')}\n${line('b', 'Ho')}\n`);
      const page = await bench.visit('batches');
      await page.getByText('There are no batches yet.').waitFor();
      const guide = await page.getByRole('link', { name: 'the format' }).getAttribute('href');
      expect((await fetch(`${bench.origin}/${guide}`)).status).toBe(200);
      const sample = await savedBy(page, () => page.getByRole('button', { name: 'Save a sample' }).click());
      const idsIn = (lines: string) =>
        lines
          .trimEnd()
          .split('\n')
          .map((text) => (JSON.parse(text) as { custom_id: string }).custom_id);
      expect(idsIn(sample)).toEqual(['line-1', 'line-2']);
      await page.getByLabel('Send a file').setInputFiles(file);
      const batch = page.getByRole('article', { name: 'two lines.jsonl' });
      await batch.getByText(/^hearth-demo · sent /).waitFor();
      const save = batch.getByRole('button', { name: 'Save the answers' });
      await save.waitFor();
      await batch.getByText('2 of 2 answered').waitFor();
      const results = await savedBy(page, () => save.click());
      expect(new Set(idsIn(results))).toEqual(new Set(['a', 'b']));
      await page.getByRole('heading', { name: 'There are no other batches.' }).waitFor();
      writeFileSync(file, 'no JSON');
      await page.getByLabel('Send a file').setInputFiles(file);
      await page
        .getByRole('alert')
        .getByText(/^two lines\.jsonl: Line 1 is not valid JSON/)
        .waitFor();
    });

    it('tells of each line without an answer why it has none, and stops a batch', async () => {
      const line = (id: string, max_tokens: number) =>
        JSON.stringify({
          custom_id: id,
          method: 'POST',
          url: '/v1/chat/completions',
          body: { model: 'hearth-demo', max_tokens, messages: [{ role: 'user', content: 'Hi' }] },
        });
      const send = (name: string, lines: readonly string[]) =>
        page.getByLabel('Send a file').setInputFiles({
          name,
          mimeType: 'application/jsonl',
          buffer: Buffer.from(`${lines.join('\n')}\n`),
        });
      const page = await bench.visit('batches', { viewport: { width: 390, height: 844 } });
      await send('one fails.jsonl', [line('good', 2), line('bad', -1)]);
      const batch = page.getByRole('article', { name: 'one fails.jsonl' });
      await batch.getByText('1 line has no answer').waitFor();
      await batch.getByRole('button', { name: 'Why?' }).click();
      const why = batch.getByRole('row', { name: /^bad .*max_tokens/ });
      expect((await why.getByRole('cell').boundingBox())?.x).toBe((await why.boundingBox())?.x);
      await send('all fail.jsonl', [line('bad', -1)]);
      await page.getByRole('article', { name: 'all fail.jsonl' }).getByText('no answers').waitFor();
      const table = batch.locator('.scroll');
      expect(await table.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
      await batch.getByText('Output tokens').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByLabel('Hide finished batches').check();
      await batch.waitFor({ state: 'detached' });
      await page.getByText('Nothing matches the filter.').waitFor();
      await page.getByLabel('Hide finished batches').uncheck();
      const many = Array.from({ length: 500 }, (_, index) => line(`line ${index}`, 500));
      await send('endless.jsonl', many);
      const endless = page.getByRole('article', { name: 'endless.jsonl' });
      await endless.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Stop' }).click();
      await endless.getByText('cancelled').waitFor();
      await send('more.jsonl', many);
      // An operator, who has no batches, sees those of all accounts.
      const operator = await bench.visit('batches', { keys: { admin: bench.keys.admin } });
      const part = operator.getByRole('row', {
        name: /^one fails\.jsonl hearth-demo local partly done 1 line: invalid value/,
      });
      await part.waitFor();
      const details = operator.locator('.details');
      await operator.getByRole('button', { name: 'one fails.jsonl' }).click();
      await part.waitFor({ state: 'detached' });
      await details.getByText(/^1 line: invalid value/).waitFor();
      await operator.getByText(/^The error of each line is shown only to whoever sent it/).waitFor();
      expect(await accessibilityFindings(operator)).toEqual([]);
      await operator.getByLabel('State').selectOption({ label: 'partly done (1)' });
      await operator.getByRole('row', { name: /^one fails/ }).waitFor();
      expect(await operator.getByRole('row', { name: /^more\.jsonl/ }).count()).toBe(0);
      await operator.getByLabel('State').selectOption('');
      const more = operator.getByRole('row', { name: /^more\.jsonl hearth-demo local/ });
      await more.getByRole('button', { name: 'Stop' }).click();
      await operator.getByRole('dialog', { name: 'Stop' }).getByRole('button', { name: 'Stop' }).click();
      await more.getByText('cancelled').waitFor();
      await operator.goto(`${bench.origin}/#/audit`);
      await operator.getByText('Stopped the batch').waitFor();
      // Who cannot chat begins with Now.
      await operator.goto(`${bench.origin}/#/`);
      await operator.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
      const ofBatch = operator.getByRole('row').filter({ hasText: 'chat/completions · line of a batch' });
      await ofBatch.first().getByRole('button').click();
      await details.getByText(/^batch_/).waitFor();
    });
  },
);
