import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { chooseInMenu, importChats } from '../../support/page/chats.ts';
import { pdfOf } from '../../support/files/pdf.ts';
import { usePageServer } from '../../support/page/page-server.ts';
import {
  answersOf,
  chooseModel,
  openSettings,
  PageBench,
  pagePatienceMs,
  savedBy,
  sendMessage,
} from '../../support/page/page.ts';

const chat = usePageServer();

const weather = JSON.stringify([
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]);

describe.skipIf(chromiumPath === undefined)(
  'the chat of the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let bench: PageBench;
    beforeAll(async () => {
      bench = await PageBench.open(chat().server);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      // Everywhere in this file: nothing was loaded from elsewhere, and nothing broke.
      expect(
        bench.requestedUrls.filter((url) => !/^(?:blob|data):/.test(url) && !url.startsWith(bench.origin)),
      ).toEqual([]);
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
    });

    async function openChat(model: string): Promise<Page> {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await chooseModel(page, model);
      return page;
    }

    it('streams an answer, tells what it took, and still has it after a reload and in a second tab', async () => {
      const page = await openChat('hearth-demo');
      await sendMessage(page, 'Hello!');
      const [answer] = await answersOf(page, 1);
      expect(answer).toMatch(/\w/);
      await page.locator('.stats').click();
      await expect
        .poll(() => page.locator('.stats').innerText())
        .toMatch(/^hearth-demo · .*\d+ tokens · .*first after/);
      await page.reload();
      expect(await answersOf(page, 1)).toEqual([answer]);
      const second = await bench.visitIn(page.context(), new URL(page.url()).hash.slice(2));
      expect(await answersOf(second, 1)).toEqual([answer]);
    });

    it('loads what shows Markdown with the first answer, and not before one can write', async () => {
      const loaded: string[] = [];
      const page = await openChat('hearth-demo');
      page.on('request', (request) => loaded.push(request.url()));
      await page.reload();
      await page.locator('#composer').waitFor();
      await page.waitForLoadState('networkidle');
      const isMarkdown = (url: string) => /\/markdown-[^/]+\.js$/.test(url);
      expect(loaded.filter(isMarkdown)).toEqual([]);
      await sendMessage(page, 'Hello!');
      await answersOf(page, 1);
      expect(loaded.filter(isMarkdown)).toHaveLength(1);
    });

    it('stops an answer by Escape, and keeps what was written', async () => {
      const page = await openChat('endless');
      await sendMessage(page, 'Go on');
      await page
        .locator('.message.assistant .prose')
        .getByText(/\S{20}/)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Stopped.').waitFor();
      await expect.poll(() => page.locator('.message.assistant .prose').innerText()).not.toBe('');
    });

    it('keeps an edited question and another answer as versions beside the old ones', async () => {
      const page = await openChat('hearth-demo');
      await sendMessage(page, 'Hello!');
      await answersOf(page, 1);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.locator('.editor textarea').fill('What is hearth?');
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('2/2').waitFor();
      const [edited] = await answersOf(page, 1);
      await page.getByRole('button', { name: 'Previous version' }).click();
      await page.locator('.question').getByText('Hello!').waitFor();
      await page.locator('.versions [aria-label="Next version"]:focus').press('Enter');
      expect(await answersOf(page, 1)).toEqual([edited]);
      await chooseModel(page, 'tiny');
      await page.getByRole('button', { name: 'Answer again with tiny' }).click();
      await page
        .locator('.stats')
        .getByText(/^tiny · /)
        .waitFor();
      await expect.poll(() => page.locator('.versions').count()).toBe(2);
    });

    it('shows a call as JSON, takes its result, and goes on', async () => {
      const page = await openChat('hearth-demo');
      await openSettings(page);
      await page.getByLabel('Tools, as a JSON list of functions').fill(weather);
      await page.getByRole('button', { name: 'Close' }).click();
      await sendMessage(page, 'What is the weather in Paris?');
      await page.getByLabel('Result of get_weather').waitFor();
      expect(JSON.parse(await page.locator('.step pre').innerText())).toEqual({
        city: expect.stringMatching(/Paris/i),
      });
      await page.getByLabel('Result of get_weather').fill('{"temperature": 21, "sky": "sunny"}');
      await page.getByRole('button', { name: 'Send the results' }).click();
      const answers = await answersOf(page, 1);
      expect(answers.at(-1)).toMatch(/21|sunny/);
    });

    it('holds answers to a schema, and says what is no JSON', async () => {
      const page = await openChat('tiny');
      await openSettings(page);
      const schema = page.getByLabel('JSON schema that answers must fit');
      await schema.fill('{"type":');
      await page.getByText('This is not valid JSON').waitFor();
      await schema.fill(
        '{"type":"object","properties":{"size":{"enum":[1,2]}},"required":["size"],"additionalProperties":false}',
      );
      await page.getByRole('button', { name: 'Close' }).click();
      await sendMessage(page, 'Which size?');
      const [answer = ''] = await answersOf(page, 1);
      expect([{ size: 1 }, { size: 2 }]).toContainEqual(JSON.parse(answer));
    });

    it('shows the request as code that names no key', async () => {
      const page = await openChat('tiny');
      await page.locator('#composer').fill('Which way do herons fly?');
      await page.getByRole('button', { name: 'Show as code' }).click();
      for (const [language, sign] of [
        ['curl', 'curl http'],
        ['Python', 'extra_body=body'],
        ['TypeScript', 'import OpenAI'],
      ] as const) {
        await page.getByRole('button', { name: language }).click();
        const code = await page.locator('dialog pre').innerText();
        expect(code).toContain(sign);
        expect(code).toContain('Which way do herons fly?');
        expect(code).not.toContain(bench.keys.user);
      }
    });

    it('sends attached texts before the question, and says what cannot be attached', async () => {
      const page = await openChat('hearth-demo');
      const attach = (name: string, mimeType: string, content: string | Buffer) =>
        page.locator('.attach input').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
      await attach('torn.pdf', 'application/pdf', '%PDF-1.7');
      await page.getByRole('alert').getByText('is a damaged PDF').waitFor();
      await attach('notes.pdf', 'application/pdf', pdfOf(['The first page', 'and the last']));
      await page.locator('.chip').getByText('2 pages').waitFor();
      await attach('program.bin', '', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]));
      await page.getByRole('alert').getByText('is no PDF, DOCX').waitFor();
      await attach('log.txt', 'text/plain', 'x'.repeat(500_001));
      await page.getByRole('alert').getByText('at most 500 kB are allowed').waitFor();
      // Each file has its own line, until it is closed.
      for (let left = 3; left > 0; left -= 1)
        await page.locator('.composer .refused').getByRole('button').first().click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await attach('poem.md', 'text/markdown', 'Roses\n```\nare red');
      await page.getByRole('button', { name: 'Show as code' }).click();
      await page.locator('dialog pre').getByText('poem.md').waitFor();
      await page.keyboard.press('Escape');
      await attach('gone.txt', 'text/plain', 'never sent');
      await page.getByRole('button', { name: 'Remove the attachment: gone.txt' }).click();
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        sendMessage(page, 'Hello!'),
      ]);
      expect(request.postDataJSON()).toMatchObject({
        messages: [
          {
            role: 'user',
            content:
              'notes.pdf:\n```\n[page 1]\nThe first page\n\n[page 2]\nand the last\n```\n\n' +
              'poem.md:\n````\nRoses\n```\nare red\n````\n\nHello!',
          },
        ],
      });
      await answersOf(page, 1);
      await page.locator('.attached-text summary').last().click();
      await page.locator('.attached-text pre').getByText('are red').waitFor();
    });

    it('continues an answer that reached its limit, in its place', async () => {
      const page = await openChat('hearth-demo');
      await sendMessage(page, 'What is hearth?');
      const [whole = ''] = await answersOf(page, 1);
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('Max tokens').fill('6');
      await page.getByRole('button', { name: 'Close' }).click();
      await sendMessage(page, 'What is hearth?');
      await page.getByText('The answer reached its token limit.').waitFor();
      const [begun = ''] = await answersOf(page, 1);
      expect(begun.length).toBeLessThan(whole.length);
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('Max tokens').fill('');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('The answer reached its token limit.').waitFor({ state: 'detached' });
      expect(await answersOf(page, 1)).toEqual([whole]);
      await page.reload();
      expect(await answersOf(page, 1)).toEqual([whole]);
    });

    it('keeps a picture for a model that sees, which one press chooses, and tells of each broken file', async () => {
      const page = await openChat('tiny');
      const attach = (name: string, buffer: Buffer) =>
        page.locator('.attach input').setInputFiles({ name, mimeType: 'image/png', buffer });
      await attach('dot.png', await page.screenshot());
      await page.getByRole('alert').getByText('tiny cannot see pictures.').waitFor();
      for (const name of ['one.png', 'two.png']) await attach(name, Buffer.from('89504e47', 'hex'));
      for (const name of ['one.png', 'two.png'])
        await page.getByRole('alert').getByText(`${name} is damaged`).waitFor();
      await page.getByLabel('Message', { exact: true }).fill('Look');
      expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Use hearth-demo' }).click();
      await page.getByText('tiny cannot see pictures.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Model: hearth-demo' }).waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await answersOf(page, 1);
      // The message begins where one without a picture does.
      const thread = await page.locator('.thread').boundingBox();
      const picture = await page.locator('.message .attachments').boundingBox();
      expect((picture?.y ?? Infinity) - (thread?.y ?? 0)).toBeLessThan(20);
    });

    it('finds, renames, exports, deletes and imports chats', async () => {
      const page = await openChat('hearth-demo');
      await sendMessage(page, 'Remember the heron');
      await answersOf(page, 1);
      await page.keyboard.press('Escape');
      await chooseInMenu(page, 'Remember the heron', 'Rename');
      await page.getByRole('textbox', { name: 'Rename' }).fill('Birds');
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Search chats').fill('heron');
      await page.getByRole('link', { name: 'Birds' }).locator('mark').getByText('heron').waitFor();
      await page.getByPlaceholder('Search chats').fill('');
      const markdown = await savedBy(page, () => chooseInMenu(page, 'Birds', 'Export as Markdown'));
      expect(markdown).toMatch(/^# Birds\n\n## You\n\nRemember the heron\n\n## hearth-demo\n\n./);
      const saved = await savedBy(page, () => chooseInMenu(page, undefined, 'Export chats'));
      const remove = async () => {
        await chooseInMenu(page, 'Birds', 'Delete');
        await page.getByRole('link', { name: 'Birds' }).waitFor({ state: 'detached' });
      };
      await remove();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.message').getByText('Remember the heron').waitFor();
      await remove();
      await importChats(page, saved);
      await page.getByText('1 chat imported').waitFor();
      await importChats(page, saved);
      await page.getByText('This chat was already here').waitFor();
      expect(await page.getByRole('link', { name: 'Birds' }).count()).toBe(1);
      await importChats(page, '{"no": "export"}');
      await page.getByText('This file has no chats exported by hearth').waitFor();
    });

    it('shows an answer that tries to inject something as harmless text', async () => {
      const hostile = [
        '<script>globalThis.harmed = 1</script><img src=x onerror="globalThis.harmed = 1">',
        '<style>body { display: none }</style>',
        '![beacon](http://example.invalid/beacon.png)',
        '[click](javascript:globalThis.harmed=1) [data](data:text/html,<script>1</script>)',
        '<a href="javascript:globalThis.harmed=1">raw</a> <iframe src="http://example.invalid"></iframe>',
        '```html" onmouseover="globalThis.harmed=1\n<b>code</b>\n```',
        '$\\href{javascript:globalThis.harmed=1}{x}$ $$\\includegraphics{http://example.invalid/x.png}$$',
        '<svg onload="globalThis.harmed = 1"><script>globalThis.harmed = 1</script><image href="http://example.invalid/i"/></svg>',
        '<math><mtext><style><img src=x onerror="globalThis.harmed = 1"></style></mtext><maction actiontype="statusline" xlink:href="javascript:globalThis.harmed=1">m</maction></math>',
        '<p style="background: url(http://example.invalid/css)">styled</p>',
        '<form action="http://example.invalid/"><input name="secret"><button formaction="javascript:globalThis.harmed=1">send</button></form>',
        '<object data="http://example.invalid/o"></object><embed src="http://example.invalid/e"><video poster="http://example.invalid/v"></video><base href="http://example.invalid/"><meta http-equiv="refresh" content="0;url=http://example.invalid/">',
        '[vb](vbscript:x) [file](file:///etc/passwd) [tab](java\tscript:globalThis.harmed=1) <javascript:globalThis.harmed=1>',
        '$\\htmlStyle{background: url(http://example.invalid/t)}{x}$ $\\url{javascript:globalThis.harmed=1}$',
      ].join('\n\n');
      const page = await openAnswer(hostile);
      const prose = page.locator('.message.assistant .prose');
      await prose.locator('.katex').first().waitFor();
      expect(
        await prose
          .locator(
            'script, style, img, image, iframe, svg, object, embed, video, audio, form, base, meta, link, maction, ' +
              '[style]:not(.katex *), [style*="url"], [src], [formaction], [poster], [onerror], [onload], [onmouseover]',
          )
          .count(),
      ).toBe(0);
      const links = await prose
        .locator('[href], a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(links.filter((href) => href !== null && !href.startsWith('http'))).toEqual([]);
      for (const link of await prose.locator('a:not([href])').all()) await link.click();
      expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false);
    });

    it('shows HTML of an answer in a frame that reaches neither the page nor a network', async () => {
      const script = `
        const tries = { parent: () => parent.document.title, storage: () => localStorage.length, cookie: () => document.cookie };
        const out = Object.entries(tries).map(([name, act]) => { try { act(); return name + ' reached'; } catch { return name + ' kept'; } });
        fetch('${bench.origin}/v1/models').then(() => 'network reached', () => 'network kept').then((network) => {
          const p = document.querySelector('p');
          const picture = document.querySelector('img').naturalWidth > 0 ? 'picture reached' : 'picture kept';
          p.textContent = [...out, network, picture, getComputedStyle(p).color].join(', ');
          p.onclick = () => { location = 'http://example.invalid/away'; };
        });`;
      const html = `<style>p { color: rgb(1, 2, 3) }</style><p>waits</p><img src="${bench.origin}/icon.svg"><script>${script}</script>`;
      const page = await openAnswer(`\`\`\`html\n${html}\n\`\`\``);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      expect(await page.locator('iframe').count()).toBe(0);
      await page.getByRole('button', { name: 'Preview' }).click();
      const text = page.frameLocator('iframe.preview').locator('p');
      await text
        .getByText('parent kept, storage kept, cookie kept, network kept, picture kept, rgb(1, 2, 3)')
        .waitFor();
      await text.click();
      await expect.poll(() => bench.complaints.some((one) => one.includes('example.invalid'))).toBe(true);
      expect(requests.filter((url) => !url.startsWith(bench.origin))).toEqual([]);
      // The browser complains of each try, as it should.
      expect(bench.complaints.splice(0).length).toBeGreaterThanOrEqual(4);
    });

    it('draws a diagram in such a frame, and says what is wrong with one', async () => {
      const good = 'graph TD\n  A["Start </script>"] --> B[End]';
      const page = await openAnswer(
        `\`\`\`mermaid\n${good}\n\`\`\`\n\n\`\`\`mermaid\ngraph TD\n  A --> [\n\`\`\``,
      );
      await page.frameLocator('.drawn iframe.diagram').locator('svg').getByText('End').waitFor();
      await page.locator('iframe.diagram').nth(1).waitFor({ state: 'detached' });
      await page.locator('.code').last().getByText('This diagram cannot be drawn.').waitFor();
      await page.emulateMedia({ colorScheme: 'dark' });
      const colour = async () => {
        const frame = await (await page.locator('.drawn iframe.diagram').elementHandle())?.contentFrame();
        return await frame?.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      };
      await expect.poll(colour).toBe('rgb(34, 30, 26)');
      const frame = await (await page.locator('.drawn iframe.diagram').elementHandle())?.contentFrame();
      expect(await frame?.evaluate(`[...document.fonts].map(({ status }) => status)`)).toEqual(['loaded']);
      for (const isShown of [true, false]) {
        await page.getByRole('button', { name: 'Source' }).click();
        await expect.poll(() => page.locator('.drawn pre').isVisible()).toBe(isShown);
      }
      const preview = page.getByRole('button', { name: 'Enlarge' });
      await preview.first().click();
      await page.frameLocator('dialog iframe').locator('svg').getByText('End').waitFor();
      await page.keyboard.press('Escape');
      await preview.last().click();
      await page.frameLocator('dialog iframe').getByText('Parse error').waitFor();
    });

    /** The page with one chat, in which a model has answered `content`. */
    async function openAnswer(content: string): Promise<Page> {
      const messages = [
        { id: 'm1', parentId: null, role: 'user', content: 'Harm me' },
        { id: 'm2', parentId: 'm1', role: 'assistant', content },
      ];
      const conversation = {
        id: 'hostile',
        title: 'Hostile',
        updatedAtMs: 1,
        settings: {},
        messages,
        leafId: 'm2',
      };
      const page = await openChat('tiny');
      const text = JSON.stringify({ format: 'hearth-chats', version: 1, conversations: [conversation] });
      await page
        .locator('.list-tools input')
        .setInputFiles({ name: 'h.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      await page.getByRole('link', { name: 'Hostile' }).click();
      await page.locator('.message.assistant .prose:not(.plain)').waitFor();
      return page;
    }
  },
);
