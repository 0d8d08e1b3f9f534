import { rmSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeWav } from '../../support/audio/wav.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import {
  answersOf,
  chooseModel,
  openSettings,
  type PageBench,
  pagePatienceMs,
  routeFirst,
  savedBy,
  sendMessage,
} from '../../support/page/page.ts';
import { useBench } from '../../support/page/use-bench.ts';
import { chatFile, chooseInMenu, doWith, importChats } from '../../support/page/chats.ts';
import { usePageServer } from '../../support/page/page-server.ts';

const chat = usePageServer();

/** How those parts of the welcome's line of tools end that are wider than their room. */
const cutParts = `[...document.querySelectorAll('.tools-note *')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => getComputedStyle(one))
  .map(({ display, textOverflow }) => display + ' ' + textOverflow)`;

/** Keeps in `globalThis.moved` the classes of what the page moves by itself. */
const watchMoves = `
  globalThis.moved = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) moved.push(...sources.map(({ node }) => node?.className));
  }).observe({ type: 'layout-shift', buffered: true });`;

/** They are told after the frame in which they happened. */
const movesSeen = `new Promise((tell) => requestAnimationFrame(() => setTimeout(() => tell(moved))))`;

describe.skipIf(chromiumPath === undefined)(
  'tools of servers on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let bench: PageBench;
    useBench(
      () => chat().server,
      (opened) => (bench = opened),
    );

    async function openChat(): Promise<Page> {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await chooseModel(page, 'hearth-demo');
      return page;
    }

    async function askWeather(page: Page, city: string): Promise<void> {
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('toy Get weather').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await sendMessage(page, `What is the weather in ${city}?`);
      await page.getByText('Let the model use this tool?').waitFor();
    }

    /** The items of the next request, by their types. */
    const nextInput = (page: Page): Promise<{ type?: string; status?: string; output?: string }[]> =>
      page
        .waitForRequest('**/v1/responses')
        .then((request) => (request.postDataJSON() as { input: { type?: string }[] }).input);

    it('may be stopped while they run: the chat goes on, and nothing is called twice', async () => {
      const page = await openChat();
      await askWeather(page, 'Oslo');
      writeFileSync(chat().holdFile, '');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByText('is running').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('.step.stopped').getByText('stopped').waitFor();
      rmSync(chat().holdFile);
      for (const act of [
        () => sendMessage(page, 'Hello!'),
        () => page.getByRole('button', { name: 'Answer again' }).last().click(),
      ]) {
        const input = nextInput(page);
        await act();
        expect(await input).toContainEqual(
          expect.objectContaining({ type: 'mcp_call', name: 'get_weather', status: 'incomplete' }),
        );
        expect((await input).map(({ type }) => type)).not.toContain('mcp_approval_response');
        await page.locator('.stats').last().waitFor();
        await page.getByRole('button', { name: 'Send' }).waitFor();
      }
      expect(await page.locator('.problem').count()).toBe(0);
    });

    it('are switched on and off in a new chat, whose line ends with dots where they are many', async () => {
      const page = await openChat();
      await page.addInitScript(watchMoves);
      await page.reload();
      const toy = page.getByLabel('toy: Get weather');
      await toy.waitFor();
      // The message is where it was before the words of the demo, its offers and these came.
      expect(await page.evaluate(movesSeen)).not.toContain('composer');
      const many = Array.from({ length: 9 }, (_, index) => ({ name: `look_up_${index}`, description: null }));
      await page.route('**/v1/mcp_servers', async (route) => {
        const response = await route.fetch();
        const list = (await response.json()) as { data: object[] };
        const data = [...list.data, { ...list.data[0], server_label: 'shelf', tools: many, error: null }];
        await route.fulfill({ response, json: { ...list, data } });
      });
      await page.reload();
      const cut = page.locator('.tools-note .switch', { hasText: 'shelf' });
      await cut.waitFor();
      expect(await page.evaluate<string[]>(cutParts)).toEqual(['block ellipsis']);
      await toy.check();
      const chip = page.locator('.setting-chip').getByText('Tools of toy');
      await chip.waitFor();
      // On a phone the composer's own line of them, too.
      await cut.click();
      await page.setViewportSize({ width: 390, height: 844 });
      const composer = page.locator('.composer-tools');
      expect(await composer.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
      await cut.click();
      await page.setViewportSize({ width: 1024, height: 800 });
      await toy.uncheck();
      await chip.waitFor({ state: 'detached' });
    });

    it('are called once also where their answer is written again, deleted or corrected', async () => {
      const page = await openChat();
      await askWeather(page, 'Oslo');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await answersOf(page, 1);
      expect(await page.getByRole('article').filter({ hasNotText: /./ }).count()).toBe(0);
      const again = nextInput(page);
      await page.getByRole('button', { name: 'Answer again' }).last().click();
      expect(await again).toContainEqual(
        expect.objectContaining({ type: 'mcp_call', output: 'Sunny in Oslo.' }),
      );
      await page.getByText('2/2').waitFor();
      // The server still knows the parts of a call that the page lost.
      await routeFirst(page, '**/v1/responses', (route) => route.abort());
      await sendMessage(page, 'What is the weather in Rome?');
      await page.getByText('Let the model use this tool?').waitFor();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByText('Sunny in Rome').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await doWith(page.locator('.message').last(), 'Delete the message');
      await page.reload();
      await doWith(page.locator('.message.assistant:has(.prose)').last(), 'Correct the answer');
      await page.locator('.editor textarea').fill('I asked for the weather.');
      await page.getByRole('button', { name: 'Save' }).click();
      await sendMessage(page, 'Hello!');
      await page.getByRole('button', { name: 'Send' }).waitFor();
      // The corrected answer has no figures of its own any more.
      await answersOf(page, 1);
      expect(await page.locator('.problem').count()).toBe(0);
    });

    it('are chosen for a chat, called once that is allowed, and then without asking', async () => {
      const page = await openChat();
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('toy Get weather').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await sendMessage(page, 'What is the weather in Oslo?');
      await page.getByText('Let the model use this tool?').waitFor();
      await page.getByRole('button', { name: 'Refuse' }).click();
      await page.locator('.step').getByText('refused').waitFor();
      await answersOf(page, 1);
      await sendMessage(page, 'What is the weather in Paris?');
      await page.getByRole('button', { name: 'Always in this chat' }).click();
      await page.locator('.step.done summary').last().click();
      await page.locator('.step pre').getByText('Sunny in').first().waitFor();
      // Nothing is sent while an answer is written.
      await answersOf(page, 2);
      await sendMessage(page, 'What is the weather in Rome?');
      await page.locator('.step.done', { hasText: 'Get weather (toy)' }).nth(1).waitFor();
      await expect
        .poll(() => page.locator('.step.done .argument').allInnerTexts())
        .toEqual(['Paris', 'Rome']);
      // An answer with its calls is one message, and its tools stand below it once.
      await answersOf(page, 3);
      await expect.poll(() => page.locator('.message-tools').count()).toBe(6);
      // Calls are kept with the chat.
      await page.reload();
      await page.locator('summary').getByText('Get weather (toy)').first().waitFor();
    });

    it('are asked for no more once the chat went on without an answer', async () => {
      const page = await openChat();
      await askWeather(page, 'Oslo');
      await sendMessage(page, 'Hello!');
      await page.locator('.step.stopped').getByText('not answered').waitFor();
      expect(await page.getByText('Let the model use').count()).toBe(0);
      await answersOf(page, 1);
    });

    it('may be single ones of a server', async () => {
      const page = await openChat();
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('box Echo, Fail').check();
      await page.getByLabel('Fail', { exact: false }).last().uncheck();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.locator('.setting-chip').getByText('Tools of box: Echo', { exact: true }).waitFor();
      const request = page.waitForRequest('**/v1/responses');
      await sendMessage(page, 'Hello!');
      expect((await request).postDataJSON()).toMatchObject({
        tools: [{ type: 'mcp', server_label: 'box', allowed_tools: ['echo'] }],
      });
      await answersOf(page, 1);
      await page.locator('.setting-chip').getByText('box: Echo').click();
      await page.getByRole('checkbox', { name: /^Echo/ }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.locator('.setting-chip').count()).toBe(0);
    });

    it('are done without at one press', async () => {
      const page = await openChat();
      await page.getByRole('button', { name: 'Add to the message' }).click();
      await page.locator('.sheet-over').getByRole('checkbox').first().check();
      await page.keyboard.press('Escape');
      // Until then they are a part of the request, as code too.
      await page.getByRole('button', { name: 'Show as code' }).click();
      await page.locator('dialog pre').getByText('"server_label"').waitFor();
      expect(await page.locator('dialog pre').innerText()).toMatch(/^curl \S+\/v1\/responses /);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Do without the tools of/ }).click();
      await page.locator('.setting-chip').first().waitFor({ state: 'detached' });
    });

    it('are asked for one by one, and what was said to them goes at once', async () => {
      const page = await openChat();
      const wanted = (id: string, args: object) => ({
        type: 'mcp_approval_request',
        id,
        server_label: 'toy',
        name: 'get_weather',
        arguments: JSON.stringify(args),
      });
      const items = [
        wanted('mcpr_1', { city: 'Oslo' }),
        wanted('mcpr_2', { city: 'Rome', days: 3 }),
        wanted('mcpr_3', { city: 'Paris' }),
      ];
      const messages = [
        { id: 'q', parentId: null, role: 'user', content: 'Weather?' },
        { id: 'a', parentId: 'q', role: 'assistant', content: '', model: 'hearth-demo', items },
      ];
      const settings = { servers: ['toy'] };
      await importChats(page, chatFile('Weather', '', { messages, leafId: 'a', settings }));
      await page.getByRole('link', { name: 'Weather' }).click();
      const asked = page.locator('.asked');
      await expect.poll(() => asked.count()).toBe(3);
      // The facts in the line of a call are not told again below it.
      await expect.poll(() => page.locator('.asked details[open]').count()).toBe(1);
      await expect.poll(() => page.locator('.steps .primary').allInnerTexts()).toEqual(['Allow all']);
      expect(await page.getByRole('button', { name: 'Always in this chat' }).count()).toBe(1);
      // The composer tells that the model waits, and leads there.
      await page.getByRole('button', { name: 'The model is waiting for your permission.' }).click();
      await page.locator('.steps .primary:focus').waitFor();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await asked.first().getByRole('button', { name: 'Allow', exact: true }).click();
      await asked.first().getByText('allowed').waitFor();
      await asked.nth(1).getByRole('button', { name: 'Refuse', exact: true }).click();
      await asked.nth(1).getByText('refused').waitFor();
      expect(requests.filter((url) => url.endsWith('/responses'))).toEqual([]);
      const input = nextInput(page);
      const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
      await page.route('**/v1/responses', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Allow all' }).click();
      // Those that are still to be made stay in sight.
      await expect.poll(() => page.locator('.steps').getByText('allowed').count()).toBe(2);
      goOn();
      const approved = (await input).filter(({ type }) => type === 'mcp_approval_response');
      expect(approved).toEqual(
        ['mcpr_1', 'mcpr_3'].map((id) => ({
          type: 'mcp_approval_response',
          approval_request_id: id,
          approve: true,
        })),
      );
      expect(await input).toContainEqual(expect.objectContaining({ type: 'mcp_call', id: 'mcp_2' }));
      // This server has not asked for them, so they count as broken off.
      await answersOf(page, 1);
    });

    it('stand in the order in which they were asked for, those that were refused too', async () => {
      const page = await openChat();
      const call = (number: number, city: string) => ({
        server_label: 'toy',
        name: 'get_weather',
        arguments: JSON.stringify({ city }),
        id: `mcpr_${number}`,
      });
      const calls = [call(1, 'Oslo'), call(2, 'Rome'), call(3, 'Paris')];
      const asked = calls.map((one) => ({ type: 'mcp_approval_request', ...one }));
      const made = calls
        .filter((_, index) => index !== 1)
        .map((one) => ({
          ...one,
          type: 'mcp_call',
          id: one.id.replace('mcpr', 'mcp'),
          approval_request_id: one.id,
          status: 'completed',
          output: 'Rain',
          error: null,
        }));
      const said = calls.map(({ id, name }, index) => ({
        id: `t${index}`,
        parentId: index === 0 ? 'a' : `t${index - 1}`,
        role: 'tool',
        content: '',
        toolCallId: id,
        toolName: name,
        approves: index !== 1,
      }));
      const model = 'hearth-demo';
      const messages = [
        { id: 'q', parentId: null, role: 'user', content: 'Weather?' },
        { id: 'a', parentId: 'q', role: 'assistant', content: '', model, items: asked },
        ...said,
        { id: 'b', parentId: 't2', role: 'assistant', content: 'It rains.', model, items: made },
      ];
      await importChats(page, chatFile('Rain', '', { messages, leafId: 'b' }));
      await page.getByRole('link', { name: 'Rain' }).click();
      await page.getByText('It rains.').waitFor();
      const markdown = await savedBy(page, () => chooseInMenu(page, 'Rain', 'Export as Markdown'));
      const lines = markdown.split('\n').filter((line) => /^(#|<details>|\{|Rain|It)/.test(line));
      expect(lines.slice(2)).toEqual([
        '## hearth-demo',
        '<details><summary>Get weather (toy) · refused</summary>',
        '{"city":"Rome"}',
        ...['Oslo', 'Paris'].flatMap((city) => [
          '<details><summary>Get weather (toy)</summary>',
          `{"city":"${city}"}`,
          'Rain',
        ]),
        'It rains.',
      ]);
      expect(await page.locator('.step .argument').allInnerTexts()).toEqual(['Oslo', 'Rome', 'Paris']);
    });

    it('come with stop sequences, and without recordings, which is said', async () => {
      const page = await openChat();
      // The page takes recordings for models that hear.
      await bench.changeModels(page, ({ capabilities }) =>
        Object.assign(capabilities, { supports_audio: true }),
      );
      await page.reload();
      await openSettings(page);
      await page.getByLabel('toy Get weather').check();
      await page.getByLabel('Stop sequences').fill('zzz');
      // The value that the page sends to the demo.
      expect(await page.getByLabel('Temperature').getAttribute('placeholder')).toBe('0');
      await page.getByRole('button', { name: 'Done' }).click();
      const request = page.waitForRequest('**/v1/responses');
      await sendMessage(page, 'What is the weather in Oslo?');
      expect((await request).postDataJSON()).toMatchObject({ stop: ['zzz'] });
      await page.getByRole('button', { name: 'Refuse' }).click();
      await answersOf(page, 1);
      const buffer = writeWav(new Float32Array(1600));
      await page.locator('.attach input').setInputFiles({ name: 'talk.wav', mimeType: 'audio/wav', buffer });
      await page.locator('.chip:not(.pulse)').getByText('talk.wav').waitFor();
      await sendMessage(page, 'What is said?');
      await page.getByText('talk.wav cannot be sent while tool servers are chosen').waitFor();
    });
  },
);
