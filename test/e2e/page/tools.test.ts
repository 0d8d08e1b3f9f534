import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeWav } from '../../support/audio/wav.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import { answersOf, PageBench, pagePatienceMs, sendMessage } from '../../support/page/page.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';

const tools = fileURLToPath(new URL('../../support/fakes/programs/mcp-server.mjs', import.meta.url));

describe.skipIf(chromiumPath === undefined)(
  'tools of servers on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      const toy = { command: process.execPath, args: [tools], tools: ['get_weather'] };
      server = await startServer({ modelsDirs: [], config: { mcp: { toy } } });
      bench = await PageBench.open(server);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
      await server.stop();
    });

    it('are chosen for a chat, called once that is allowed, and then without asking', async () => {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('toy get_weather').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await sendMessage(page, 'What is the weather in Oslo?');
      await page.getByText('May the model call get_weather of toy?').waitFor();
      await page.getByRole('button', { name: 'Refuse' }).click();
      await page.getByText('Refused: get_weather').waitFor();
      await answersOf(page, 1);
      await sendMessage(page, 'What is the weather in Paris?');
      await page.getByRole('button', { name: 'Always in this chat' }).click();
      await page.getByText('Allowed: get_weather').waitFor();
      await page.locator('summary').getByText('get_weather of toy').last().click();
      await page.locator('details.tool-call pre').getByText('Sunny in').first().waitFor();
      // Nothing is sent while an answer is written.
      await answersOf(page, 2);
      await sendMessage(page, 'What is the weather in Rome?');
      await page.getByText('Allowed: get_weather').nth(1).waitFor();
      // Calls are kept with the chat.
      await page.reload();
      await page.locator('summary').getByText('get_weather of toy').first().waitFor();
    });

    it('come with stop sequences, and without recordings, which is said', async () => {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user } });
      // The page takes recordings for models that hear.
      await page.route('**/v1/models', async (route) => {
        const json = (await (await route.fetch()).json()) as { data: { capabilities: object }[] };
        for (const { capabilities } of json.data) Object.assign(capabilities, { supports_audio: true });
        await route.fulfill({ json });
      });
      await page.reload();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('toy get_weather').check();
      await page.getByLabel('Stop sequences').fill('zzz');
      await page.getByRole('button', { name: 'Done' }).click();
      const request = page.waitForRequest('**/v1/responses');
      await sendMessage(page, 'What is the weather in Oslo?');
      expect((await request).postDataJSON()).toMatchObject({ stop: ['zzz'] });
      await page.getByRole('button', { name: 'Refuse' }).click();
      await answersOf(page, 1);
      const buffer = writeWav(new Float32Array(1600));
      await page.locator('.attach input').setInputFiles({ name: 'talk.wav', mimeType: 'audio/wav', buffer });
      await page.locator('.chip').getByText('talk.wav').waitFor();
      await sendMessage(page, 'What is said?');
      await page.getByText('talk.wav cannot be sent while servers of tools are chosen').waitFor();
    });
  },
);
