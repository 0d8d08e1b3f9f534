import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { chatFile, chooseInMenu, doWith, importChats, showAnswer } from '../../support/page/chats.ts';
import { docxOf } from '../../support/files/docx.ts';
import {
  answersOf,
  chooseModel,
  type PageBench,
  pagePatienceMs,
  sendMessage,
} from '../../support/page/page.ts';
import { useBench } from '../../support/page/use-bench.ts';
import { usePageServer } from '../../support/page/page-server.ts';

const chat = usePageServer();

/** How far the end of the thread is below its box. */
const toEndPx =
  "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.thread'))";

/** How often a paragraph in sight moved otherwise than by the 300 pixels of each of 40 steps up. */
const jumpsUpwards = `(async () => {
  const thread = document.querySelector('.thread');
  const topOf = (one) => one.getBoundingClientRect().top;
  const jumps = [];
  for (let step = 0; step < 40; step++) {
    const seen = [...thread.querySelectorAll('p')].find((one) => topOf(one) > 150 && topOf(one) < 400);
    const before = seen && topOf(seen);
    thread.scrollBy({ top: -300, behavior: 'instant' });
    await new Promise((done) => setTimeout(done, 60));
    if (seen && Math.abs(topOf(seen) - before - 300) > 2) jumps.push([step, topOf(seen) - before]);
  }
  return jumps;
})()`;

