import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { usePageServer } from '../../support/page/page-server.ts';
import {
  answersOf,
  chooseModel,
  type PageBench,
  pagePatienceMs,
  routeFirst,
  savedBy,
  sendMessage,
} from '../../support/page/page.ts';
import { useBench } from '../../support/page/use-bench.ts';
import { chatFile, chooseInMenu, doWith, importChats } from '../../support/page/chats.ts';
import { makeKey } from '../../support/server/make-accounts.ts';
import { startServer } from '../../support/server/start-server.ts';

const chat = usePageServer();

/** How many characters the browser keeps of an answer that is being written. */
const keptPart = `new Promise((resolve) => {
  const open = indexedDB.open('hearth');
  open.onsuccess = () => {
    const all = open.result.transaction('conversations').objectStore('conversations').getAll();
    all.onsuccess = () => {
      open.result.close();
      const messages = all.result.flatMap((conversation) => conversation.messages);
      resolve(Math.max(0, ...messages.filter(({ stream }) => stream).map(({ content }) => content.length)));
    };
  };
})`;

/** Has no tab read or write conversations until `isReleased`. */
const holdStore = `new Promise((held) => {
  const open = indexedDB.open('hearth');
  open.onsuccess = () => {
    const store = open.result.transaction('conversations', 'readwrite').objectStore('conversations');
    const hold = () => {
      held();
      if (globalThis.isReleased) open.result.close();
      else store.count().onsuccess = hold;
    };
    store.count().onsuccess = hold;
  };
})`;

