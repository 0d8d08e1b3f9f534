import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { docxOf } from '../../support/files/docx.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import { chatFile, chooseInMenu, importChats } from '../../support/page/chats.ts';
import {
  chooseModel,
  compareWith,
  type PageBench,
  pagePatienceMs,
  phone,
  savedBy,
  sendMessage,
  smallFields,
  smallTargets,
} from '../../support/page/page.ts';
import { useBench } from '../../support/page/use-bench.ts';
import { usePageServer } from '../../support/page/page-server.ts';

const chat = usePageServer();

describe.skipIf(chromiumPath === undefined)(
  'what the page tells of chats, files and models (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let bench: PageBench;
    useBench(
      () => chat().server,
      (opened) => (bench = opened),
    );

    async function openChat(): Promise<Page> {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await page.locator('#composer').waitFor();
      return page;
    }

    it('stops one of two answers, or goes on with one of them as far as both came', async () => {
      const page = await openChat();
      await page.route('**/v1/chat/completions', async (route) => {
        const { model } = route.request().postDataJSON() as { model: string };
        if (model === 'hearth-demo') await route.continue();
      });
      await chooseModel(page, 'hearth-demo');
      await compareWith(page, 'tiny');
      await sendMessage(page, 'Hello');
      await page.getByRole('button', { name: 'Stop tiny' }).click();
      await expect.poll(() => page.locator('#composer:focus').count()).toBe(1);
      await page.getByRole('region', { name: 'tiny' }).getByText('Stopped.').waitFor();
      // It can be gone on with while the other is written.
      await page
        .getByRole('region', { name: 'tiny' })
        .getByRole('button', { name: 'Answer again' })
        .waitFor();
      await page.locator('.stats:visible').waitFor();
      await page.locator('#composer').fill('And then?');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await expect.poll(() => page.locator('#composer:focus').count()).toBe(1);
      const keep = page.getByRole('button', { name: 'Keep this: hearth-demo' });
      await keep.and(page.locator(':enabled')).click();
      await page.locator('.side-by-side').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await expect.poll(() => page.locator('#composer:focus').count()).toBe(1);
      // Versions are in the order of the columns.
      await page.getByText('1/2').last().waitFor();
      await page.getByRole('button', { name: 'Next version' }).last().click();
      await page.getByText('Stopped.').last().waitFor();
      await page.locator('.stats').getByText('tiny', { exact: true }).last().waitFor();
    });

    it('ends comparing with an answer, though one that failed is in sight', async () => {
      const page = await bench.visit('chat', { viewport: { width: 390, height: 844 } });
      await page.route('**/v1/chat/completions', async (route) => {
        const { model } = route.request().postDataJSON() as { model: string };
        if (model !== 'tiny') await route.continue();
        else
          await route.fulfill({
            status: 500,
            json: { error: { message: 'It broke.', type: 'server_error' } },
          });
      });
      await chooseModel(page, 'hearth-demo');
      await compareWith(page, 'tiny');
      await sendMessage(page, 'Hello');
      await page.locator('.segmented').getByRole('button', { name: 'tiny failed' }).click();
      await page.locator('.side-by-side header > .stats').waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Stop comparing' }).click();
      await page.getByText('1/2').waitFor();
      await page.getByRole('button', { name: 'Model: hearth-demo' }).waitFor();
    });

    it('counts of deleted messages those that were seen, and leaves a chat that is archived', async () => {
      const page = await openChat();
      const answer = (id: string) => ({ id, parentId: 'q', role: 'assistant', content: id, model: 'tiny' });
      const messages = [
        { id: 'q', parentId: null, role: 'user', content: 'Which?' },
        ...['First', 'Second', 'Third'].map(answer),
      ];
      await importChats(page, chatFile('Versions', '', { messages, leafId: 'Third' }));
      await page.getByRole('link', { name: 'Versions' }).click();
      await page.getByText('3/3').waitFor();
      await page.getByRole('button', { name: 'Delete from here' }).click();
      await page.getByText('Deleted the message and the one after it').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('3/3').waitFor();
      await chooseInMenu(page, 'Versions', 'Archive');
      await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('3/3').waitFor();
      expect(page.url()).toMatch(/#\/chat\/versions$/);
    });

    it('tells the size of a file, before and after it is sent, and where the chat was imported', async () => {
      const page = await openChat();
      await chooseModel(page, 'tiny');
      const buffer = docxOf('One sentence.');
      await page.locator('.attach input').setInputFiles({ name: 'letter.docx', mimeType: '', buffer });
      const size = `${buffer.length} B`;
      await page.locator('.chip').getByText(size, { exact: true }).waitFor();
      await sendMessage(page, 'Read');
      const told = page.locator('.attached-text').getByText(size, { exact: true });
      await told.waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      const saved = await savedBy(page, () => chooseInMenu(page, undefined, 'Export chats'));
      await chooseInMenu(page, 'Read', 'Delete');
      await told.waitFor({ state: 'detached' });
      // One of an older export has no size, and so none is told.
      const old = saved
        .replaceAll(`,"bytes":${buffer.length}`, '')
        .replaceAll('"title":"Read"', '"title":"Old"');
      await importChats(page, saved);
      await page.getByRole('link', { name: 'Read' }).click();
      await told.waitFor();
      await importChats(page, old.replace(/"id":"\w+"/, '"id":"old"'));
      await page.getByRole('link', { name: 'Old' }).click();
      await page.locator('.attached-text').getByText('letter').waitFor();
      expect(await page.locator('.attached-text small').innerText()).toBe('');
    });

    it('says where files may be dropped while one is dragged over the chat', async () => {
      const page = await openChat();
      const file = await page.evaluateHandle<unknown>(
        "(() => { const all = new DataTransfer(); all.items.add(new File(['x'], 'a.txt')); return all; })()",
      );
      const note = page.getByText('Drop files here');
      await page.dispatchEvent('.thread', 'dragover', { dataTransfer: file });
      const over = await note.locator('..').boundingBox();
      const thread = await page.locator('.thread').boundingBox();
      expect(over?.y).toBeLessThanOrEqual(thread?.y ?? 0);
      expect(over?.width).toBeGreaterThanOrEqual(thread?.width ?? Infinity);
      await page.dispatchEvent('.thread', 'drop', { dataTransfer: file });
      await page.locator('.chip').getByText('a.txt').waitFor();
      await note.waitFor({ state: 'detached' });
    });

    it('says so where the browser does not give the microphone, and offers no choice of one voice', async () => {
      const page = await openChat();
      const kinds: Readonly<Record<string, string>> = { ears: 'speech', mouth: 'voice' };
      const change = (model: { id: string }) => Object.assign(model, { kind: kinds[model.id] ?? 'chat' });
      await bench.changeModels(page, change, Object.keys(kinds));
      await page.route('**/v1/audio/voices', (route) => route.fulfill({ json: { data: [{ name: 'ann' }] } }));
      await page.reload();
      await page.evaluate(`navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no'))`);
      await page.getByRole('button', { name: 'Dictate' }).click();
      await page.getByRole('alert').getByText('The browser did not allow the microphone.').waitFor();
      const voices = page.waitForResponse('**/v1/audio/voices');
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await (await voices).finished();
      await page.getByLabel('Read answers aloud').waitFor();
      expect(await page.getByText('Who speaks').count()).toBe(0);
    });

    it('tells at Limits which models are away, whatever may be used', async () => {
      const page = await openChat();
      await bench.changeModels(page, (model) => {
        if (model.id === 'namer') Object.assign(model, { state: 'failed' });
      });
      await page.goto(`${bench.origin}/#/limits`);
      await page.getByText('namer runs on another server, which does not answer.').waitFor();
      await page.locator('.allowed-now .dot.failed').waitFor();
      expect(await page.getByText('You can use everything right now').count()).toBe(0);
    });

    it('has fields at which no phone zooms in, in all views and dialogs', async () => {
      const page = await bench.visit('chat', phone);
      const places: readonly (readonly [string, ...(string | RegExp)[]])[] = [
        ['chat', 'Chats'],
        ['chat', 'Add to the message', 'Settings of this chat'],
        ['speech'],
        ['models'],
        ['keys/local', 'New key'],
        ['plans', /^Change: standard/],
        ['invitations', 'New invitation'],
        ['usage'],
        ['batches', 'Settings'],
      ];
      for (const [view, ...buttons] of places) {
        await page.goto(`${bench.origin}/#/${view}`);
        for (const name of buttons) await page.getByRole('button', { name }).first().tap();
        await page.locator(':is(input, select, textarea):visible').nth(1).waitFor();
        expect(await smallFields(page), view).toEqual([]);
        await page.keyboard.press('Escape');
      }
    });

    it('wraps long arguments of calls on a phone, and takes a deleted chat back by a press of a finger', async () => {
      const page = await bench.visit('chat', phone);
      const text = `The harbour ${'is-wide-'.repeat(20)}`;
      const toolCalls = [{ id: 'call', name: 'find', arguments: JSON.stringify({ text, most: 3 }) }];
      const messages = [
        { id: 'q', parentId: null, role: 'user', content: 'Which?' },
        { id: 'a', parentId: 'q', role: 'assistant', content: '', model: 'tiny', toolCalls },
      ];
      await page.getByRole('button', { name: 'Chats' }).tap();
      await importChats(page, chatFile('Harbour', '', { messages, leafId: 'a' }));
      await page.getByRole('link', { name: 'Harbour' }).tap();
      const shown = page.locator('.step-body pre');
      await shown.waitFor();
      expect(await shown.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      expect([await smallFields(page), await smallTargets(page)]).toEqual([[], []]);
      await page.getByRole('button', { name: 'Chats' }).tap();
      await chooseInMenu(page, 'Harbour', 'Delete');
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      expect(await smallTargets(page)).toEqual([]);
    });

    it('leads to the reference and the settings from addresses of views that they have not', async () => {
      const page = await openChat();
      await page.goto(`${bench.origin}/#/settings`);
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
      await expect.poll(() => page.url()).toMatch(/#\/chat$/);
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.goto(`${bench.origin}/#/docs`);
      await page.getByRole('heading', { name: 'API reference' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/docs');
    });
  },
);
