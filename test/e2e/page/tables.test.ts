import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tinyModel } from '../../support/models/tiny-model.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import { pagePatienceMs, routeFirst } from '../../support/page/page.ts';
import { useTinyPage } from '../../support/page/tiny-page.ts';

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

describe.skipIf(chromiumPath === undefined)(
  'tables of operators and what is done in them (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    const { bench, make } = useTinyPage(async () => ({
      aborts: await tinyModel({ defect: 'no-byte-tokens' }),
    }));
    const use = async (key: string, status = 200) => {
      const body = JSON.stringify({ model: 'tiny', prompt: 'a', max_tokens: 1 });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body };
      expect((await fetch(`${bench().origin}/v1/completions`, request)).status).toBe(status);
    };

    it('has real tables that do not scroll on tablets and small windows', async () => {
      await use(bench().keys.user);
      await make('invitations', { name: 'for tablets' });
      const page = await bench().visit('keys', { viewport: { width: 720, height: 900 }, hasTouch: true });
      for (const view of ['keys', 'plans', 'invitations', 'usage', 'models', 'now', 'audit']) {
        await page.goto(`${bench().origin}/#/${view}`);
        for (const width of [720, 768, 844, 1024]) {
          await page.setViewportSize({ width, height: 900 });
          await page.locator('main .scroll tbody tr').first().waitFor();
          const found = () =>
            page
              .locator('main .scroll')
              .evaluateAll((all) =>
                all.map((one) => `${one.className},${one.scrollWidth - one.clientWidth}`),
              );
          await expect
            .poll(async () => [...new Set(await found())], { message: `${view} at ${width}` })
            .toEqual(['scroll,0']);
        }
      }
      // A fold is as high as a finger needs.
      const { id } = await make('invitations', { name: 'closed again' });
      await bench().askAdmin('DELETE', `invitations/${id}`);
      await page.goto(`${bench().origin}/#/invitations`);
      const fold = page.locator('summary', { hasText: 'closed' });
      expect((await fold.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      // A model's memory, and its failure, are told there too.
      await page.setViewportSize({ width: 768, height: 390 });
      await page.goto(`${bench().origin}/#/models`);
      await page.getByRole('columnheader', { name: 'In memory' }).waitFor();
      await page.setViewportSize({ width: 844, height: 390 });
      await page.goto(`${bench().origin}/#/keys`);
      await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
    });

    it('says which account has a key that is blocked, on a phone too, and keeps its keys in order', async () => {
      await make('accounts', { name: 'free', plan: 'unlimited' });
      await make('keys', { account: 'free', name: 'quiet' });
      const budgets = { requests: { day: 1 } };
      const { value } = await make('keys', { account: 'free', name: 'spent', budgets });
      await use(value);
      await use(value, 402);
      const page = await bench().visit('keys', { viewport: { width: 390, height: 844 }, hasTouch: true });
      const row = page.locator('.account', { hasText: 'free' });
      await row.getByText('1 key has used up its budget').waitFor();
      const refused = row.getByTitle('0 failed, 1 refused').getByRole('link');
      for (const width of [390, 768]) {
        await page.setViewportSize({ width, height: 1024 });
        const box = await refused.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
      }
      await row.getByRole('button', { name: 'free', exact: true }).click();
      const keys = page.locator('.key');
      await expect
        .poll(() => keys.getByRole('rowheader').getByRole('button').allInnerTexts())
        .toEqual(['quiet', 'spent']);
      // What is shown of a key ends before the next column.
      const [code, next] = [keys.first().locator('code'), keys.first().locator('td').first()];
      const end = await code.evaluate((one) => one.getBoundingClientRect().right);
      expect(end).toBeLessThan((await next.boundingBox())?.x ?? 0);
      await keys.getByRole('button', { name: 'spent', exact: true }).click();
      await page.getByText('No other limits').waitFor();
      // Limits of which all is free are not told below a budget that is used up.
      await bench().askAdmin('PATCH', 'accounts/free', { plan: 'standard' });
      await page.getByText('No other limits').waitFor({ state: 'detached' });
      expect(await keys.last().locator('td:has(> .bar, > .rest)').innerText()).not.toContain('free');
    });

    it('says of a stream that its client stopped it, and offers to ask again where an answer takes long', async () => {
      const body = JSON.stringify({
        model: 'tiny',
        prompt: 'a',
        stream: true,
        ignore_eos: true,
        max_tokens: 2000,
      });
      const headers = { authorization: `Bearer ${bench().keys.user}`, 'content-type': 'application/json' };
      const answer = await fetch(`${bench().origin}/v1/completions`, { method: 'POST', headers, body });
      await answer.body?.cancel();
      const page = await bench().visit('now', { movesTime: true });
      await page.getByRole('cell', { name: '200 stopped' }).waitFor();
      const never = Promise.withResolvers<void>();
      await routeFirst(page, '**/admin/v1/audit*', () => never.promise);
      const asked = page.waitForRequest('**/admin/v1/audit*');
      await page.goto(`${bench().origin}/#/audit`);
      // The file of the view is awaited before its answer, under the same words.
      await asked;
      await page.getByText('Loading…').waitFor();
      await page.clock.fastForward(6000);
      await page.getByRole('button', { name: 'Try now' }).click();
      await page.locator('main table').waitFor();
      never.resolve();
    });

    it.each([390, 1024])('fills dialogs that are opened where it is %i wide', async (width) => {
      const page = await bench().visit('plans', { viewport: { width, height: 900 } });
      await page.getByRole('button', { name: 'New plan' }).click();
      const table = page.locator('dialog .scroll');
      const [own, around] = await Promise.all(
        [table, page.locator('dialog fieldset')].map(
          async (one) => (await one.first().boundingBox())?.width ?? 0,
        ),
      );
      expect(own).toBeGreaterThan(0.9 * (around ?? Infinity));
    });

    it('says that a form is being sent, and offers to stop waiting where that takes long', async () => {
      const page = await bench().visit('keys');
      await page.clock.install();
      await page.getByRole('button', { name: 'New account' }).click();
      await page.getByLabel('Account name').fill('slow');
      await page.route('**/admin/v1/accounts', () => new Promise(() => {}));
      const create = page.getByRole('button', { name: 'Create account' });
      await create.click();
      await expect.poll(() => create.getAttribute('aria-busy')).toBe('true');
      await page.locator('.slow-work').waitFor({ state: 'attached' });
      await page.clock.runFor(9000);
      await page.getByText('The server takes long to answer.').waitFor();
      await page.getByRole('button', { name: 'Stop waiting' }).click();
      await page.getByRole('alert').getByText('You stopped waiting.').waitFor();
      expect(await create.getAttribute('aria-busy')).toBe('false');
    });

    it('has the views for which a phone has no room among the settings', async () => {
      const page = await bench().visit('models', { viewport: { width: 390, height: 844 } });
      const batches = page.getByRole('link', { name: 'Batches' });
      await page.getByRole('link', { name: 'Usage' }).waitFor();
      expect(await batches.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.locator('dialog').getByRole('link', { name: 'Batches' }).click();
      await page.getByRole('heading', { name: 'Batches', exact: true }).waitFor();
    });

    it('tells a failed download in place of a failed search', async () => {
      const page = await bench().visit('models');
      for (const path of ['hub-models?**', 'models/pull'])
        await page.route(`**/admin/v1/${path}`, (route) =>
          route.fulfill({ status: 503, json: { error: { message: `${path} failed`, code: 'pull_failed' } } }),
        );
      const problems = page.locator('main .problem').filter({ hasText: 'failed' });
      await page.getByRole('textbox', { name: /^Search Hugging Face/ }).fill('gemma');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await problems.filter({ hasText: 'hub-models' }).waitFor();
      await page
        .getByRole('list', { name: 'Runs well' })
        .getByRole('button', { name: /^Get / })
        .first()
        .click();
      // It is told in the row where it was asked for.
      await page.getByRole('list', { name: 'Runs well' }).getByText('models/pull failed').waitFor();
      expect(await problems.count()).toBe(1);
      await problems.getByRole('button', { name: 'Try again' }).waitFor();
    });

    it('shows what it saw last of a view that is opened while the server is away', async () => {
      const page = await bench().visit('keys');
      await page.locator('.account').first().waitFor();
      for (const view of ['Now', 'Models']) {
        await page.getByRole('link', { name: view }).click();
        await page.getByRole('heading', { name: view, level: 1 }).waitFor();
        await page
          .getByText(/ of .* (GB|MB)$/)
          .first()
          .waitFor();
      }
      await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
      await page.context().setOffline(true);
      const old = page.getByRole('alert').getByText(/^Showing what the server reported until \d\d:\d\d\.$/);
      await old.waitFor();
      await page.getByRole('link', { name: 'Keys' }).click();
      await page.locator('.account').first().waitFor();
      await page.getByRole('link', { name: 'Now' }).click();
      await page.getByRole('heading', { name: 'Latest requests' }).waitFor();
      // What is told of this moment is pale.
      const paleness = () =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('.figures-row')).opacity`);
      await expect.poll(paleness).toBe('0.45');
      // Of a view without anything to show it is said once, with one way to try again.
      await page.getByRole('link', { name: 'Batches' }).click();
      await page.getByText('Nothing to show yet').first().waitFor();
      await old.waitFor({ state: 'hidden' });
      expect(await page.getByRole('button', { name: /^Try/ }).allInnerTexts()).toEqual(['Try now']);
      await page.context().setOffline(false);
      await old.waitFor({ state: 'detached' });
    });

    it('offers to ask again for what could not be loaded, and clears a filter that nothing matches', async () => {
      // A measure that nothing in sight has stays chosen.
      const page = await bench().visit('usage/1d/model/units');
      await page.getByText(/ until now/).waitFor();
      expect(await page.getByLabel('Measure').inputValue()).toBe('units');
      await page.route('**/admin/v1/plans', (route) =>
        route.fulfill({ status: 500, json: { error: { message: 'No plans now.', code: 'internal_error' } } }),
      );
      await page.goto(`${bench().origin}/#/plans`);
      const problem = page.getByRole('alert').filter({ hasText: 'No plans now.' });
      await problem.waitFor();
      await page.unroute('**/admin/v1/plans');
      await problem.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('row', { name: /^standard/ }).waitFor();
      await page.goto(`${bench().origin}/#/keys/nobody`);
      await page.getByText('Nothing matches the filter.').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.locator('.account').first().waitFor();
    });

    it('says so where the server takes every request and answers none', async () => {
      const page = await bench().visit('usage', { movesTime: true });
      await page.getByText(/ until now/).waitFor();
      await page.route(/healthz|usage\?/, () => new Promise(() => undefined));
      // A page that asks nothing looks as well whether the server is there, long before the next reading at 30 s.
      await page.clock.fastForward(5000);
      const banner = page.getByRole('alert').filter({ hasText: 'The server does not answer.' });
      await banner.waitFor();
      // On a phone what can be done stands beside it.
      await page.setViewportSize({ width: 390, height: 844 });
      expect((await banner.boundingBox())?.height).toBeLessThan(100);
      await banner.getByRole('button', { name: 'Try now' }).click();
      await page.unroute(/healthz|usage\?/);
      // The page finds the way back by itself.
      await banner.waitFor({ state: 'detached' });
    });

    it('has the title of a view whose file does not come, and says of nothing that it was reported', async () => {
      const page = await bench().visit('keys', { movesTime: true });
      await page.locator('.account').first().waitFor();
      await page.route(/healthz|assets\/audit-view/, () => new Promise(() => undefined));
      await page.goto(`${bench().origin}/#/audit`);
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      await page.clock.fastForward(6000);
      await page.getByText('The server takes long.').waitFor();
      await page.getByRole('button', { name: 'Try now' }).click();
      await page.clock.fastForward(6000);
      await page.getByText('Nothing to show yet').waitFor();
      expect(await page.getByText('Showing what the server reported').isVisible()).toBe(false);
      await page.unroute(/healthz|assets\/audit-view/);
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    it.each([
      ['chat', /assets\/notes-/],
      ['usage', /assets\/usage-view/],
    ])('says of %s that the server has its files no more, and loads it anew', async (view, file) => {
      const page = await bench().visit('keys');
      await page.route(file, (route) => route.fulfill({ status: 404 }));
      await page.goto(`${bench().origin}/#/${view}`);
      await page.getByText('The server no longer has this view.').waitFor();
      await page.unroute(file);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('The server no longer has this view.').waitFor({ state: 'detached' });
      await (view === 'chat' ? page.locator('#composer') : page.getByText(/ until now/)).waitFor();
    });

    it('leads from what was not answered to both kinds of it, and back to the accounts that were open', async () => {
      await use(bench().keys.user);
      const page = await bench().visit('keys');
      await page.route(/usage\?by=account/, async (route) => {
        const list = (await (await route.fetch()).json()) as { data: object[] };
        const data = list.data.map((one) => ({ ...one, failed_requests: 2, refused_requests: 3 }));
        await route.fulfill({ json: { ...list, data } });
      });
      await page.reload();
      const account = page.locator('.account').getByRole('button', { name: 'local', exact: true });
      const before = await account.getAttribute('aria-expanded');
      await account.click();
      await page.getByTitle('2 failed, 3 refused').getByRole('link').first().click();
      await expect.poll(() => page.getByLabel('Measure').inputValue()).toBe('unanswered_requests');
      await page.goBack();
      // The only one is open from the beginning.
      await expect
        .poll(() => account.getAttribute('aria-expanded'))
        .toBe(before === 'true' ? 'false' : 'true');
    });

    it('tells no more of the budgets of a key and an account that are gone, as soon as they are', async () => {
      const budgets = { requests: { day: 1 } };
      await make('accounts', { name: 'passing', budgets });
      const { value: secret, id } = await make('keys', { account: 'passing', name: 'guest', budgets });
      await use(secret);
      const page = await bench().visit('now');
      const notice = page.getByText(/^The budget of the account passing is used up/);
      const ofKey = page.getByText(/^The budget of the key guest of passing is used up/);
      await notice.waitFor();
      await ofKey.waitFor();
      await bench().askAdmin('DELETE', `keys/${id}`);
      await ofKey.waitFor({ state: 'detached' });
      await bench().askAdmin('DELETE', 'accounts/passing');
      await notice.waitFor({ state: 'detached' });
    });

    it('is sorted and filtered after a reload as before', async () => {
      for (const name of ['berta', 'anton', 'caesar', 'dora', 'emil', 'fritz', 'gustav', 'heinrich'])
        await make('accounts', { name });
      const page = await bench().visit('keys');
      await page.locator('.account', { hasText: 'heinrich' }).waitFor();
      const names = () => page.locator('.account th > :first-child').allInnerTexts();
      await page.locator('.accounts').getByRole('button', { name: 'Account' }).click();
      await page.getByRole('searchbox', { name: 'Filter accounts and keys' }).fill('a');
      const before = await names();
      expect(before).toEqual(before.toSorted().toReversed());
      await page.reload();
      await expect.poll(names).toEqual(before);
      expect(before.length).toBeGreaterThan(3);
      expect(before).not.toContain('fritz');
    });

    it('offers no closing of an invitation that is full, only to take back its keys', async () => {
      const { path } = await make('invitations', { name: 'one seat', seats: 1 });
      const code = path.split('=')[1];
      const claim = {
        method: 'POST',
        body: JSON.stringify({ code, browser: '0'.repeat(32), name: 'only guest' }),
      };
      const headers = { 'content-type': 'application/json', origin: bench().origin };
      expect((await fetch(`${bench().origin}/page/claim`, { ...claim, headers })).ok).toBe(true);
      const page = await bench().visit('invitations');
      const row = page.locator('#invitations').getByRole('row', { name: /^one seat/ });
      await row.getByText('full').waitFor();
      await row.getByRole('button', { name: 'More: one seat' }).click();
      expect(await row.locator('.item').allInnerTexts()).toEqual(['Revoke its keys']);
    });

    it('keeps all of a name that is too long, and says so', async () => {
      const page = await bench().visit('keys');
      await page.getByRole('button', { name: 'New account' }).click();
      const field = page.getByLabel('Account name');
      // Blanks are no name either, in the same words as nothing at all.
      await field.fill('  ');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('alert').getByText('Fill in "Account name".').waitFor();
      await field.fill('n'.repeat(70));
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('alert').getByText('At most 64 letters, and these are 70.').waitFor();
      expect(await field.inputValue()).toHaveLength(70);
    });

    it('keeps the focus on a button that can do nothing now', async () => {
      const page = await bench().visit('models');
      const row = page.getByRole('row', { name: /^\W*tiny/ });
      await row.getByRole('button', { name: 'Unload' }).waitFor();
      await row.getByRole('button', { name: 'Unload' }).press('Enter');
      await row.getByRole('button', { name: 'Load', exact: true }).waitFor();
      await expect.poll(() => focused(page)).toBe('Load');
      await page
        .getByRole('searchbox')
        .or(page.getByLabel(/^Search Hugging Face/))
        .first()
        .fill('');
      const get = page.getByRole('button', { name: 'Get', exact: true, disabled: true });
      await get.press('Enter');
      await expect.poll(() => focused(page)).toBe('Get');
      // The main action names the missing field.
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByText(/^Enter the name or the address of a model/).waitFor();
      expect(await page.getByRole('list', { name: 'Found on Hugging Face' }).count()).toBe(0);
    });

    it('says in a sentence that a model cannot be loaded, and has what its loader said behind it', async () => {
      const page = await bench().visit('models');
      await page
        .getByRole('row', { name: /^\W*aborts/ })
        .getByRole('button', { name: 'Load' })
        .click();
      for (const [view, place] of [
        ['models', '.problem'],
        ['now', '.notices dd'],
      ] as const) {
        await page.goto(`${bench().origin}/#/${view}`);
        const told = page.locator(place, { hasText: "The model 'aborts' cannot be loaded." });
        await told.waitFor();
        expect(await told.locator('details[open]').count()).toBe(0);
        await told.getByText('Details').click();
        await told.getByText('loading it ends the process').waitFor();
      }
    });
  },
);