describe.skipIf(chromiumPath === undefined)(
  'a page to which something happens (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let bench: PageBench;
    useBench(
      () => chat().server,
      (opened) => (bench = opened),
    );

    async function openChat(model: string): Promise<Page> {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await chooseModel(page, model);
      return page;
    }

    it('shows the same chats on two devices of one account that keep them at the server, and on no other', async () => {
      const open = async () => await bench.visit('chat', { keys: { user: bench.keys.user } });
      const openMore = (page: Page) => page.getByRole('button', { name: 'Settings', exact: true }).click();
      const keep = async (page: Page) => {
        await openMore(page);
        await page.getByLabel('Keep my chats on the server too').check();
        await page.keyboard.press('Escape');
      };
      const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
      const look = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      /** The chats on the server, once `act` has sent one there. */
      const sends = async (page: Page, act: () => Promise<void>) => {
        const isUpload = (response: { url(): string; request(): { method(): string } }) =>
          response.url().endsWith('/v1/files') && response.request().method() === 'POST';
        await Promise.all([page.waitForResponse(isUpload), act()]);
      };
      const [phone, laptop, other] = [await open(), await open(), await open()];
      await importChats(phone, chatFile('Heron', 'Grey.'));
      await link(phone, 'Heron').waitFor();
      await importChats(laptop, chatFile('Stork', 'White.'));
      await link(laptop, 'Stork').waitFor();
      expect(bench.requestedUrls.filter((url) => url.includes('/v1/files'))).toEqual([]);
      await sends(phone, () => keep(phone));
      await sends(laptop, () => keep(laptop));
      await link(laptop, 'Heron').waitFor();
      await look(phone);
      await link(phone, 'Stork').waitFor();

      await chooseInMenu(laptop, 'Heron', 'Rename');
      await sends(laptop, async () => {
        await laptop.getByLabel('Rename', { exact: true }).fill('Egret');
        await laptop.keyboard.press('Enter');
      });
      await look(phone);
      await link(phone, 'Egret').click();
      await phone.getByText('Grey.').waitFor();
      await sends(phone, () => chooseInMenu(phone, 'Egret', 'Delete'));
      await look(laptop);
      await link(laptop, 'Egret').waitFor({ state: 'detached' });
      await link(laptop, 'Stork').waitFor();

      await openMore(phone);
      await phone.getByRole('button', { name: 'Delete my chats on the server' }).click();
      const question = phone.getByRole('dialog', { name: 'Delete all chats of this account' });
      await question.getByRole('button', { name: 'Delete' }).click();
      await expect.poll(() => phone.getByLabel('Keep my chats on the server too').isChecked()).toBe(false);
      await expect.poll(() => link(phone, 'Stork').count()).toBe(1);
      await expect.poll(() => other.getByText('No chats yet.').count()).toBe(1);
    });

    const answerText = (page: Page) => page.locator('.message.assistant .prose');

    async function setLimit(page: Page, maxTokens: number): Promise<void> {
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('Max tokens').fill(String(maxTokens));
      await page.getByLabel('Temperature').fill('0');
      await page.getByRole('button', { name: 'Done' }).click();
    }

    async function askForMuch(page: Page, maxTokens: number): Promise<void> {
      await setLimit(page, maxTokens);
      await sendMessage(page, 'Go on');
      await answerText(page)
        .getByText(/\S.{30}/)
        .first()
        .waitFor();
    }

    it('opens a view by itself that was chosen while the server was away, and the others meanwhile', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'hearth-page-'));
      const config = { demo: false };
      const first = await startServer({ modelsDirs: [], config, dataDir });
      const { port } = new URL(first.baseUrl);
      const { secret: admin } = makeKey(first, 'local', { kind: 'admin' });
      const page = await bench.visit('now', {
        keys: { user: first.apiKey, admin },
        origin: new URL(first.baseUrl).origin,
      });
      await page.getByRole('meter', { name: 'Memory' }).waitFor();
      await first.stop();
      await page.getByRole('alert').getByText('The server does not answer.').waitFor();
      await page.getByRole('link', { name: 'Keys' }).click();
      await page.getByText('it opens by itself once the server answers.').waitFor();
      // A dialog that was never open breaks nothing either.
      await page.keyboard.press('?');
      await page.getByRole('link', { name: 'Chat' }).click();
      await page.locator('#composer').waitFor();
      await page.getByRole('link', { name: 'Keys' }).click();
      const second = await startServer({ modelsDirs: [], config, dataDir, args: ['--port', port] });
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await second.stop();
      rmSync(dataDir, { recursive: true });
    });

    it('loads itself anew when an upgrade has taken the file of a view', async () => {
      const page = await bench.visit('chat');
      await page.locator('#composer').waitFor();
      await routeFirst(page, '**/assets/usage-view-*.js', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', { name: 'Usage' }).waitFor();
    });

    it('goes on with an answer after a reload, and shows it in a second tab meanwhile', async () => {
      const page = await openChat('endless');
      await askForMuch(page, 500);
      await page.reload();
      await answerText(page)
        .getByText(/\S.{30}/)
        .first()
        .waitFor();
      const second = await bench.visitIn(page.context(), new URL(page.url()).hash.slice(2));
      await answerText(second)
        .getByText(/\S.{30}/)
        .first()
        .waitFor();
      await page.getByText('The answer reached its token limit.').waitFor();
      const [answer = ''] = await answersOf(page, 1);
      await page.locator('.stats').click();
      await expect.poll(() => page.locator('.stats').innerText()).toMatch(/^endless · .*500 tokens/);
      expect(await answersOf(second, 1)).toEqual([answer]);
      await page.reload();
      expect(await answersOf(page, 1)).toEqual([answer]);
    });

    it('stops an answer for good that was begun before a reload', async () => {
      const page = await openChat('endless');
      await askForMuch(page, 15_000);
      await page.reload();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped.').waitFor();
      await expect.poll(() => answerText(page).innerText()).not.toBe('');
      await page.reload();
      await page.getByText('Stopped.').waitFor();
    });

    it('gives a message back that waits for the answer before it when that is stopped', async () => {
      const page = await openChat('endless');
      await askForMuch(page, 15_000);
      const composer = page.locator('#composer');
      await composer.fill('half writ');
      await composer.press('Enter');
      await page.locator('.next-note').getByText('half writ').waitFor();
      expect(await composer.inputValue()).toBe('');
      // As a finger or a mouse does: for a tenth of a second.
      await page.getByRole('button', { name: 'Stop' }).click({ delay: 100 });
      await page.getByText('Stopped.').waitFor();
      await expect.poll(() => composer.inputValue()).toBe('half writ');
      expect(await page.locator('.message.user').count()).toBe(1);
      // What is typed on goes there.
      expect(await page.locator('#composer:focus').count()).toBe(1);
    });

    it('stays where the person scrolled when an answer ends', async () => {
      const page = await openChat('endless');
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('Max tokens').fill('300');
      await page.getByRole('button', { name: 'Done' }).click();
      await sendMessage(page, 'A question\n'.repeat(120));
      const thread = page.locator('.thread');
      await page.getByRole('button', { name: 'Show all' }).click();
      await page
        .locator('.message.assistant .prose')
        .getByText(/\S.{30}/)
        .first()
        .waitFor();
      await thread.evaluate((box) => box.scrollTo({ top: 200 }));
      await page.getByText('The answer reached its token limit.').waitFor({ state: 'attached' });
      await page.locator('.stats').waitFor({ state: 'attached' });
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      expect(await thread.evaluate((box) => Math.round(box.scrollTop))).toBe(200);
    });

    it('says that the browser is full, and loses nothing of what is on the screen', async () => {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      // A browser cannot be made full here, so its database refuses as a full one does.
      await page.evaluate(`(() => {
        const { put } = IDBObjectStore.prototype;
        globalThis.isFull = true;
        IDBObjectStore.prototype.put = function (value, ...more) {
          if (globalThis.isFull) throw new DOMException('full', 'QuotaExceededError');
          return put.call(this, value, ...more);
        };
      })()`);
      await importChats(page, chatFile('Small', 'Remember the heron'));
      await importChats(page, chatFile('Large', 'x'.repeat(500_000)));
      await page.getByRole('alert').getByText('This browser is out of storage.').waitFor();
      await page.getByRole('link', { name: 'Large' }).waitFor();
      const saved = await savedBy(page, () =>
        page.getByRole('alert').getByRole('button', { name: 'Export chats' }).click(),
      );
      expect(saved).toContain('Remember the heron');
      expect(saved.length).toBeGreaterThan(500_000);
      await page.evaluate('globalThis.isFull = false');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('link', { name: 'Large' }).waitFor();
    });

    it('keeps what is changed in the moment before it is loaded again', async () => {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await importChats(page, chatFile('Heron', 'It is grey.'));
      await page.getByRole('link', { name: 'Heron' }).click();
      const messages = page.locator('.message');
      await messages.nth(1).waitFor();
      await page.evaluate(holdStore);
      await doWith(messages.nth(1), 'Delete the message');
      await messages.nth(1).waitFor({ state: 'detached' });
      for (let visits = 0; visits < 2; visits += 1) {
        await page.reload();
        await page.locator('.question').waitFor();
        await expect.poll(() => messages.allInnerTexts()).toHaveLength(1);
      }
      expect(await page.evaluate('Object.keys(localStorage)')).not.toContain('hearth-left-behind-heron');
    });

    it('keeps what two tabs write in one chat at the same time', async () => {
      const page = await openChat('endless');
      await setLimit(page, 20);
      await sendMessage(page, 'Hello!');
      await answersOf(page, 1);
      const second = await bench.visitIn(page.context(), new URL(page.url()).hash.slice(2));
      await answersOf(second, 1);
      // Neither tab hears of the other's question before it has sent its own.
      await second.evaluate(holdStore);
      await sendMessage(page, 'What is 3 plus 4?');
      await sendMessage(second, 'What is hearth?');
      await Promise.all([page, second].map((tab) => tab.locator('.question').nth(1).waitFor()));
      await second.evaluate('globalThis.isReleased = true');
      await Promise.all([answersOf(page, 2), answersOf(second, 2)]);
      await page.reload();
      await page.getByText('2/2').or(page.getByText('1/2')).first().waitFor();
      const shown = await page.locator('.question').allTextContents();
      const other = (await page.getByText('2/2').count()) > 0 ? 'Previous version' : 'Next version';
      await page.getByRole('button', { name: other }).first().click();
      await page.locator('.question').nth(1).waitFor();
      const turned = await page.locator('.question').allTextContents();
      expect(new Set([shown[1], turned[1]])).toEqual(new Set(['What is 3 plus 4?', 'What is hearth?']));
      await answersOf(page, 2);
    });

    it('offers with each failure what helps: the rest, another model, the limits, another answer', async () => {
      const page = await openChat('endless');
      const ways = () => page.locator('.message.last .actions > *').allInnerTexts();
      const fails = async (error: object, begun?: string) => {
        const chunk = (delta: object) => ({ choices: [{ index: 0, delta, finish_reason: null }] });
        const toEvent = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
        const events = begun === undefined ? '' : toEvent(chunk({ content: begun })) + toEvent({ error });
        await page.unroute('**/v1/chat/completions');
        await page.route('**/v1/chat/completions', (route) =>
          begun === undefined
            ? route.fulfill({ status: 503, json: { error } })
            : route.fulfill({ contentType: 'text/event-stream', body: events }),
        );
      };
      const away = 'The server that runs this model does not serve it now.';
      await fails({ message: `${away} Try again later.`, code: 'model_unavailable' });
      await sendMessage(page, 'What is a heron?');
      // The buttons' words are not said above them.
      await page.getByRole('alert').getByText(away).waitFor();
      expect(await page.getByRole('alert').innerText()).toBe(away);
      await expect.poll(ways).toEqual(['Try again', 'Answer with another model']);
      await fails({ message: 'The answer broke off. Try again.', code: 'upstream_error' }, 'A heron is');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('The answer broke off.').waitFor();
      await expect.poll(ways).toEqual(['Continue', 'Try again', 'Answer with another model']);
      const midnight = new Date();
      midnight.setHours(24, 0, 0, 0);
      const spent = `1 request per day. It is full again at ${midnight.toISOString().replace('.000', '')}.`;
      await page.unroute('**/v1/chat/completions');
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({ status: 402, json: { error: { message: spent, code: 'insufficient_quota' } } }),
      );
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('It is full again tonight at midnight.').waitFor();
      await expect.poll(ways).toEqual(['Try again', 'See your limits']);
      await page.getByRole('link', { name: 'See your limits' }).click();
      await page.getByRole('heading', { name: 'Your limits' }).waitFor();
      await page.goBack();
      await page.unroute('**/v1/chat/completions');
      await page.route('**/v1/chat/completions', () => new Promise(() => undefined));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('.ending').getByRole('button', { name: 'Answer again' }).waitFor();
      await page.locator('.ending').getByRole('button', { name: 'Answer with another model' }).waitFor();
    });

    it('has an answer without a word asked for again', async () => {
      const page = await openChat('tiny');
      const end = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
      const body = `data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`;
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body }),
      );
      await sendMessage(page, 'Say nothing');
      await page.locator('.message.assistant').getByRole('button', { name: 'Answer again' }).waitFor();
    });

    it('keeps what was written of an answer whose server is gone, and continues it', async () => {
      const page = await openChat('endless');
      await page.route('**/v1/stream/**', (route) =>
        route.fulfill({
          status: 404,
          contentType: 'application/json',
          body: '{"error":{"message":"no such stream","code":"not_found"}}',
        }),
      );
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        askForMuch(page, 15_000),
      ]);
      // It is kept every two seconds.
      await expect.poll(() => page.evaluate(keptPart), { timeout: pagePatienceMs }).toBeGreaterThan(20);
      await page.reload();
      await page.getByText('The answer broke off').waitFor();
      expect((await answerText(page).allTextContents()).join('').length).toBeGreaterThan(20);
      await page.unroute('**/v1/stream/**');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('The answer broke off').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.getByText('Stopped.').waitFor();
      // Nobody reads the first stream, which would go on.
      const name = (await request.headerValue('x-conversation-id')) ?? '';
      const headers = { authorization: `Bearer ${bench.keys.user}` };
      const ended = await fetch(`${bench.origin}/v1/stream/${name}`, { method: 'DELETE', headers });
      expect(ended.ok).toBe(true);
    });
  },
);