describe.skipIf(chromiumPath === undefined)(
  'what is read on the page (skipped where no chromium is on PATH)',
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

    it('is a title that its model wrote when nothing else was to do, and never in place of a given one', async () => {
      const keys = { user: bench.keys.user };
      const page = await bench.visit('chat', { keys, titles: true });
      const titlesAsked = () => chat().titlesAsked();
      const link = (name: string) => page.getByRole('link', { name, exact: true });
      await chooseModel(page, 'namer');
      await sendMessage(page, 'Why do herons stand on one leg?');
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      // A model elsewhere may cost more than electricity.
      expect(titlesAsked()).toEqual([]);
      await page.getByLabel('Titles are written by').selectOption('all models');
      await page.keyboard.press('Escape');
      await sendMessage(page, 'And storks?');
      await link('Herons and their legs').waitFor();
      // The person's message comes first, and the title after its answer.
      const held = Promise.withResolvers<void>();
      chat().mayName = held.promise;
      await page.getByRole('button', { name: 'New chat' }).click();
      await sendMessage(page, 'Do herons sleep?');
      await expect.poll(() => titlesAsked().length).toBe(2);
      await sendMessage(page, 'Where?');
      await titlesAsked()[1]?.closed;
      await expect.poll(() => titlesAsked().length).toBe(3);
      await chooseInMenu(page, 'Do herons sleep?', 'Rename');
      await page.getByLabel('Rename', { exact: true }).press('Enter');
      await page.getByLabel('Rename', { exact: true }).waitFor({ state: 'detached' });
      held.resolve();
      await titlesAsked()[2]?.closed;
      await sendMessage(page, 'And now?');
      await page.locator('.stats').nth(2).waitFor();
      await link('Do herons sleep?').waitFor();
      expect(titlesAsked()).toHaveLength(3);
    });

    it('goes to its end when it is opened, moves in one box only, and shows long questions folded', async () => {
      const rounds = Array.from({ length: 60 }, (_, index) => [
        `Question ${index}`,
        `# Part\n\n${'Some words of an answer. '.repeat(40 + (index % 7) * 30)}\n\n| a | b |\n| - | - |\n| 1 | 2 |`,
      ]).flat();
      const messages = rounds.map((content, index) => ({
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: index === 118 ? `${content}\n${'line\n'.repeat(60)}` : content,
      }));
      const page = await openChat('tiny');
      await importChats(page, chatFile('Long', '', { id: 'long', messages, leafId: 'm119' }));
      await page.goto(`${bench.origin}/#/chat/long`);
      await page.locator('.prose:not(.plain)').last().waitFor();
      for (const reloads of [false, true]) {
        if (reloads) await page.reload();
        await expect.poll(() => page.evaluate<number>(toEndPx)).toBeLessThan(2);
        await page.locator('.prose:not(.plain)').last().waitFor();
        await expect.poll(() => page.evaluate<number>(toEndPx)).toBeLessThan(2);
      }
      // A box that becomes higher has less to scroll, which is nobody's going up.
      for (const height of [900, 700]) {
        await page.setViewportSize({ width: 1024, height });
        await expect.poll(() => page.evaluate<number>(toEndPx)).toBeLessThan(2);
      }
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
      await page.reload();
      await page.locator('.prose:not(.plain)').last().waitFor();
      await expect.poll(() => page.evaluate<number>(toEndPx)).toBeLessThan(2);
      expect(await page.evaluate(jumpsUpwards)).toEqual([]);
      await page.getByRole('button', { name: 'Go to the end' }).click();
      await page.mouse.move(200, 300);
      await page.mouse.wheel(0, 3000);
      expect(await page.locator('#composer').boundingBox()).toMatchObject({ y: expect.any(Number) });
      expect(await page.evaluate('scrollY')).toBe(0);
      const question = page.locator('.question').last();
      const folded = await question.boundingBox();
      await question.getByRole('button', { name: 'Show all' }).click();
      expect((await question.boundingBox())?.height).toBeGreaterThan(2 * (folded?.height ?? Infinity));
    });

    it('follows an answer that comes in one large piece, until the person goes up', async () => {
      const page = await openChat('tiny');
      const event = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      const body = `${event({ content: 'A long line of words.\n\n'.repeat(150) })}${event({}, 'stop')}data: [DONE]\n\n`;
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body }),
      );
      await sendMessage(page, 'Much');
      await page.locator('.prose:not(.plain) p').nth(149).waitFor();
      await expect.poll(() => page.evaluate<number>(toEndPx)).toBeLessThan(2);
      await page.locator('.thread').hover();
      await page.mouse.wheel(0, -600);
      await page.getByRole('button', { name: 'Go to the end' }).click();
      await expect.poll(() => page.evaluate<number>(toEndPx)).toBeLessThan(2);
    });

    it('offers to go on where an answer ended with an error, and does so without a second toolbar', async () => {
      const page = await openChat('tiny');
      const delta = { content: 'The first half' };
      const events = [
        { id: 'c', choices: [{ index: 0, delta, finish_reason: null }] },
        { error: { message: 'It died.' } },
      ];
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body }),
      );
      await sendMessage(page, 'Say it');
      await page.getByRole('alert').getByText('It died.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        page.getByRole('button', { name: 'Continue' }).click(),
      ]);
      expect(request.postDataJSON()).toMatchObject({ continue_final_message: true });
      await page.getByText('The first halfThe first half').waitFor();
    });

    it('tells that its model is loaded, then how far the prompt is, and how long the rest of it takes', async () => {
      const page = await openChat('tiny');
      await bench.changeModels(page, (model) => (model.state = 'available'));
      // A stream that stays open with its prompt half read, until the page leaves it.
      const progress = { total: 4000, cache: 1000, processed: 2000, time_ms: 3000 };
      const event = `data: ${JSON.stringify({ id: 'c', choices: [], prompt_progress: progress })}\n\n`;
      await page.evaluate(`{
        const ask = window.fetch;
        window.fetch = (url, options) => {
          if (!String(url).endsWith('/chat/completions')) return ask(url, options);
          window.asked = options.body;
          const start = (stream) => {
            window.tell = () => stream.enqueue(new TextEncoder().encode(${JSON.stringify(event)}));
            options.signal.addEventListener('abort', () => stream.error(options.signal.reason));
          };
          return Promise.resolve(new Response(new ReadableStream({ start })));
        };
      }`);
      await sendMessage(page, 'A long question');
      await page.getByText('Loading tiny into memory…').waitFor();
      expect(await page.locator('.message.assistant button').count()).toBe(0);
      await page.evaluate('window.tell()');
      const bar = page.getByRole('meter', { name: 'Reading the prompt' });
      await bar.waitFor();
      expect(await bar.getAttribute('aria-valuetext')).toBe('2.0K of 4.0K tokens · 6 s left');
      expect(JSON.parse(await page.evaluate('window.asked'))).toMatchObject({ return_progress: true });
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped.').waitFor();
      expect(await bar.count()).toBe(0);
    });

    it('opens at what was searched for, and takes the chats of other programs', async () => {
      const page = await openChat('tiny');
      const node = (id: string, parent: string | null, role: string, text: string) => ({
        id,
        parent,
        message: { author: { role }, content: { parts: [text] } },
      });
      const words = 'Many words. '.repeat(300);
      const mapping = {
        top: { parent: null, message: null },
        s: node('s', 'top', 'system', 'Be kind.'),
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [
            `n${index}`,
            node(
              `n${index}`,
              index === 0 ? 's' : `n${index - 1}`,
              index % 2 ? 'assistant' : 'user',
              index === 6 ? `The heron. ${words}` : words,
            ),
          ]),
        ),
      };
      const gpt = { id: 'gpt', title: 'From ChatGPT', update_time: 1, mapping, current_node: 'n19' };
      const history = {
        currentId: 'w2',
        messages: {
          w1: { parentId: null, role: 'user', content: 'Web question' },
          w2: { parentId: 'w1', role: 'assistant', content: 'Web answer', model: 'llama' },
        },
      };
      await page.evaluate(`{
        window.said = [];
        const outcome = document.querySelector('.list-tools output');
        const look = () => window.said.push(outcome.textContent);
        new MutationObserver(look).observe(outcome, { subtree: true, childList: true, characterData: true });
      }`);
      await importChats(
        page,
        JSON.stringify([gpt, { id: 'web', title: 'From Open WebUI', chat: { history } }]),
      );
      await page.getByText('2 chats imported').waitFor();
      expect(await page.evaluate('window.said')).toContain('Importing 0 of 2…');
      await page.getByRole('link', { name: 'From Open WebUI' }).click();
      await page.locator('.message.assistant').getByText('Web answer').waitFor();
      // Pasted, the code asks the question again, and does not go on with its answer.
      await page.getByRole('button', { name: 'Show as code' }).click();
      const code = await page.locator('dialog[open] pre').innerText();
      expect(code).toContain('Web question');
      expect(code).not.toContain('Web answer');
      await page.keyboard.press('Escape');
      await page.getByPlaceholder('Search chats').fill('heron');
      await page.getByRole('link', { name: 'From ChatGPT' }).click();
      const box = await page.locator('.question', { hasText: 'The heron' }).boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(800);
      await expect
        .poll(() => page.evaluate(`[...CSS.highlights.get('found') ?? []].map(String)`))
        .toEqual(['heron']);
    });

    it('begins with a model of this machine that is well, and says whose answers another server computes', async () => {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await page.getByText('Answers are computed by your server').waitFor();
      await bench.changeModels(page, (model) => {
        if (model.id !== 'tiny') model.runs_elsewhere = true;
      });
      await page.reload();
      await page.getByRole('button', { name: 'Model: tiny' }).waitFor();
      await bench.changeModels(page, (model) => {
        if (model.id === 'tiny') model.state = 'failed';
        else if (model.id !== 'endless') model.runs_elsewhere = true;
      });
      await page.reload();
      await page.getByRole('button', { name: 'Model: endless' }).click();
      // Those elsewhere stand by themselves.
      const names = page.getByRole('region', { name: 'On this server' }).locator('.item strong');
      await names.first().waitFor();
      const shown = await names.allInnerTexts();
      expect(shown).toEqual(['endless', 'tiny']);
      await bench.changeModels(page, (model) => (model.runs_elsewhere = true));
      await page.reload();
      await page.getByText('runs on another server').waitFor();
      await page.getByRole('button', { name: /^Model:/ }).click();
      await page.locator('.model-choice').getByRole('heading', { name: 'On other servers' }).waitFor();
      await bench.changeModels(page, (model) => (model.runs_elsewhere = model.id !== 'hearth-demo'));
      await page.reload();
      await page.getByRole('button', { name: 'Model: hearth-demo' }).waitFor();
      await bench.changeModels(page, (model) => (model.runs_elsewhere = true));
      // Enlarged to 200 %, the welcome begins with its title.
      await page.setViewportSize({ width: 512, height: 400 });
      await page.reload();
      await page.getByText('runs on another server').waitFor();
      expect(await page.locator('.thread').evaluate((thread) => thread.scrollTop)).toBe(0);
      expect(await page.getByText('Answers are computed by your server').count()).toBe(0);
    });

    it('names its tab after the chat, and closes a dialog where one goes back', async () => {
      const page = await openChat('hearth-demo');
      await sendMessage(page, 'Hello!');
      await answersOf(page, 1);
      await expect.poll(() => page.title()).toBe('Hello! · hearth');
      await page.getByRole('link', { name: 'Speech' }).click();
      await expect.poll(() => page.title()).toBe('Speech · hearth');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.locator('dialog[open]').waitFor();
      await page.goBack();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => page.title()).toBe('Hello! · hearth');
    });

    it('shows as much of an answer that is corrected as the window has room for', async () => {
      const page = await openChat('hearth-demo');
      const answer = 'A line that goes on and on. '.repeat(120);
      await showAnswer(page, 'Long', answer);
      await doWith(page.locator('.message.assistant'), 'Correct the answer');
      const area = page.locator('.editor textarea');
      const height = () => area.evaluate(({ clientHeight }) => clientHeight);
      await expect.poll(height).toBeGreaterThan(300);
      await area.fill('Short.');
      await expect.poll(height).toBeLessThan(120);
    });

    it('brings the whole of a message into sight that is edited at the edge of the window', async () => {
      const page = await openChat('hearth-demo');
      await showAnswer(page, 'Long', 'A line that goes on and on. '.repeat(120));
      await sendMessage(page, 'Again');
      await answersOf(page, 1);
      const question = page.locator('.message.user').last();
      await question.evaluate((element) => element.scrollIntoView({ block: 'end' }));
      await question.getByRole('button', { name: 'Edit' }).press('Enter');
      const bottomOf = async (selector: string) => {
        const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: Infinity, height: 0 };
        return y + height;
      };
      const below = async () => (await bottomOf('.editor')) - (await bottomOf('.thread'));
      // And above the fade of the thread.
      await expect.poll(below).toBeLessThan(-28);
    });

    it('keeps archived chats out of the list, and finds them', async () => {
      const page = await openChat('tiny');
      await importChats(page, chatFile('Old', 'text'));
      await importChats(page, chatFile('Fresh', 'text'));
      const list = page.getByRole('navigation', { name: 'Chats' });
      const titles = () => list.getByRole('link').allInnerTexts();
      await chooseInMenu(page, 'Old', 'Archive');
      await expect.poll(titles).toEqual(['Fresh']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(titles).toEqual(['Fresh', 'Old']);
      await chooseInMenu(page, 'Old', 'Archive');
      await expect.poll(titles).toEqual(['Fresh']);
      await page.getByPlaceholder('Search chats').fill('old');
      await list.getByRole('heading', { name: 'Archived' }).waitFor();
      await page.getByPlaceholder('Search chats').fill('');
      await list.getByRole('button', { name: 'Archived (1)' }).click();
      await expect.poll(titles).toEqual(['Fresh', 'Old']);
      // Who writes in it wants it in sight.
      await list.getByRole('link', { name: 'Old' }).click();
      await sendMessage(page, 'Hello!');
      await list.getByRole('heading', { name: 'Archived' }).waitFor({ state: 'detached' });
      await chooseInMenu(page, undefined, 'Delete all chats');
      await page.locator('dialog').getByRole('button', { name: 'Delete all chats' }).click();
      await list.getByText('Deleted 2 chats').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(titles).toEqual(['Old', 'Fresh']);
    });

    it('reads texts of other encodings, and of Word', async () => {
      const page = await openChat('tiny');
      const attach = (name: string, buffer: Buffer) =>
        page.locator('.attach input').setInputFiles({ name, mimeType: '', buffer });
      await attach('notepad.txt', Buffer.from('\uFEFFGrüße', 'utf16le'));
      await attach('excel.csv', Buffer.from('Größe;Stück', 'latin1'));
      await attach('letter.docx', docxOf('Dear all,', 'a & b'));
      await page.locator('.chip:not(.pulse)').nth(2).waitFor();
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        sendMessage(page, 'Read'),
      ]);
      const { messages } = request.postDataJSON() as { messages: { content: string }[] };
      for (const text of ['Grüße', 'Größe;Stück', 'Dear all,\na & b'])
        expect(messages.at(-1)?.content).toContain(text);
      // However long a name is, it begins within a phone.
      await page.setViewportSize({ width: 390, height: 844 });
      await attach(`${'minutes of a long meeting '.repeat(4)}.txt`, Buffer.from('Hello.'));
      await page.locator('.chip:not(.pulse)').waitFor();
      await answersOf(page, 1);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const long = page.locator('.attached-text').last();
      await long.getByText('minutes of').waitFor();
      expect((await long.boundingBox())?.x).toBeGreaterThan(0);
    });
  },
);
