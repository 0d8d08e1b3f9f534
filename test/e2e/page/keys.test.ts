import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { accessibilityFindings, pagePatienceMs } from '../../support/page/page.ts';
import { screens, useTinyPage } from '../../support/page/tiny-page.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { makeKey } from '../../support/server/make-accounts.ts';

/** So often the page asks for accounts and keys. */
const pollMs = 5000;

/** A change of a thing that somebody else deletes meanwhile, and the message. */
const stale = [
  {
    view: 'keys',
    path: 'accounts/stale',
    opens: 'Change: stale',
    write: (page: Page) => page.getByRole('button', { name: 'Add a budget' }).click(),
    told: 'This account has been deleted in the meantime',
  },
  {
    view: 'keys/old',
    path: 'keys/{key}',
    opens: 'Change: old laptop',
    write: (page: Page) => page.locator('dialog').getByLabel('Name').fill('new laptop'),
    told: 'This key has been revoked in the meantime',
  },
  {
    view: 'plans',
    path: 'plans/passing',
    opens: 'Change: passing',
    write: (page: Page) => page.getByLabel('requests per minute').fill('5'),
    told: 'This plan has been deleted in the meantime',
  },
] as const;

describe.skipIf(chromiumPath === undefined)(
  'keys and dialogs of operators (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    const { bench, server, make } = useTinyPage();
    const remove = (path: string) => bench().askAdmin('DELETE', path);

    it.each([
      ['keys', 'New key'],
      ['keys', 'New account'],
      ['invitations', 'New invitation'],
      ['plans', 'New plan'],
      ['keys', 'Change: local'],
      ['keys/local', 'Revoke the key that you are signed in with'],
      ['keys', 'Settings'],
      ['models/tiny', 'Model settings'],
      ['chat', 'Chat settings'],
    ])(
      'in %s the dialog of %s ends with the buttons that it has, and shows all that there is room for',
      async (view, opens) => {
        const page = await bench().visit(view);
        const own = page.getByRole('row').filter({ hasText: 'this key' });
        if (opens.startsWith('Revoke')) await own.getByRole('button', { name: /^More: / }).click();
        await page.getByRole('button', { name: opens, exact: true }).first().click();
        await page.locator(opens === 'Settings' ? 'dialog > .dialog-body' : 'dialog > .actions').waitFor();
        for (const viewport of screens) {
          await page.setViewportSize(viewport);
          const shown = await page.locator('dialog').evaluate((dialog) => {
            const body = dialog.querySelector(':scope > .dialog-body');
            const end = dialog.querySelector(':scope > .actions');
            if (!body) throw new Error('it has no content');
            const { bottom } = dialog.getBoundingClientRect();
            body.scrollTop = body.scrollHeight;
            const bottoms = [...body.querySelectorAll('*')]
              .filter((one) => one.checkVisibility())
              .map((one) => one.getBoundingClientRect().bottom);
            return {
              below: end && bottom - 1 - end.getBoundingClientRect().bottom,
              isCovered: Math.max(...bottoms) > (end?.getBoundingClientRect().top ?? bottom),
              scrolls: body.scrollHeight > body.clientHeight,
              height: dialog.getBoundingClientRect().height,
              isTooWide: body.scrollWidth > body.clientWidth,
            };
          });
          expect(shown, JSON.stringify(viewport)).toMatchObject({
            below: opens === 'Settings' ? null : 0,
            isCovered: false,
            isTooWide: false,
          });
          if (shown.scrolls) expect(shown.height).toBeGreaterThan(viewport.height - 33);
        }
      },
    );

    it.each(stale)('keeps what was written where $told', async ({ view, path, opens, write, told }) => {
      await make('accounts', { name: 'stale' });
      const { id } = await make('keys', { account: 'local', name: 'old laptop' });
      await make('plans', { name: 'passing', limits: { requests: { minute: 3 } } });
      const page = await bench().visit(view, { movesTime: true });
      await page.getByRole('button', { name: opens, exact: true }).click();
      await write(page);
      await remove(path.replace('{key}', id));
      await page.clock.fastForward(pollMs);
      if (!path.startsWith('plans'))
        await page.getByRole('button', { name: opens, exact: true }).waitFor({ state: 'detached' });
      for (const input of await page.locator('dialog .budgets input').all()) await input.fill('7');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').getByRole('alert').getByText(told).waitFor();
      if (!path.startsWith('accounts')) await remove('accounts/stale');
      await remove(`keys/${id}`);
    });

    it('asks whose key it is that is revoked or replaced, also while somebody else revokes it', async () => {
      await make('accounts', { name: 'kim' });
      const { id, redacted_value: start } = await make('keys', { account: 'kim', name: 'laptop' });
      const page = await bench().visit('keys/kim', { movesTime: true });
      const dialog = page.getByRole('dialog');
      const more = page.getByRole('button', { name: 'More: laptop' });
      for (const verb of ['Replace', 'Revoke']) {
        await more.click();
        await page.getByRole('button', { name: new RegExp(`^${verb}`) }).click();
        await dialog.getByText(`the key "laptop" (${start}) of the account "kim"`).waitFor();
        await dialog.getByRole('button', { name: verb, exact: true }).waitFor();
        if (verb === 'Replace') await page.keyboard.press('Escape');
      }
      await remove(`keys/${id}`);
      await page.clock.fastForward(pollMs);
      await more.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('status').getByText('Revoked the key "laptop" of "kim".').waitFor();
      const focused = 'document.activeElement.closest("tr.account")?.innerText ?? ""';
      await expect.poll(() => page.evaluate<string>(focused)).toContain('kim');
    });

    it('lets the old key work on for a while where it is replaced', async () => {
      await make('keys', { account: 'local', name: 'printer' });
      const page = await bench().visit('keys/printer');
      await page.getByRole('button', { name: 'More: printer' }).click();
      await page.getByRole('button', { name: /^Replace/ }).click();
      await page.getByLabel('The old key').selectOption('works for another day');
      await page.getByRole('button', { name: 'Replace', exact: true }).click();
      await page.getByText(/The old key works until /).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Done' }).click();
      await expect.poll(() => page.locator('.key', { hasText: 'printer' }).count()).toBe(2);
    });

    it('sorts accounts by a column, finds keys in folded ones, and says where nothing is found', async () => {
      const asked = { model: 'tiny', prompt: 'a', max_tokens: 1 };
      for (const name of ['busy', 'calm', 'idle']) {
        await make('accounts', { name, budgets: name === 'calm' ? { requests: { day: 2 } } : undefined });
        const { value } = await make('keys', { account: name, name: `seat of ${name}` });
        for (let left = { busy: 3, calm: 1, idle: 0 }[name] ?? 0; left > 0; left--)
          await openClient({ ...server(), apiKey: value }).completions.create(asked);
      }
      for (let index = 0; index < 15; index++)
        await make('keys', { account: 'idle', name: `spare ${index}` });
      const page = await bench().visit('keys', { viewport: { width: 1440, height: 900 } });
      const names = () => page.locator('.account button.plain').allInnerTexts();
      const header = (name: string | RegExp) => page.locator('.accounts').getByRole('columnheader', { name });
      expect(await header('Account').getAttribute('aria-sort')).toBe('ascending');
      await header(/^Requests/)
        .getByRole('button')
        .click();
      expect(await header(/^Requests/).getAttribute('aria-sort')).toBe('descending');
      expect((await names()).slice(0, 2)).toEqual(['busy', 'calm']);
      await header(/^Requests/)
        .getByRole('button')
        .click();
      expect((await names()).slice(-2)).toEqual(['calm', 'busy']);
      await header('Limits').getByRole('button').click();
      expect((await names())[0]).toBe('calm');
      expect(await page.locator('.key').count()).toBe(0);
      await page.getByRole('searchbox', { name: 'Filter' }).fill('spare');
      await expect.poll(() => page.locator('.key mark').allInnerTexts()).toEqual(Array(15).fill('spare'));
      expect(await accessibilityFindings(page)).toEqual([]);
      // A number is that of a seat, and not a digit of another one or of a secret.
      await page.getByRole('searchbox', { name: 'Filter' }).fill('spare 1');
      await expect
        .poll(() => page.locator('.key mark').allInnerTexts())
        .toEqual(Array.from({ length: 6 }, () => ['spare', '1']).flat());
      await page.getByRole('searchbox', { name: 'Filter' }).fill('nobody');
      await page.getByText('Nothing matches the filter.').waitFor();
      expect(await page.locator('.accounts').count()).toBe(0);
      await page.getByRole('searchbox', { name: 'Filter' }).fill('');
      // A phone has no row of titles, but the same order.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByLabel('Sort by').selectOption('requests');
      expect((await names()).slice(0, 2)).toEqual(['busy', 'calm']);
      // One that lies on its side has each figure in one line.
      await page.setViewportSize({ width: 844, height: 390 });
      const tiles = await page.locator('.figures-row > div').all();
      for (const tile of tiles) expect((await tile.boundingBox())?.height).toBeLessThan(40);
    });

    it('lets a key that may only read press nothing that it may not do', async () => {
      await make('invitations', { name: 'meeting' });
      const keyFor = (...scopes: string[]) => makeKey(server(), 'local', { kind: 'admin', scopes }).secret;
      const admin = keyFor('read');
      const page = await bench().visit('keys', { keys: { ...bench().keys, admin } });
      await page.getByRole('heading', { name: 'Keys read-only' }).waitFor();
      const acts = /^(New|Change|More|Copy|Close the|Revoke|Load|Unload|Settings|Delete|Get)/;
      const parts = [
        ['keys', /local/],
        ['invitations', /^meeting/],
        ['plans', /^standard/],
      ] as const;
      for (const [part, name] of parts) {
        await page.goto(`${bench().origin}/#/${part}`);
        await page.getByRole('row', { name }).first().waitFor();
        expect(await page.locator('main').getByRole('button', { name: acts }).allInnerTexts()).toEqual([]);
      }
      await page.goto(`${bench().origin}/#/models/tiny`);
      await page.getByRole('heading', { name: 'Models read-only' }).waitFor();
      await page.locator('.details dt, .details dd').first().waitFor();
      expect(await page.locator('main').getByRole('button', { name: acts }).allInnerTexts()).toEqual([]);
      // One that makes accounts of a plan has all that it takes for that.
      const keys = { ...bench().keys, admin: keyFor('read', 'plan:standard') };
      const second = await bench().visit('keys', { keys });
      await second.getByRole('heading', { name: 'Keys creates accounts and keys only' }).waitFor();
      const makes = [['New account', 'New key'], ['New invitation'], []];
      for (const [index, [part, name]] of parts.entries()) {
        await second.goto(`${bench().origin}/#/${part}`);
        await second.getByRole('row', { name }).first().waitFor();
        const offered = second.locator('main').getByRole('button', { name: acts });
        expect(await offered.allInnerTexts()).toEqual(makes[index]);
      }
      await second.goto(`${bench().origin}/#/invitations`);
      await second.getByRole('button', { name: 'New invitation' }).click();
      expect(await second.locator('dialog').getByLabel('Plan').inputValue()).toBe('standard');
    });

    it('asks before it throws away what was written', async () => {
      const page = await bench().visit('keys');
      const form = page.getByRole('dialog', { name: 'New key' });
      await page.getByRole('button', { name: 'New key' }).click();
      await form.waitFor();
      await page.keyboard.press('Escape');
      await form.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'New key' }).click();
      await form.getByLabel('Name').fill('tablet');
      const leave = [
        () => page.keyboard.press('Escape'),
        () => form.getByRole('button', { name: 'Close' }).click(),
        () => page.mouse.click(5, 5),
      ];
      for (const act of leave) {
        await act();
        await page.getByRole('dialog', { name: 'Discard' }).waitFor();
        // It stands in the place of the form, and not over it.
        await form.waitFor({ state: 'hidden' });
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: 'Discard' }).waitFor({ state: 'detached' });
        expect(await form.getByLabel('Name').inputValue()).toBe('tablet');
      }
      // A browser says so of a file that was not chosen, and of a word that is written by several keys.
      await form.getByLabel('Name').dispatchEvent('cancel', { bubbles: true, cancelable: true });
      await form.getByLabel('Name').dispatchEvent('keydown', { key: 'Escape', isComposing: true });
      expect(await page.locator('dialog[open]').count()).toBe(1);
      // Chromium gives a page only some such questions: then it closes all dialogs at once.
      await form.getByRole('heading').click();
      for (let asked = 0; asked < 8; asked++) {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: 'Discard' }).waitFor();
        expect(await page.locator('dialog[open]').count()).toBe(2);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: 'Discard' }).waitFor({ state: 'detached' });
        await form.waitFor();
      }
      await form.getByLabel('Name').focus();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).click();
      // The keyboard is where it was.
      await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
      expect(await form.getByLabel('Name').inputValue()).toBe('tablet');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      await form.waitFor({ state: 'detached' });
    });

    it('has tabs for accounts, invitations and plans, and says where there is no view', async () => {
      await make('invitations', { name: 'evening' });
      const page = await bench().visit('plans');
      const tabs = page.getByRole('navigation', { name: 'Parts of this view' });
      const current = async () => (await tabs.locator('[aria-current=page]').innerText()).split(/\s/)[0];
      await page.getByRole('row', { name: /^standard/ }).waitFor();
      expect(await current()).toBe('Plans');
      await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
      await expect.poll(() => page.title()).toBe('Plans · hearth');
      expect(await page.locator('main table').count()).toBe(1);
      expect(await page.getByRole('link', { name: 'Keys' }).getAttribute('aria-current')).toBe('page');
      await tabs.getByRole('link', { name: /^Invitations \d+$/ }).click();
      await page.getByRole('row', { name: /^evening/ }).waitFor();
      expect(await current()).toBe('Invitations');
      await tabs.getByRole('link', { name: /^Accounts/ }).click();
      await page.locator('.account').first().waitFor();
      expect(await current()).toBe('Accounts');
      await page.goto(`${bench().origin}/#/files`);
      await page.getByRole('alert').getByText('There is no view "files"').waitFor();
      await page.locator('#composer').waitFor();
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    });

    it('has the focus on the title of what is opened in place of what had it', async () => {
      const page = await bench().visit('plans');
      for (const [button, next, title, isLeftOpen] of [
        ['New plan', 'invitations', 'Invitations', false],
        ['New invitation', 'usage', 'Usage', true],
      ] as const) {
        await page.getByRole('button', { name: button }).click();
        await page.locator('dialog[open]').waitFor();
        if (!isLeftOpen) await page.keyboard.press('Escape');
        await page.goto(`${bench().origin}/#/${next}`);
        await expect.poll(() => page.locator('h1:focus').allInnerTexts()).toEqual([title]);
      }
    });

    it('lists the shortcuts under ?, and goes by them', async () => {
      const page = await bench().visit('chat');
      await page.locator('#composer').waitFor();
      await page.locator('.thread').focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
    });

    it('shows what all accounts have left in place of the limits, of which an admin key has none', async () => {
      const page = await bench().visit('limits', { keys: { admin: bench().keys.admin } });
      await page.locator('.account').first().waitFor();
      await page.goto(`${bench().origin}/#/usage`);
      await page.getByText(/^All accounts, .* until now/).waitFor();
    });

    it('has accounts folded, but for one that is searched for or unfolded by hand', async () => {
      for (const name of ['left', 'right']) {
        await make('accounts', { name, plan: 'standard' });
        await make('keys', { account: name, name: `key of ${name}` });
      }
      const page = await bench().visit('keys');
      const key = (name: string) => page.locator('.key', { hasText: `key of ${name}` });
      const account = (name: string) => page.locator('.account').getByRole('button', { name, exact: true });
      await account('left').waitFor();
      expect(await page.locator('.key').count()).toBe(0);
      await account('left').click();
      await key('left').waitFor();
      const filter = page.getByRole('searchbox', { name: 'Filter accounts and keys' });
      await filter.fill('right');
      await key('right').waitFor();
      await filter.fill('');
      await key('right').waitFor({ state: 'detached' });
      // The account of a new key is chosen, so its name is written first.
      await filter.fill('right');
      await key('right').waitFor();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.keyboard.type('phone');
      expect(await page.locator('dialog').getByLabel('Name').inputValue()).toBe('phone');
      // A link finds an account also where the view is open, and the plain address finds all again.
      await page.goto(`${bench().origin}/#/keys/left`);
      await key('left').waitFor();
      await key('right').waitFor({ state: 'detached' });
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Keys' }).click();
      await account('right').waitFor();
      expect(await filter.inputValue()).toBe('');
      await page.getByRole('link', { name: /^Plans/ }).click();
      await page.getByRole('row', { name: /^standard/ }).waitFor();
      await page.getByRole('link', { name: /^Accounts/ }).click();
      await key('left').waitFor();
      // The message names the deleted account, and how many keys it had.
      await page.getByRole('button', { name: 'Change: left' }).click();
      await page.getByRole('button', { name: 'Delete account' }).click();
      await page.getByText(/and 1 key, which stops working at once/).waitFor();
      await page
        .getByRole('dialog', { name: 'Delete the account' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await page.getByRole('status').getByText('Deleted the account "left" and its 1 key.').waitFor();
    });

    it('says who is on a plan that is deleted, and keeps one that an invitation is for', async () => {
      await make('plans', { name: 'evening', limits: {} });
      await make('plans', { name: 'standard', limits: {} });
      await make('invitations', { name: 'course', plan: 'evening' });
      const page = await bench().visit('plans');
      const dialog = page.getByRole('dialog').last();
      await page.getByRole('button', { name: 'Change: evening' }).click();
      await page.getByText('1 open invitation has this plan').waitFor();
      expect(await dialog.getByRole('button', { name: 'Delete plan' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Change: standard' }).click();
      await dialog.getByRole('button', { name: 'Delete plan' }).click();
      await dialog.getByText(/The built-in plan of that name applies again/).waitFor();
      await dialog.getByRole('button', { name: 'Delete plan' }).click();
      await page.getByRole('status').getByText('Deleted the plan "standard".').waitFor();
    });
  },
);
