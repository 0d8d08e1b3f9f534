import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../../support/page/browser.ts';
import { chatFile, importChats } from '../../support/page/chats.ts';
import { usePageServer } from '../../support/page/page-server.ts';
import {
  answersOf,
  chooseModel,
  compareWith,
  PageBench,
  pagePatienceMs,
  routeFirst,
  sendMessage,
} from '../../support/page/page.ts';

/** How many carets stand in the text. */
const carets = (page: Page) =>
  page.evaluate<number>(
    `[...document.querySelectorAll('.prose *')].filter((one) => getComputedStyle(one, '::after').width === '2px').length`,
  );

describe.skipIf(chromiumPath === undefined)(
  'answers as they are written (skipped where no chromium is on PATH)',
  { timeout: pagePatienceMs },
  () => {
    const pageServer = usePageServer();
    let bench: PageBench;
    beforeAll(async () => {
      bench = await PageBench.open(pageServer().server);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      await bench?.[Symbol.asyncDispose]();
    });

    it('have the messages that are sent after them, which can be changed, removed, sent at once, and outlive a reload', async () => {
      const page = await bench.visit('chat');
      await chooseModel(page, 'endless');
      await sendMessage(page, 'Hello');
      const composer = page.locator('#composer');
      const next = page.locator('.next-note li');
      await expect.poll(() => carets(page)).toBe(1);
      for (const text of ['one', 'two', 'three']) {
        await composer.fill(text);
        await composer.press('Enter');
        await next.getByText(text).waitFor();
      }
      await next.nth(2).getByRole('button', { name: 'Edit' }).click();
      expect(await composer.inputValue()).toBe('three');
      await next.nth(1).getByRole('button', { name: 'Do not send' }).click();
      await composer.press('Enter');
      const texts = () => page.locator('.next-note li > span').allInnerTexts();
      await expect.poll(texts).toEqual(['one', 'three']);
      await page.reload();
      await expect.poll(() => carets(page)).toBe(1);
      expect(await texts()).toEqual(['one', 'three']);
      // A tab that is duplicated begins with the storage of this one, whose messages stay its own.
      const kept = `sessionStorage.getItem('hearth-next-messages')`;
      const copied = JSON.stringify(await page.evaluate(kept));
      await page.context().addInitScript(`sessionStorage.setItem('hearth-next-messages', ${copied})`);
      const twin = await bench.visitIn(page.context(), new URL(page.url()).hash.slice(2));
      await expect.poll(() => twin.evaluate(kept)).toBe('{}');
      await twin.close();
      expect(await texts()).toEqual(['one', 'three']);
      await next.getByRole('button', { name: 'Send now' }).click();
      await page.locator('.message.user').getByText('one').waitFor();
      await page.getByText('Stopped.').waitFor();
      expect(await texts()).toEqual(['three']);
      await page.getByRole('button', { name: 'Stop' }).click();
      // After an answer that is not whole they come back.
      await expect.poll(async () => [await composer.inputValue(), await carets(page)]).toEqual(['three', 0]);
    });

    it('have the next messages follow them one after another when they have ended', async () => {
      const page = await bench.visit('chat');
      await chooseModel(page, 'tiny');
      const held = Promise.withResolvers<void>();
      await routeFirst(page, '**/chat/completions', async (route) => {
        await held.promise;
        await route.continue();
      });
      await sendMessage(page, 'Hello');
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      for (const text of ['And then?', 'At last?']) {
        await sendMessage(page, text);
        await page.locator('.next-note').getByText(text).waitFor();
      }
      expect(await page.locator('.message.user').count()).toBe(1);
      held.resolve();
      await answersOf(page, 3); // One that ended at once has no text.
      expect(await page.locator('.message.assistant').count()).toBe(3);
      expect(await page.locator('.message.user').allInnerTexts()).toEqual(['Hello', 'And then?', 'At last?']);
    });

    it('of two models follow the answers of each, which all stay beside each other', async () => {
      const page = await bench.visit('chat');
      await chooseModel(page, 'hearth-demo');
      await compareWith(page, 'tiny');
      const asked: { readonly model: string; readonly messages: readonly { readonly content: string }[] }[] =
        [];
      // Words of a random model are not shown as they are written.
      await page.route('**/chat/completions', (route) => {
        const { model } = asked[asked.push(route.request().postDataJSON()) - 1] ?? {};
        const delta = { content: `Answer ${asked.length} of ${model}` };
        const event = { choices: [{ index: 0, delta, finish_reason: 'stop' }] };
        return route.fulfill({
          contentType: 'text/event-stream',
          body: `data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`,
        });
      });
      const turns = page.locator('.side-by-side');
      const answers = () => page.locator('.message.assistant .prose').allInnerTexts();
      await sendMessage(page, 'Hello!');
      await expect.poll(answers).toEqual(['Answer 1 of hearth-demo', 'Answer 2 of tiny']);
      await sendMessage(page, 'And then?');
      await expect.poll(answers).toHaveLength(4);
      expect(await turns.count()).toBe(2);
      for (const { model, messages } of asked.slice(2)) {
        const first = expect.stringMatching(new RegExp(`^Answer [12] of ${model}$`));
        expect(messages.map(({ content }) => content)).toEqual(['Hello!', first, 'And then?']);
      }
      // A question is asked both, and is one message to whoever changes or deletes it.
      await page.getByRole('button', { name: 'Edit' }).last().click();
      await page.locator('.editor textarea').fill('And before?');
      await page.locator('.editor').getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => asked.length).toBe(6);
      for (const { messages } of asked.slice(4)) expect(messages.at(-1)?.content).toBe('And before?');
      const questions = () => page.locator('.message.user .question').allInnerTexts();
      await page
        .getByRole('button', { name: /^Delete/ })
        .last()
        .click();
      await expect.poll(questions).toEqual(['Hello!', 'And then?']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(questions).toEqual(['Hello!', 'And before?']);
      await expect.poll(answers).toHaveLength(4);
      // Whoever goes on with one model has its conversation.
      await page.getByRole('button', { name: 'Keep this: tiny' }).click();
      await expect.poll(() => turns.count()).toBe(0);
      await expect.poll(answers).toEqual(['Answer 2 of tiny', 'Answer 6 of tiny']);
    });

    it('are asked for again where the connection was lost before the server got the question', async () => {
      const page = await bench.visit('chat');
      await chooseModel(page, 'tiny');
      await routeFirst(page, '**/chat/completions', (route) => route.abort('connectionreset'));
      await sendMessage(page, 'Hello');
      expect(await answersOf(page, 1)).toHaveLength(1);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.locator('.message.user').count()).toBe(1);
    });

    it('have the files of a question that is begun, whatever chat is looked at meanwhile, after a reload too', async () => {
      const page = await bench.visit('chat');
      await importChats(page, chatFile('Other', 'Hello.'));
      const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`In ${name}.`) });
      const names = () => page.locator('.composer .chip').allInnerTexts();
      await page.locator('.attach input').setInputFiles([file('one.txt'), file('two.txt')]);
      await expect.poll(names).toHaveLength(2);
      await page.getByRole('link', { name: 'Other' }).click();
      await page.getByText('Hello.').waitFor();
      expect(await names()).toEqual([]);
      await page.getByRole('button', { name: 'New chat' }).click();
      await expect
        .poll(names)
        .toEqual([expect.stringContaining('one.txt'), expect.stringContaining('two.txt')]);
      await page.reload();
      await expect.poll(names).toHaveLength(2);
      await sendMessage(page, 'Read these');
      await page.locator('.message.user').getByText('two.txt').first().waitFor();
      expect(await names()).toEqual([]);
    });

    it('have alerts, cards in place of far pictures, and code whose lines are wrapped in every chat', async () => {
      const page = await bench.visit('chat');
      const dot =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const markdown = [
        '> [!WARNING]\n> Keep **away**.',
        '![A heron](https://birds.example/heron.png)',
        '[![build](https://badges.example/b.svg)](https://ci.example/run) ![plot](plot.png)',
        `![A dot](${dot})`,
        `\`\`\`js\n${'const long = 1; '.repeat(20)}\n\`\`\``,
      ].join('\n\n');
      await importChats(page, chatFile('Markdown', markdown));
      await page.getByRole('link', { name: 'Markdown' }).click();
      const alert = page.locator('.alert[data-kind="warning"]');
      await expect.poll(() => alert.innerText()).toBe('Warning\n\nKeep away.');
      expect(await page.locator('a.far-picture').innerText()).toContain('Open at birds.example');
      await page.locator('a[href="https://ci.example/run"]', { hasText: 'Picture: build' }).waitFor();
      expect(await page.locator('span.far-picture').innerText()).toContain('no address on the web');
      expect(await page.getByRole('img', { name: 'A dot' }).getAttribute('src')).toBe(dot);
      const isScrolled = () => page.locator('.code pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth);
      expect(await isScrolled()).toBe(true);
      await page.getByRole('button', { name: 'Wrap lines', pressed: false }).click();
      expect(await isScrolled()).toBe(false);
      await page.reload();
      await page.getByRole('button', { name: 'Wrap lines', pressed: true }).waitFor();
      expect(await isScrolled()).toBe(false);
    });

    it('are asked for again once a budget is filled, and tell operators which request failed', async () => {
      const page = await bench.visit('chat');
      await chooseModel(page, 'tiny');
      await page.route('**/chat/completions', (route) =>
        route.fulfill({
          status: 402,
          headers: { 'x-request-id': 'req_1', 'retry-after': '90000' },
          json: { error: { message: 'Used up. It is full again at 2040-01-01T00:00:00Z.' } },
        }),
      );
      const tellLeft = async (left: number) => {
        const budget = { measure: 'requests', limit: 9, period: 'day', left, resets_at: null };
        await page.unroute('**/v1/limits');
        await page.route('**/v1/limits', (route) => route.fulfill({ json: { data: [], budgets: [budget] } }));
      };
      const ways = () => page.locator('.message.last .actions > *').allInnerTexts();
      await tellLeft(0);
      await sendMessage(page, 'Hello');
      await expect.poll(ways).toEqual(['Once it is full you can try again here.', 'See your limits']);
      await tellLeft(9);
      await page.reload();
      await expect.poll(ways).toEqual(['Try again', 'See your limits']);
      expect(await page.locator('.failed-request').innerText()).toMatch(/^Request of .+: req_1$/);
      await page.getByRole('button', { name: 'Copy what an operator needs' }).waitFor();
    });

    it('lead to models that take more where the question is too long', async () => {
      const page = await bench.visit('chat');
      await bench.changeModels(
        page,
        (model) => Object.assign(model, { context_window: model.id === 'long' ? 9000 : 100 }),
        ['long'],
      );
      await page.reload();
      await chooseModel(page, 'tiny');
      await sendMessage(page, 'Hello');
      await answersOf(page, 1);
      await page.locator('#composer').fill('a '.repeat(1750));
      const note = page.locator('.length-note');
      await note.getByText(/^This is about 1,\d00 tokens with the rest of the chat; tiny takes/).waitFor();
      await page.route('**/chat/completions', (route) => {
        const message = 'The context length is 2048 tokens.';
        return route.fulfill({ status: 400, json: { error: { message, code: 'context_length_exceeded' } } });
      });
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('The context length is 2,048 tokens.').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Answer with another model' }).click();
      await expect.poll(() => page.locator('.sheet-over strong').allInnerTexts()).toEqual(['long']);
      await page.keyboard.press('Escape');
      await page.locator('#composer').fill('a '.repeat(1750));
      await note.getByRole('button', { name: 'Use long instead' }).click();
      await note.waitFor({ state: 'detached' });
    });

    it('stay where they are when a tap on a phone brings the buttons of a message, and hide no other', async () => {
      const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
      const page = await bench.visit('chat', phone);
      const messages = ['q', 'a', 'r', 'b'].map((id, index, all) => ({
        id,
        role: index % 2 === 0 ? 'user' : 'assistant',
        parentId: all[index - 1] ?? null,
        content: `Of ${id}.${id === 'r' ? ' And more'.repeat(20) : ''}`,
      }));
      await importChats(page, chatFile('Taps', '', { messages, leafId: 'b' }));
      await page.goto(`${bench.origin}/#/chat/taps`);
      await page.locator('.prose:not(.plain)').nth(1).waitFor();
      const boxes = () =>
        page.locator('.message').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      const before = await boxes();
      for (const [index, id] of ['q', 'a', 'r'].entries()) {
        await page.getByText(`Of ${id}.`).tap();
        const tools = page.locator(`[data-id="${id}"] .message-tools`);
        const opacity = () => tools.evaluate((one) => one.computedStyleMap().get('opacity')?.toString());
        await expect.poll(opacity).toBe('1');
        expect(await boxes()).toEqual(before);
        const end = await tools.evaluate((one) => one.getBoundingClientRect().bottom);
        expect(end).toBeLessThanOrEqual(before[index + 1]?.top ?? 0);
        // The place of the last tap stays hovered until there is another.
        await page.locator('#composer').focus();
        await expect.poll(opacity).toBe('0');
      }
    });

    it('leave the button that goes to their end its own place beside them', async () => {
      const page = await bench.visit('chat', { viewport: { width: 1440, height: 700 } });
      await importChats(page, chatFile('Long', 'A long line of words, over and over again. '.repeat(400)));
      await page.getByRole('link', { name: 'Long' }).click();
      await page.locator('.prose:not(.plain)').waitFor();
      await page.locator('.thread').evaluate((thread) => (thread.scrollTop = 0));
      const button = await page.getByRole('button', { name: 'Go to the end' }).boundingBox();
      const text = await page.locator('.message.assistant').boundingBox();
      expect(button?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
    });

    it('show the source of a diagram until that is drawn, which moves up nothing below it', async () => {
      const page = await bench.visit('chat');
      const mayLoad = Promise.withResolvers<void>();
      await page.route('**/mermaid*.js', async (route) => {
        await mayLoad.promise;
        await route.continue();
      });
      const source = `graph LR\n${'  %% more\n'.repeat(20)}  A --> B\n`;
      await importChats(page, chatFile('Drawn', `\`\`\`mermaid\n${source}\`\`\`\n\nThe end.`));
      await page.getByRole('link', { name: 'Drawn' }).click();
      await page.locator('figcaption').getByText('Diagram').waitFor();
      expect(await page.locator('figure code').isVisible()).toBe(true);
      const heightPx = () => page.locator('figure').evaluate((figure) => figure.offsetHeight);
      const before = await heightPx();
      mayLoad.resolve();
      await page.frameLocator('.drawn iframe.diagram').locator('svg').first().waitFor();
      expect(await page.locator('figure code').isVisible()).toBe(false);
      expect(await heightPx()).toBe(before);
    });

    it.each([
      [390, 844],
      [844, 390],
    ])(
      'enlarge a diagram on a phone of %i by %i until it can be read, and further as one likes',
      async (width, height) => {
        const page = await bench.visit('chat', { viewport: { width, height } });
        const source = 'graph LR\n  Client --> Hearth --> Queue --> Model --> Answer';
        await importChats(page, chatFile('Large', `\`\`\`mermaid\n${source}\n\`\`\``));
        await page.goto(`${bench.origin}/#/chat/large`);
        const figure = page.locator('figure.drawn');
        await figure.waitFor();
        const ground = `getComputedStyle(document.querySelector('figure.drawn')).backgroundColor`;
        expect(await page.evaluate(ground)).toBe('rgb(255, 255, 255)');
        await figure.getByRole('button', { name: 'Enlarge' }).click();
        await page.locator('dialog iframe.drawn').waitFor();
        const label = page.frameLocator('dialog iframe').getByText('Hearth');
        const heightPx = async () => (await label.boundingBox())?.height ?? 0;
        // Letters of 12 pixels stand in lines of 18.
        await expect.poll(heightPx).toBeGreaterThanOrEqual(18);
        const read = await heightPx();
        await page.keyboard.press('+');
        await expect.poll(heightPx).toBeGreaterThan(1.2 * read);
        const box = page.locator('dialog .scrolled');
        expect(await box.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
        await page.getByRole('button', { name: 'Smaller' }).click();
        await expect.poll(heightPx).toBeLessThan(1.1 * read);
        await page.getByRole('button', { name: 'Whole' }).click();
        await expect.poll(() => box.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
      },
    );

    it('have tables that are copied for a spreadsheet, with their looks for whoever takes those', async () => {
      const page = await bench.visit('chat');
      const table = '| Bird | area |\n| - | -: |\n| **Grey**<br>heron | $m^2$ |\n| Bittern | 2 |';
      await importChats(page, chatFile('Birds', `Two[^1] of them:\n\n${table}\n\n[^1]: Of three.`));
      await page.getByRole('link', { name: 'Birds' }).click();
      await page.locator('.katex').waitFor();
      const letters = `getComputedStyle(document.querySelector('.prose th'), '::first-letter').textTransform`;
      expect(await page.evaluate(letters)).toBe('none');
      // The footnote and its mark lead to each other.
      for (const [from, to] of [
        ['Footnote 1', 'Back to the mark of footnote 1'],
        ['Back to the mark of footnote 1', 'Footnote 1'],
      ] as const) {
        await page.getByRole('button', { name: from, exact: true }).click();
        await page.getByRole('button', { name: to, exact: true }).and(page.locator(':focus')).waitFor();
      }
      await page.evaluate(`navigator.clipboard.write = async ([item]) => {
        window.copied = {};
        for (const type of item.types) window.copied[type] = await (await item.getType(type)).text();
      }`);
      await page.locator('.prose .table').getByRole('button', { name: 'Copy' }).click();
      await page.locator('.prose .table').getByText('Copied').waitFor();
      expect(await page.evaluate('window.copied')).toEqual({
        'text/plain': 'Bird\tarea\nGrey heron\tm^2\nBittern\t2',
        'text/html': expect.stringMatching(/^<table>.*<strong>Grey<\/strong><br>heron/s),
      });
    });

    it('follow a question whose programs are set as code, and whose words are as they were written', async () => {
      const page = await bench.visit('chat', { viewport: { width: 390, height: 844 } });
      const content = `Why *two*\nlines?\n\n\`\`\`js\nconst herons = 1;\n${'// more\n'.repeat(20)}\`\`\`\n\nSo?`;
      const messages = [{ id: 'q', parentId: null, role: 'user', content }];
      await importChats(page, chatFile('Program', '', { messages, leafId: 'q' }));
      await page.goto(`${bench.origin}/#/chat/program`);
      const question = page.locator('.question');
      await question.locator('figure .hljs-keyword').waitFor();
      expect(await question.locator('p').allInnerTexts()).toEqual(['Why *two*\nlines?', 'So?']);
      expect(await question.locator('.folded').count()).toBe(1);
      await question.getByRole('button', { name: 'Show all' }).click();
      expect(await question.locator('.folded').count()).toBe(0);
      // The sought word is marked within the code, too.
      await page.getByRole('button', { name: 'Chats' }).click();
      await page.getByPlaceholder('Search chats').fill('herons');
      await page.getByRole('link', { name: 'Program' }).click();
      await expect
        .poll(() => page.evaluate(`[...CSS.highlights.get('found') ?? []].map(String)`))
        .toEqual(['herons']);
    });
  },
);
