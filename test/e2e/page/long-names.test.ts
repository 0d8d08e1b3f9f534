import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { pagePatienceMs } from '../../support/page/page.ts';
import { screens, useTinyPage } from '../../support/page/tiny-page.ts';

describe.skipIf(chromiumPath === undefined)(
  'long names and the keyboard in views of operators (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    const { bench, make } = useTinyPage();
    it('shows names of any length in every view, whole and beside the other cells', async () => {
      const names = { account: 'm'.repeat(64), key: 'k'.repeat(100), plan: 'p'.repeat(64) };
      await make('plans', { name: names.plan, limits: { requests: { minute: 3 } } });
      await make('accounts', { name: names.account, plan: names.plan });
      const { value } = await make('keys', { account: names.account, name: names.key });
      await make('invitations', { name: 'i'.repeat(100), plan: names.plan });
      const body = JSON.stringify({ model: 'tiny', prompt: 'a', max_tokens: 1 });
      const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
      await fetch(`${bench().origin}/v1/completions`, { method: 'POST', headers, body });
      const page = await bench().visit('keys');
      for (const viewport of screens)
        for (const view of ['keys/mmm', 'plans', 'invitations', 'audit', 'now', 'usage']) {
          await page.setViewportSize(viewport);
          await page.goto(`${bench().origin}/#/${view}`);
          await page
            .locator('main table')
            .getByText(view === 'usage' ? 'tiny' : /[kmpi]{60}/)
            .first()
            .waitFor();
          const wide = await page
            .locator('main :is(th, td, .scroll, h2, dd)')
            .evaluateAll((all) =>
              all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML),
            );
          expect(wide, `${view} at ${viewport.width}`).toEqual([]);
        }
      await page.setViewportSize({ width: 390, height: 844 });
      for (const [view, name] of [
        ['keys/mmm', `Change: ${names.account}`],
        ['keys/mmm', `More: ${names.key}`],
        ['plans', `Change: ${names.plan}`],
      ] as const) {
        await page.goto(`${bench().origin}/#/${view}`);
        await page.getByRole('button', { name }).click();
        if (name.startsWith('More')) await page.getByRole('button', { name: 'Revoke' }).click();
        const dialog = page.locator('dialog .dialog-body');
        expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
        await page.keyboard.press('Escape');
      }
    });

    it('keeps the keyboard near what was pressed, when that or its dialog is gone', async () => {
      const focused = () => page.evaluate<unknown>('document.activeElement.textContent');
      await make('accounts', { name: 'kim', plan: 'trial' });
      const page = await bench().visit('keys/kim');
      await page.getByTitle(/^until .*, then reduced$/).waitFor();
      const dialog = page.getByRole('dialog');
      const made: string[] = [];
      await page.route(/\/admin\/v1\/(keys|invitations)$/, async (route) => {
        if (route.request().method() === 'POST') made.push(route.request().url());
        await setTimeout(300);
        await route.continue();
      });
      for (const [opens, makes] of [
        ['New key', 'Create key'],
        ['New invitation', 'Create link'],
      ] as const) {
        if (opens === 'New invitation') await page.getByRole('link', { name: /^Invitations/ }).click();
        await page.getByRole('button', { name: opens }).click();
        // The account that is looked at is the one that a key is made for.
        if (opens === 'New key')
          expect(await dialog.getByLabel('Account').locator('option:checked').innerText()).toBe('kim');
        await dialog
          .getByRole('textbox', { name: 'Name' })
          .or(dialog.getByLabel('What it is for'))
          .fill('of kim');
        // In a hurry: it is made once.
        await dialog.getByRole('button', { name: makes }).dblclick();
        // The focus is on copying; a dialog without a copy is not closed without a question.
        await expect.poll(focused).toBe('Copy');
        expect(made.splice(0)).toHaveLength(1);
        await dialog.getByRole('button', { name: 'Done' }).click();
        await dialog.getByRole('button', { name: /^Back to the (key|link)$/ }).click();
        await dialog.getByRole('button', { name: 'Done' }).click();
        await dialog.getByRole('button', { name: 'Close without copying' }).click();
        await dialog.waitFor({ state: 'detached' });
        await expect.poll(focused).toBe(opens);
      }
      await page
        .getByRole('button', { name: /^More: / })
        .first()
        .click();
      await page.getByRole('button', { name: 'Close the link' }).click();
      await dialog.getByRole('button', { name: 'Close the link' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate<unknown>('document.activeElement.tagName')).not.toBe('BODY');
      await page.goto(`${bench().origin}/#/keys/kim`);
      const more = page.getByRole('button', { name: 'More: of kim' });
      await more.click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await more.waitFor({ state: 'detached' });
      // An account without keys unfolds nothing: the button that makes its next key is nearest.
      await expect.poll(focused).toBe('Create a key');
    });

    it('tells keys of one name apart in the audit log, and names the ids of who did what', async () => {
      for (const name of ['twin', 'twin']) await make('keys', { account: 'local', name });
      const page = await bench().visit('audit');
      const made = page.getByRole('row', { name: /^Created the key twin of local/ }).first();
      const words = made.getByRole('button');
      // The second line begins where the words do, right of the mark.
      const [button, end] = [await words.boundingBox(), await made.locator('small').boundingBox()];
      expect(end?.x).toBeGreaterThan((button?.x ?? Infinity) + 5);
      await words.click();
      const ids = page.locator('.details .known .wide');
      await expect
        .poll(() => ids.allInnerTexts())
        .toEqual([expect.stringMatching(/^ID\s+key_/), expect.stringMatching(/^ID of who did it\s+key_/)]);
      // Nothing was before, so its facts are told without a Before and an After.
      await page.locator('.details .known > div', { hasText: /^Account\s*local/ }).waitFor();
      expect(await page.locator('.changes').count()).toBe(0);
    });

    it('tells in the question why what it asks for fails, and marks the key that is used', async () => {
      const page = await bench().visit('keys/local', { viewport: { width: 1440, height: 900 } });
      const row = page.getByRole('row').filter({ hasText: 'this key' });
      // The mark is in one piece.
      expect(await row.getByText('this key').evaluate((one) => one.getClientRects().length)).toBe(1);
      await row.getByRole('button', { name: /^More: / }).click();
      await page.getByRole('button', { name: 'Revoke the key that you are signed in with' }).click();
      const dialog = page.getByRole('dialog', { name: /^Revoke the key .*\?$/ });
      await dialog.getByText('This is the key that you are signed in with').waitFor();
      await page.route('**/admin/v1/keys/*', (route) =>
        route.fulfill({ status: 400, json: { error: { message: 'Not today.' } } }),
      );
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('alert').getByText('Not today.').waitFor();
    });
  },
);
