import { chromium } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';

// The page does much at once, on a machine that other tests keep busy.
const patienceMs = 120_000;

const chat = useChatServer();

describe.skipIf(chromiumPath === undefined)(
  '/docs in Chromium (skipped where no chromium is on PATH)',
  () => {
    let browser: Browser;
    let page: Page;
    const requestedUrls: string[] = [];
    const complaints: string[] = [];

    const origin = () => new URL(chat().server.baseUrl).origin;

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: chromiumPath ?? '' });
      page = await browser.newPage();
      page.setDefaultTimeout(patienceMs);
      page.on('request', (request) => requestedUrls.push(request.url()));
      page.on('pageerror', (error) => complaints.push(error.message));
      // Refusals by the content security policy are told here too.
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(`${origin()}/docs`);
      await group('Chat').waitFor();
    }, patienceMs);
    afterAll(() => browser.close());

    const group = (name: string): Locator => page.locator(`#operations-tag-${name}`);
    const open = (operation: string): Locator => page.locator(`#operations-${operation}`);

    /** Sends `body`, or the example that is there, from the page; the status and the body that it shows. */
    async function tryChat(body?: object): Promise<{ status: string; body: string }> {
      const operation = open('Chat-createChatCompletion');
      const text = operation.locator('textarea.body-param__text');
      if (body !== undefined) await text.fill(JSON.stringify(body));
      const answered = page.waitForResponse((response) => response.url().endsWith('/chat/completions'));
      await operation.getByRole('button', { name: 'Execute' }).click();
      await (await answered).finished();
      const answer = operation.locator('.live-responses-table');
      return {
        status: await answer.locator('.response-col_status').last().innerText(),
        body: await answer.locator('.response-col_description pre').first().innerText(),
      };
    }

    const greeting = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 4 };

    it('shows every operation of the document, once its group is opened', async () => {
      expect(await page.locator('.opblock').count()).toBe(0);
      for (const one of await page.locator('.opblock-tag').all()) await one.click();
      const document = (await (await fetch(`${origin()}/openapi.json`)).json()) as {
        paths: Record<string, object>;
      };
      const count = Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
      expect(await page.locator('.opblock').count()).toBe(count);
    });

    it(
      'tries an operation without a key, and with one that was pasted',
      async () => {
        await open('Chat-createChatCompletion').locator('.opblock-summary-control').click();
        const refused = await tryChat(greeting);
        expect(refused.status).toContain('401');
        expect(refused.body).toContain('missing_api_key');

        expect(await page.locator('.authorize').count()).toBe(0);
        await page.locator('#key').fill(chat().server.apiKey);
        await page.getByRole('button', { name: 'Use this key' }).click();
        // An operation asked for by its address is shown again.
        await page.goto(`${origin()}/docs#/Chat/createChatCompletion`);
        await page.reload();
        expect(await page.locator('#key').inputValue()).toBe(chat().server.apiKey);
        const answered = await tryChat();
        expect(answered.status).toContain('200');
        expect(JSON.parse(answered.body)).toMatchObject({
          object: 'chat.completion',
          model: expect.stringMatching(/^(tiny|hearth-demo)$/),
        });
      },
      patienceMs,
    );

    it(
      'shows the events of a stream',
      async () => {
        const { status, body } = await tryChat({ ...greeting, stream: true });
        expect(status).toContain('200');
        expect(body).toContain('"chat.completion.chunk"');
        expect(body).toContain('data: [DONE]');
      },
      patienceMs,
    );

    it('leads to the pages of the manual, and from one to another', async () => {
      await page.getByRole('link', { name: 'Handbook' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Models and memory' }).click();
      await page.getByRole('heading', { name: 'A model in a process of its own' }).waitFor();
      await page.getByRole('link', { name: 'API reference' }).click();
      await group('Chat').waitFor();
    });

    it('asks nobody but the server, and does nothing that its policy forbids', () => {
      expect(requestedUrls.length).toBeGreaterThan(5);
      expect(new Set(requestedUrls.map((url) => new URL(url).origin))).toEqual(new Set([origin()]));
      // The browser tells of the answer without a key as well.
      expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    });
  },
);
