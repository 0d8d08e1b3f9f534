import { chromium } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { accessibilityFindings, phone, smallFields, smallTargets } from '../../support/page/page.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';

// The page does much at once, on a machine that other tests keep busy.
const patienceMs = 120_000;

const chat = useSharedServer();

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

    const group = (name: string): Locator => page.getByRole('heading', { level: 2, name });
    const operation = () => page.locator('#createChatCompletion');

    /** Sends `body`, or the example that is there, from the page; the status and the body that it shows. */
    async function tryChat(body?: object): Promise<{ status: string; body: string }> {
      const text = operation().getByLabel('Body', { exact: true });
      if (body !== undefined) await text.fill(JSON.stringify(body));
      const answered = page.waitForResponse((response) => response.url().endsWith('/chat/completions'));
      await operation().getByRole('button', { name: 'Send', exact: true }).click();
      await (await answered).finished();
      await operation().getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      return {
        status: await operation().locator('.answer output').innerText(),
        body: await operation().locator('.answer pre').innerText(),
      };
    }

    const greeting = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 4 };

    it('shows every operation of the document, and finds some by their words', async () => {
      const document = (await (await fetch(`${origin()}/openapi.json`)).json()) as {
        paths: Record<string, object>;
      };
      const count = Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
      expect(await page.locator('.route').count()).toBe(count);
      await page.getByRole('searchbox').fill('budgets account');
      await page.locator('#changeAccount').waitFor();
      await operation().waitFor({ state: 'detached' });
      await page.getByRole('searchbox').fill('');
    });

    it(
      'tries an operation without a key, and with one that was pasted',
      async () => {
        await operation().locator('summary').first().click();
        await operation().getByText('All fields of the body').click();
        await operation()
          .locator('dt', { hasText: /^messages/ })
          .getByText('required')
          .waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        const refused = await tryChat(greeting);
        expect(refused.status).toContain('401');
        expect(refused.body).toContain('missing_api_key');

        const key = operation().getByLabel('API key');
        await key.fill('hk-wrong');
        await operation().getByRole('button', { name: 'Send', exact: true }).click();
        await operation().getByRole('alert').getByText('unknown, revoked or expired').waitFor();
        // The written body is sent with the key, in one step.
        await key.fill(chat().server.apiKey);
        expect((await tryChat(greeting)).status).toContain('200');
        expect(await key.count()).toBe(0);
        // An operation asked for by its address is shown again.
        await page.goto(`${origin()}/docs#/Chat/createChatCompletion`);
        await page.reload();
        await operation().getByRole('button', { name: 'Send', exact: true }).waitFor();
        // What takes another key is folded, until one looks for it.
        const ofOperators = page.locator('#Administration .route');
        expect(await ofOperators.count()).toBe(0);
        await page.getByRole('link', { name: /^Administration/ }).click();
        await ofOperators.first().waitFor();
        // Its title stands below the header of a phone, too.
        await page.setViewportSize({ width: 390, height: 844 });
        await page.goto(`${origin()}/docs#/Batches`);
        const bottom = await page.locator('.reference > header').evaluate((one) => one.clientHeight);
        const title = page.locator('#Batches > h2');
        await expect.poll(async () => (await title.boundingBox())?.y ?? 0).toBeGreaterThan(bottom);
        await expect.poll(async () => (await title.boundingBox())?.y).toBeLessThan(844);
        await page.setViewportSize({ width: 1280, height: 720 });
        const markers =
          "[...document.querySelectorAll('summary')].map((one) => getComputedStyle(one).listStyleType)";
        expect(new Set(await page.evaluate<string[]>(markers))).toEqual(new Set(['none']));
        // Who is signed in is asked for no key.
        expect(await operation().getByLabel('API key').count()).toBe(0);
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
      await page.getByRole('searchbox').fill('budget period');
      await page.locator('search li').first().waitFor();
      // The found word is marked, between whole words.
      const found = page.locator('search small', { has: page.locator('mark:not(:empty)') }).first();
      expect((await found.locator('mark').innerText()).toLowerCase()).toBe('budget');
      expect(await found.innerText()).toMatch(/^(… )?[^\s…].*[^\s…]( …)?$/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.goto(`${origin()}/docs/limits`);
      const [code, copy] = await Promise.all(
        ['pre', 'button'].map((part) => page.locator(`main .code > ${part}`).first().boundingBox()),
      );
      expect((code?.x ?? 0) + (code?.width ?? 0)).toBeLessThanOrEqual(copy?.x ?? 0);
      await page.locator('main pre + button').first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Pages' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await page.setViewportSize({ width: 1280, height: 720 });
      const heightOfHeader = async () => (await page.locator('header').first().boundingBox())?.height;
      const height = await heightOfHeader();
      await page.getByRole('link', { name: 'API reference' }).click();
      await group('Chat').waitFor();
      expect(await heightOfHeader()).toBe(height);
      await page.getByText('Routes of operators ask for an admin key.').waitFor();
      await page.getByText('What holds for all routes').click();
      await page.getByText('x-ignored-parameters').first().waitFor();
    });

    it('has a list of pages that a finger leaves in three ways, and targets and fields for fingers', async () => {
      const context = await browser.newContext({ ...phone });
      const small = await context.newPage();
      await small.goto(`${origin()}/docs/limits`);
      const opens = small.getByRole('button', { name: 'Pages' });
      const list = small.locator('nav:popover-open');
      const leaves = [
        () => opens.tap(),
        () => small.touchscreen.tap(200, 200),
        () => list.getByRole('button', { name: 'Close' }).tap(),
        () => list.getByRole('link', { name: 'Audit log' }).tap(),
      ];
      for (const leave of leaves) {
        await opens.tap();
        await list.waitFor();
        // However far it is scrolled.
        await list.evaluate((one) => one.scrollTo(0, 5000));
        await leave();
        await list.waitFor({ state: 'detached' });
      }
      expect(new URL(small.url()).hash).toBe('#audit-log');
      await small.locator('main, .next').evaluateAll((all) => all.forEach((one) => one.remove()));
      await opens.tap();
      expect([await smallFields(small), await smallTargets(small)]).toEqual([[], []]);
      await small.goto(`${origin()}/docs#/Chat/createChatCompletion`);
      await small.getByLabel('Body', { exact: true }).waitFor();
      const [path, words] = await Promise.all(
        ['code', 'span'].map((part) => small.locator(`.route[open] > summary > ${part}`).boundingBox()),
      );
      expect(words?.x).toBeLessThan(path?.x ?? 0);
      expect([await smallFields(small), await smallTargets(small)]).toEqual([[], []]);
      await context.close();
    });

    it('asks nobody but the server, and does nothing that its policy forbids', () => {
      expect(requestedUrls.length).toBeGreaterThan(5);
      expect(new Set(requestedUrls.map((url) => new URL(url).origin))).toEqual(new Set([origin()]));
      // The browser tells of the answer without a key as well.
      expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    });
  },
);
