import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';
import { accessibilityFindings, PageBench, pagePatienceMs } from '../../support/page/page.ts';
import {
  clientSecret,
  oidcFor,
  openIdentityProvider,
  pageUrl,
  type IdentityProviderBench,
} from '../../support/sign-in/identity-provider.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';

describe.skipIf(chromiumPath === undefined)(
  'accounts on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let house: IdentityProviderBench;
    let modelsDir: string;
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      modelsDir = await createModelsDir({ tiny: await tinyModel() });
      house = await openIdentityProvider();
      server = await startServer({
        modelsDirs: [modelsDir],
        config: { demo: false, models: [{ id: 'tiny', threads: 1 }], oidc: oidcFor(house.issuer) },
        env: { OIDC_SECRET: clientSecret },
      });
      const { host } = new URL(server.baseUrl);
      bench = await PageBench.open(server, [`--host-resolver-rules=MAP hearth.test ${host}`]);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      await bench[Symbol.asyncDispose]();
      await server.stop();
      await house.close();
      rmSync(modelsDir, { recursive: true });
    });

    it('tells people when their trial ends, and operators of spent budgets until they hide that', async () => {
      const send = async (path: string, body: object, key = bench.keys.admin) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const request = { method: 'POST', headers, body: JSON.stringify(body) };
        return (await (await fetch(`${bench.origin}/${path}`, request)).json()) as { value: string };
      };
      await send('admin/v1/accounts', { name: 'spender', plan: 'trial', budgets: { requests: { day: 5 } } });
      const { value: user } = await send('admin/v1/keys', { account: 'spender' });
      for (let asked = 0; asked < 5; asked++)
        await send('v1/completions', { model: 'tiny', prompt: 'a', max_tokens: 1 }, user);
      const own = await bench.visit('limits', { keys: { user } });
      await own
        .getByText(/^Your account is on the “trial” plan until .* After that, the “reduced” plan/)
        .waitFor();
      await own.getByRole('heading', { name: 'You have used up your allowance for now' }).waitFor();
      await own.getByText(/^0 of 5 left · resets /).waitFor();
      await own.getByRole('row', { name: /^tiny 5 / }).waitFor();
      // A used-up budget has the colour of a fault.
      await own.getByText('100% used').waitFor();
      const colourOf = (selector: string) =>
        own.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
      expect(await colourOf('.bar .figures')).not.toBe(await colourOf('.lead'));
      await own.setViewportSize({ width: 390, height: 844 });
      await own.locator('.balances .bar').first().waitFor();
      // Other models do not help.
      expect(await own.getByText(/all of it left/).count()).toBe(0);
      // Their names are whole on a phone.
      const names = own.locator('.balances .bar > span');
      expect(
        await names.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length),
      ).toBe(0);
      // From any view, on a phone, too, the navigation tells that there is something.
      const elsewhere = await bench.visit('models', { viewport: { width: 390, height: 844 } });
      await elsewhere.getByRole('link', { name: 'Now 1 notice' }).waitFor();
      expect(await accessibilityFindings(elsewhere)).toEqual([]);
      const page = await bench.visit('now');
      const notice = page.getByText('The budget of the account spender is used up: 5 requests per day.');
      await notice.waitFor();
      const told = page.locator('.notices > div', { has: notice });
      // It keeps its place, and the focus, and can be had again by itself.
      await told.getByRole('button', { name: 'Hide in this browser' }).press('Enter');
      await page.getByRole('link', { name: 'Now', exact: true }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await told.locator('button:focus').and(page.getByText('Undo')).press('Enter');
      await page.getByRole('link', { name: 'Now 1 notice' }).waitFor();
      expect(await told.getByRole('link').getAttribute('href')).toBe('#/keys/spender');
      await told.getByRole('button', { name: 'Hide in this browser' }).click();
      await page.reload();
      await page.getByText('1 notice is hidden.').waitFor();
      // Of two about the same budget the newer one held.
      expect(await page.getByText(/of (the budget of )?spender (is|are) used/).count()).toBe(0);
      await page.getByRole('button', { name: 'Show again' }).click();
      await page.getByRole('link', { name: 'Now 1 notice' }).waitFor();
    });

    it('gives accounts and keys budgets, changes them, and finds one account among many', async () => {
      const page = await bench.visit('keys');
      const dialog = page.locator('dialog');
      const setBudget = async (limit: string, measure: string, period: string) => {
        await dialog.getByRole('button', { name: 'Add a budget' }).click();
        await dialog.getByRole('textbox', { name: 'Budget' }).last().fill(limit);
        await dialog.getByLabel('Of', { exact: true }).last().selectOption(measure);
        await dialog.getByLabel('Per', { exact: true }).last().selectOption(period);
      };
      // Somebody who is faster than the list of plans gets the dialog with it.
      const plans = Promise.withResolvers<void>();
      await page.route('**/admin/v1/plans', async (route) => {
        await plans.promise;
        await route.continue();
      });
      await page.reload();
      await page.getByRole('button', { name: 'New account' }).click();
      plans.resolve();
      const named = dialog.getByLabel('Account name');
      await named.fill('a/family');
      await dialog.getByRole('button', { name: 'Create account' }).click();
      await dialog.locator('.field').getByRole('alert').waitFor();
      await page.locator('input[name=name][aria-invalid=true]:focus').waitFor();
      await named.fill('family');
      await setBudget('100', 'requests', 'day');
      await setBudget('5000', 'tokens', 'month');
      // On a phone, too, all of it is in sight.
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await dialog.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
      await page.setViewportSize({ width: 1280, height: 720 });
      await dialog.getByRole('button', { name: 'Create account' }).click();
      const row = page.locator('.account', { hasText: 'family' });
      await page.getByRole('status').getByText('Created the account "family".').waitFor();
      await row.getByText('100 requests per day, 5,000 tokens per month, all free').waitFor();
      await row.getByRole('button', { name: 'Change: family' }).click();
      await dialog.getByRole('button', { name: 'Remove budget' }).first().click();
      await dialog.getByLabel('Plan').selectOption('standard');
      await named.fill('the family');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').getByText('Saved the account "the family".').waitFor();
      await row.getByTitle('5,000 tokens per month').waitFor();
      await row.getByText('standard').waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      await dialog.getByLabel('Account').selectOption({ label: 'the family' });
      await dialog.getByLabel('Name').fill('tablet');
      await setBudget('7', 'requests', 'week');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByRole('button', { name: 'Copy' }).first().click();
      await dialog.getByRole('button', { name: 'Done' }).click();
      const key = page.locator('.key', { hasText: 'tablet' });
      await key.getByTitle('7 requests per week').waitFor();
      await key.getByRole('button', { name: 'Change: tablet' }).click();
      await dialog.getByRole('textbox', { name: 'Budget' }).fill('9');
      await dialog.getByLabel('Requests at once').fill('2');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await key.getByTitle('9 requests per week').waitFor();
      await page.getByRole('status').getByText('Saved the key "tablet" of "the family".').waitFor();
      await key.locator('button.plain').click();
      await page.getByText('2 requests at once').waitFor();
      await page.getByRole('heading', { name: 'Budgets of the account "the family"' }).waitFor();
      for (let index = 0; index < 20; index++) {
        await bench.askAdmin('POST', 'accounts', { name: `pupil-${index}` });
        await bench.askAdmin('POST', 'keys', { account: `pupil-${index}` });
      }
      await page.reload();
      await page.getByRole('searchbox', { name: 'Filter' }).fill('pupil');
      await page.locator('.account', { hasText: 'family' }).waitFor({ state: 'detached' });
      const names = await page.locator('.account button.plain').allInnerTexts();
      expect(names).toEqual(Array.from({ length: 20 }, (_, index) => `pupil-${index}`));
      // Each key that is seen asks for its balances.
      expect(await page.locator('.key').count()).toBe(0);
      await page.getByRole('searchbox', { name: 'Filter' }).fill('pupil-17');
      await page.locator('.key').waitFor();
      await expect
        .poll(() => page.locator('.account').allInnerTexts())
        .toEqual([expect.stringContaining('pupil-17')]);
      await page.getByRole('button', { name: 'Change: pupil-17' }).click();
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await page
        .getByRole('dialog', { name: 'Delete the account' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await page.locator('.account').waitFor({ state: 'detached' });
    });

    it('makes a plan, changes it, shows what it allows, and keeps one that accounts are on', async () => {
      const page = await bench.visit('plans', { viewport: { width: 390, height: 844 } });
      const dialog = page.locator('dialog');
      await page.getByRole('button', { name: 'New plan' }).click();
      // It begins as the usual plan, with amounts as the table writes them.
      const limit = (name: string) => dialog.getByLabel(name, { exact: true });
      await expect.poll(() => limit('requests per hour').inputValue()).toBe('20K');
      expect(await limit('audio per hour').inputValue()).toBe('10 h');
      await limit('audio per hour').fill('a lot');
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      await dialog.getByText('Fill in "Name".').waitFor();
      const cell = dialog.locator('td', { has: page.getByLabel('audio per hour') });
      await cell.getByText('Enter a time, such as 10 h, 30 min or 45 s.').waitFor();
      await dialog.getByLabel('Starts as').selectOption('a plan without limits');
      await dialog.getByLabel('Name').fill('team');
      for (const wrong of ['lots', '-3', '0', '2.5', '900M']) {
        await limit('requests per minute').fill('3');
        await dialog.getByText('of 3 requests a minute, one comes back every 20 s').waitFor();
        await limit('requests per minute').fill(wrong);
        await dialog.getByText('one comes back every').waitFor({ state: 'detached' });
      }
      await limit('requests per minute').fill('3');
      await dialog.getByRole('button', { name: 'Add a budget' }).click();
      await dialog.getByRole('textbox', { name: 'Budget' }).fill('5000');
      await limit('requests per minute').focus();
      expect(await dialog.getByRole('textbox', { name: 'Budget' }).inputValue()).toBe('5,000');
      expect(await accessibilityFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      const row = page.getByRole('row', { name: /^team/ });
      await row.getByText('3 requests per minute').waitFor();
      await row.getByText('5,000 tokens per day').waitFor();
      await page.getByRole('status').getByText('Created the plan "team".').waitFor();
      await page.getByRole('button', { name: 'New plan' }).click();
      await page.keyboard.type('team');
      await limit('audio per hour').fill('a lot');
      await limit('requests per minute').fill('30K');
      await dialog.getByText(/this has no effect: requests per minute\.$/).waitFor();
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      await dialog.getByText('There is already a plan "team"').waitFor();
      await cell.getByText('Enter a time, such as 10 h, 30 min or 45 s.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      await row.getByText('3 requests per minute').waitFor();
      await expect.poll(() => row.locator('td.none').count()).toBe(1);
      await row.getByRole('button', { name: 'Change: team' }).click();
      await dialog.getByLabel('requests per minute').fill('');
      await dialog.getByLabel('output tokens per 30 days').fill('9');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row.getByText(/^9 output tokens per 30 days/).waitFor();
      await page.getByRole('status').getByText('Saved the plan "team".').waitFor();
      await page.getByRole('link', { name: /^Accounts/ }).click();
      await page.getByRole('button', { name: 'New account' }).click();
      await dialog.getByLabel('Account name').fill('crew');
      await dialog.getByLabel('Plan').selectOption('team');
      await dialog
        .getByText('Each key: 9 output tokens per 30 days. All keys together: 5,000 tokens per day.')
        .waitFor();
      await dialog.getByRole('button', { name: 'Create account' }).click();
      // It is in sight, marked for a moment, and offers the key that it lacks.
      await page.locator('.account.made', { hasText: 'crew' }).waitFor();
      await page.getByRole('button', { name: 'Create a key: crew' }).waitFor();
      await page.getByRole('link', { name: /^Plans/ }).click();
      await row.getByRole('button', { name: 'Change: team' }).click();
      await page.getByRole('dialog', { name: 'Plan team' }).waitFor();
      await dialog
        .getByText('A plan keeps its name. 1 account has this plan: changes apply to it at once.')
        .waitFor();
      await dialog.getByText('It can be deleted once nothing uses it.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Delete plan' }).count()).toBe(0);
    });

    it('invites people, shows who came, and takes their keys back', async () => {
      const page = await bench.visit('invitations');
      const dialog = page.locator('dialog');
      await page.getByRole('button', { name: 'New invitation' }).click();
      await dialog.getByLabel('What it is for').fill('class 7b');
      await dialog.getByLabel('How many people can join').fill('999999999');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      await dialog.getByText('At most 10,000.', { exact: true }).waitFor();
      await dialog.getByLabel('How many people can join').fill('2');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      const lost = await dialog.locator('.secret code').innerText();
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByRole('button', { name: 'Close' }).click();
      const row = page.getByRole('row', { name: /class 7b/ });
      await row.getByText('0 of 2').waitFor();
      const more = row.getByRole('button', { name: 'More: class 7b' });
      await more.click();
      await row.getByRole('button', { name: 'New link' }).click();
      await dialog.getByRole('button', { name: 'New link' }).click();
      const link = await dialog.locator('.secret code').innerText();
      expect(link).not.toBe(lost);
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await row.getByText(/^Each key: /).waitFor();
      const response = await fetch(`${bench.origin}/page/claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: link.split('=')[1], browser: '0'.repeat(32), name: 'ada' }),
      });
      expect(response.status).toBe(200);
      await row.getByText('1 of 2').waitFor();
      await row.getByText('ada').waitFor();
      await page.getByRole('link', { name: 'Audit' }).click();
      await page.getByRole('row', { name: /Created the account ada the invitation “class 7b”/ }).waitFor();
      await page.getByRole('link', { name: /^Invitations/ }).click();
      await more.click();
      await row.getByRole('button', { name: 'Revoke its keys' }).click();
      await dialog.getByRole('button', { name: 'Revoke its keys' }).click();
      await page.getByRole('status').getByText('and revoked its key.').waitFor();
      await page.getByText('1 closed').click();
      await row.getByText('closed', { exact: true }).waitFor();
      const { value } = (await response.json()) as { value: string };
      const headers = { authorization: `Bearer ${value}` };
      expect((await fetch(`${bench.origin}/v1/models`, { headers })).status).toBe(401);
    });

    it('lets those who are invited join once, from the network', async () => {
      const network = pageUrl.slice(0, -1);
      const trial = { name: 'trial', days: 30, limits: { requests: { minute: 60 } } };
      await bench.askAdmin('POST', 'plans', { ...trial, account: { tokens: { week: 5000 } } });
      const invitation = { name: 'class 7b', seats: 2, scopes: ['chat'] };
      const { path } = await bench.askAdmin<{ path: string }>('POST', 'invitations', invitation);
      const page = await bench.visit('chat', { keys: null, origin: network });
      await page.goto(network + path);
      await page.getByRole('heading', { name: 'class 7b' }).waitFor();
      await page
        .getByText('You may use up to 5,000 tokens per week with all your keys together, for 30 days.')
        .waitFor();
      await page.getByText(/^You can join until /).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.type('Anna');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('heading', { name: 'Welcome, Anna' }).waitFor();
      await page.getByText('Your key for other programs').waitFor();
      const secret = await page.locator('main code').innerText();
      expect(secret).toMatch(/^hk-/);
      // Who loads it anew is in already: the key was shown this once.
      await page.reload();
      await page.getByText('already joined, as Anna').waitFor();
      await page.getByRole('button', { name: 'Start chatting' }).click();
      await page.locator('#composer').waitFor();
      expect(page.url()).not.toContain('invite');
      // Who closes the tab is in again.
      const later = await bench.visitIn(page.context(), 'chat', network);
      await later.locator('#composer').waitFor();
      await later.close();
      await page.goto(network + path);
      await page.getByText('already joined, as Anna').waitFor();
      const namesake = await bench.visit('chat', { keys: null, origin: network });
      await namesake.goto(network + path);
      const more = namesake.getByText('60 requests per minute with each key, of each model');
      expect(await more.isVisible()).toBe(false);
      await namesake.getByText('Everything you may use').click();
      await more.waitFor();
      await namesake.getByLabel('Your name').fill('anna');
      await namesake.getByRole('button', { name: 'Join' }).click();
      await namesake.getByText('There is an account "Anna" already.').waitFor();
      await namesake.getByRole('button', { name: 'sign in with your key' }).click();
      await namesake.getByRole('heading', { name: 'Sign in to hearth' }).waitFor();
      await page.goto(`${network}/#invite=unknown`);
      await page.getByText('There is no such invitation.').waitFor();
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      await page.getByRole('button', { name: 'Go to your chats' }).click();
      await page.locator('#composer').waitFor();
      // Who has lost the key is told so, and may sign in with another one.
      await page.evaluate(() => {
        localStorage.removeItem('hearth-keys');
        sessionStorage.clear();
      });
      await page.goto(network + path);
      await page.getByText('Sign in with the key that you got then.').waitFor();
      await page.getByRole('button', { name: 'Sign in to hearth' }).waitFor();
    });

    it('signs people in by the provider of the house, and out', async () => {
      const page = await bench.visit('chat', { keys: null, origin: pageUrl.slice(0, -1) });
      const enter = page.getByRole('link', { name: 'Sign in with the school' });
      house.lets(null);
      await enter.click();
      await page.getByRole('alert').getByText('You were not let in').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      house.lets('ada', { preferred_username: 'ada lovelace', groups: ['pupils'] });
      await enter.click();
      await page.locator('#composer').waitFor();
      const secrets = await page.evaluate(() => sessionStorage.getItem('hearth-keys'));
      const { user } = JSON.parse(secrets ?? '') as { user: string };
      const headers = { authorization: `Bearer ${user}` };
      expect((await fetch(`${bench.origin}/v1/models`, { headers })).status).toBe(200);
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      const left = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
      await page.getByRole('dialog', { name: 'Sign out' }).getByRole('button', { name: 'Sign out' }).click();
      await left;
      expect((await fetch(`${bench.origin}/v1/models`, { headers })).status).toBe(401);
      expect(await enter.getAttribute('href')).toBe(`${pageUrl}page/oidc?anew=true`);
    });

    it('asks before it signs out', async () => {
      const page = await bench.visit('chat');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      // It says who that is; names are those of controls alone, and nothing is deleted where nothing is.
      await page.getByText(/^Signed in as \S+ \(plan \S+\)$/).waitFor();
      await page.getByRole('combobox', { name: 'Titles are written by', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Delete my chats on the server' }).count()).toBe(0);
      const signOut = page.getByRole('button', { name: 'Sign out' });
      await signOut.click();
      const question = page.getByRole('dialog', { name: 'Sign out' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      // The keyboard is where it was.
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign out');
      await signOut.click();
      await question.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate("sessionStorage.getItem('hearth-keys')")).toBeNull();
    });
  },
);
