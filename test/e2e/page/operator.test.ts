import { fileURLToPath } from 'node:url';
import { globSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { completeChat, openClient } from '../../support/server/chat-client.ts';
import {
  accessibilityFindings,
  answersOf,
  PageBench,
  pagePatienceMs,
  sendMessage,
} from '../../support/page/page.ts';
import { hasPseudoTerminal, openTerminalProgram } from '../../support/page/pseudo-terminal.ts';
import { PullBench } from '../../support/files/pull-bench.ts';
import { configFileName, startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

describe.skipIf(chromiumPath === undefined)(
  "an operator's page (skipped where no chromium is on PATH)",
  { timeout: 2 * pagePatienceMs },
  () => {
    let folder: string;
    let hub: PullBench;
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      hub = await PullBench.open();
      folder = mkdtempSync(join(tmpdir(), 'hearth-page-models-'));
      writeFileSync(join(folder, 'torn.gguf'), (await readFile(await tinyModel())).subarray(0, 5000));
      server = await startServer({
        modelsDirs: [folder],
        config: {
          // Nothing listens there.
          models: [{ id: 'away', kind: 'chat', upstream: { url: 'http://127.0.0.1:9/v1', label: 'Attic' } }],
          plans: { once: { limits: { requests: { minute: 1 } } } },
          prices: { '*': { requests: 0.25 } },
        },
        env: { HF_ENDPOINT: hub.server.origin },
      });
      // As another computer of the network has it: without TLS, so without the clipboard and other things.
      bench = await PageBench.open(server, ['--host-resolver-rules=MAP lan.test 127.0.0.1']);
    }, pagePatienceMs);
    const lanOrigin = () => `http://lan.test:${new URL(server.baseUrl).port}`;
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
      await server.stop();
      await hub.close();
      rmSync(folder, { recursive: true });
    });

    it('asks for a key, and says why one is refused', async () => {
      const page = await bench.visit('chat', { keys: null });
      await page.getByRole('heading', { name: 'Sign in to hearth' }).waitFor();
      await page.getByLabel('Your key').fill('hk-wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('This key does not work').waitFor();
      expect(await page.getByLabel('Your key').inputValue()).toBe('hk-wrong');
      await page.getByLabel('Your key').fill('');
      expect(await page.getByText('This key does not work').count()).toBe(0);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Fill in "Your key".').waitFor();
      await page.getByLabel('Your key').fill(bench.keys.user);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('#composer').waitFor();
      expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Limits' }).click();
      // The models that may be used have their names, also before any was.
      await page.getByRole('heading', { name: 'No limits: use it as much as you like' }).waitFor();
      await page.locator('.fold[open]', { hasText: 'have not used' }).getByRole('paragraph').waitFor();
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByText('Nothing was used in this period.').waitFor();
      // A view for operators names the key that it needs, and how to get one.
      await page.goto(`${bench.origin}/#/models`);
      await page.getByText('This view needs an admin key').waitFor();
      await page.locator('.secret', { hasText: '--admin' }).getByRole('button', { name: 'Copy' }).waitFor();
    });

    it('makes a key that works, shows its balance move, and revokes it', async () => {
      const page = await bench.visit('keys', { origin: lanOrigin() });
      expect(await page.evaluate('isSecureContext')).toBe(false);
      await page.getByRole('button', { name: 'New account' }).click();
      await page.getByLabel('Account name').fill('visitors');
      await page.getByLabel('Plan').selectOption('once');
      await page.getByText('1 request per minute').first().waitFor();
      await page.getByRole('button', { name: 'Create account' }).click();
      // Also before the list has it.
      await page.getByRole('button', { name: 'New key' }).click();
      const account = page.locator('dialog').getByLabel('Account');
      await expect.poll(() => account.locator('option:checked').innerText()).toBe('Choose…');
      // An empty form makes no key.
      const wrong = page.locator('dialog [aria-invalid="true"]');
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect.poll(() => wrong.count()).toBe(2);
      await account.selectOption({ label: 'visitors' });
      await page.locator('dialog').getByLabel('Name').fill('guest');
      const someOf = (what: string) =>
        page.getByRole('group', { name: what }).getByRole('button', { name: 'only these' }).click();
      await someOf('Models');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.locator('dialog').getByRole('alert').waitFor();
      await page.locator('dialog').getByRole('checkbox', { name: 'hearth-demo', exact: true }).check();
      await someOf('May be used for');
      await page.locator('dialog').getByRole('checkbox', { name: 'chat' }).check();
      await page.getByRole('button', { name: 'Create key' }).click();
      const secret = await page.locator('dialog .secret code').first().innerText();
      // It is shown once: a click beside the dialog does nothing, and Escape asks.
      await page.mouse.click(5, 5);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Close without copying?' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog .secret code').first().innerText()).toBe(secret);
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      await page.getByText('Link to sign in on another device').click();
      const link = await page.locator('dialog .secret code').nth(1).innerText();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'New account' }).click();
      await page.getByLabel('Account name').focus();
      await page.keyboard.press('Control+V');
      expect(await page.getByLabel('Account name').inputValue()).toBe(secret);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      const card = page.locator('.key', { hasText: 'guest' });
      await card.getByText('1 request per minute, all free').waitFor();

      const guest = await bench.visit('chat', { keys: null });
      await guest.goto(link);
      await guest.getByText('You are signed in by a link').waitFor();
      expect(guest.url()).not.toContain(secret);
      await guest.getByRole('button', { name: 'Stay signed in on this device' }).click();
      const second = await bench.visitIn(guest.context(), 'chat', lanOrigin());
      await second.locator('#composer').waitFor();
      await second.getByRole('link', { name: 'Limits' }).click();
      await second.getByText(/^\d+ models?, all limits free$/).waitFor();
      await second.close();
      await sendMessage(guest, 'Hello!');
      await answersOf(guest, 1);
      await card.getByText('100% of 1 request per minute used').waitFor();
      await guest.getByRole('link', { name: 'Limits' }).click();
      await guest.getByRole('heading', { name: 'hearth-demo', exact: true }).waitFor();
      await guest.getByRole('link', { name: 'Chat', exact: true }).click();
      await sendMessage(guest, 'Hello again!');
      await guest
        .getByRole('timer')
        .getByText(/You can try again in \d+ s/)
        .waitFor();
      // One countdown: a second that stands still would contradict it.
      await guest.getByText(/^Rate limit reached\. This key has no allowance left/).waitFor();
      expect(await guest.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true);
      await page.goto(`${bench.origin}/#/usage`);
      await page.getByLabel('By', { exact: true }).selectOption('key');
      // The plot's legend is a table as well.
      const table = page.locator('.scroll');
      const row = table.getByRole('row', { name: /guest/ });
      await row.waitFor();
      const titles = await table.getByRole('columnheader').allInnerTexts();
      const at = titles.indexOf('Refused') - 1;
      await expect.poll(() => row.getByRole('cell').nth(at).innerText()).toBe('1');
      await page.goto(`${bench.origin}/#/keys/visitors`);
      await card.getByRole('button', { name: 'More: guest' }).click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click();
      await card.waitFor({ state: 'detached' });
      await guest.goto(`${lanOrigin()}/#/chat`);
      for (const _ of ['a refused request', 'a tab without a key']) {
        await guest.reload();
        await guest.getByText('Your key is no longer valid').waitFor();
      }
    });

    it('loads and unloads a model, with its memory as a bar', async () => {
      const page = await bench.visit('models');
      await page.getByRole('row', { name: /^Attic · 127\.0\.0\.1:9 does not answer · down for / }).waitFor();
      // Those of this machine come first.
      expect(await page.locator('.place').first().innerText()).toBe('This machine');
      await page.locator('.card', { hasText: 'Not served' }).getByText('torn.gguf').waitFor();
      const card = page.locator('.model', { has: page.getByText('hearth-demo', { exact: true }) });
      await card.getByRole('button', { name: /^Load$|^Unload$/ }).waitFor();
      if ((await card.getByRole('button', { name: 'Load', exact: true }).count()) > 0)
        await card.getByRole('button', { name: 'Load', exact: true }).click();
      await card.getByText('in memory').waitFor();
      expect(
        await page.getByRole('meter', { name: 'Memory', exact: true }).getAttribute('aria-valuetext'),
      ).toMatch(/MB of/);
      await card.getByRole('button', { name: 'Unload' }).click();
      await card.getByText('on disk').waitFor();
      await card.getByRole('button', { name: 'hearth-demo', exact: true }).click();
      const details = page.locator('.model + tr > .details');
      // With the file by which it sees, as its row has it.
      await details
        .getByText(
          await card
            .getByText(/^\d+ MB$/)
            .first()
            .innerText(),
          { exact: true },
        )
        .waitFor();
      await details.getByText('hearth-demo-r', { exact: true }).waitFor();
      await details.getByText('apache-2.0').waitFor();
      await details.getByText(/hearth-demo.*\.gguf$/).waitFor();
      await details.getByText('Chat template').waitFor();
      await details.getByRole('button', { name: 'Model settings' }).click();
      // The values that hold where none is set.
      expect(await page.getByLabel('Layers on the GPU').getAttribute('placeholder')).toBe('auto');
      expect(await page.getByLabel('Stays in memory for').getAttribute('placeholder')).toBe('30m');
      await page.locator('dialog .path', { hasText: /hearth-demo.*\.gguf$/ }).waitFor();
      await page.getByLabel('Context').fill('99999999');
      await page.getByText(/^The model was trained for [\d,]+: beyond/).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('At most 16,777,216.').waitFor();
      await page.getByLabel('Context').fill('');
      // All fields that are wrong are marked at once.
      for (const name of ['Context', 'Layers', 'Stays', 'Top p']) await page.getByLabel(name).fill('1.5');
      await page.getByLabel('Temperature').fill('7');
      await page.getByRole('button', { name: 'Save' }).click();
      const wrong = page.locator('dialog label + .wrong');
      await expect.poll(() => wrong.count()).toBe(5);
      expect((await wrong.allInnerTexts())[2]).toBe('Enter a time, such as 30m or 1h, or -1 for ever.');
      for (const name of ['Context', 'Layers', 'Stays', 'Top p']) await page.getByLabel(name).fill('');
      await page.getByLabel('Temperature').fill('0.25');
      await page.getByLabel('Stop sequences').fill('END\nSTOP');
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      // The file is the one place of settings.
      const file = parse(readFileSync(join(server.dataDir, configFileName), 'utf8')) as object;
      expect(file).toMatchObject({
        plans: {},
        models: expect.arrayContaining([
          { id: 'hearth-demo', temperature: 0.25, stop: ['END', 'STOP'] },
        ]) as object[],
      });
      const audit = await bench.askAdmin('GET', 'audit');
      expect(JSON.stringify(audit)).toContain('"after":{"temperature":0.25,"stop":["END","STOP"]}');
      await details.getByRole('button', { name: 'Model settings' }).click();
      expect(await page.getByLabel('Stop sequences').inputValue()).toBe('END\nSTOP');
      await page.getByLabel('Stop sequences').fill('');
      await page.getByLabel('Temperature').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      // Its file comes with the package.
      expect(await details.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    });

    it('finds a model, gets it through a cut of the line, and deletes it', async () => {
      hub.putRepository(
        { 'm-Q8_0.gguf': readFileSync(await tinyModel()) },
        { cutAfterBytes: 200_000, cuts: 1 },
      );
      const page = await bench.visit('models');
      await page.getByLabel('Search Hugging Face').fill('tiny thing');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('alert').getByText('Hugging Face could not be asked').waitFor();
      hub.server.handlers.set('/api/models', (_request, response) => {
        response.end(JSON.stringify([{ id: 'Owner/Repo', downloads: 4321, gated: false }]));
      });
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByText('4.3K downloads a month').waitFor();
      await page.getByRole('button', { name: 'Sizes of Owner/Repo' }).click();
      await page.getByRole('button', { name: 'Get m-Q8_0.gguf' }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Get m-Q8_0.gguf' }).click();
      await page.getByText('m-Q8_0 is ready.').waitFor();
      // A model that is here is not offered again.
      await page.locator('.variants').getByText('here', { exact: true }).waitFor();
      const card = page.locator('.model', { hasText: 'm-Q8_0' });
      // A file that was cut short since is got again.
      const [file = ''] = globSync('**/m-Q8_0.gguf', { cwd: server.dataDir });
      truncateSync(join(server.dataDir, file), 5000);
      const unserved = page.getByRole('listitem').filter({ hasText: /m-Q8_0.*cut short/ });
      await unserved.getByRole('button', { name: 'Get it again' }).click();
      await unserved.waitFor({ state: 'detached' });
      await card.getByRole('button', { name: /^\W*m-Q8_0$/ }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
      await card.waitFor({ state: 'detached' });
    });

    it('shows requests as they run, with whose they are, and as they end', async () => {
      const page = await bench.visit('now', { hasTouch: true });
      await page.getByText(/^Nothing is running\./).waitFor();
      // A request of a page that reads on is nobody's work; a model that is down says so.
      const headers = { authorization: `Bearer ${bench.keys.user}` };
      expect((await fetch(`${server.baseUrl}/stream/none`, { headers })).status).toBe(404);
      const body = JSON.stringify({ model: 'away', messages: [{ role: 'user', content: 'Hi' }] });
      await fetch(`${server.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      await page.getByText(/^Attic · 127\.0\.0\.1:9 does not answer .* Unavailable: away/).waitFor();
      await page.getByRole('link', { name: /^Now .*1 outage$/ }).waitFor();
      const refused = page.getByRole('row', { name: /away.*model unavailable/ });
      await refused.getByRole('button').click();
      await page.getByText('The server that runs the model does not answer.').waitFor();
      const client = openClient({ ...server, apiKey: bench.keys.user });
      const prompt = Array.from({ length: 8 }, () => 'Hi');
      const long = { model: 'hearth-demo', prompt, max_tokens: 1800, ignore_eos: true };
      const stream = await client.completions.create({ ...long, stream: true });
      const answer = new Response(stream.toReadableStream()).text();
      const running = page.getByRole('row', { name: /local.*hearth-demo.*writing, \d+ tokens/ });
      await running.waitFor();
      await page.getByText('4 of 4 slots').waitFor();
      const placeBelow = () => page.getByRole('heading', { name: 'Latest requests' }).boundingBox();
      const place = await placeBelow();
      const stop = running.getByRole('button', { name: 'Stop' });
      expect((await stop.boundingBox())?.width).toBeGreaterThanOrEqual(44);
      await stop.click();
      // Awaited from before: it may come while the button is still being pressed.
      const stopped = expect(answer).rejects.toThrow('An operator of this server stopped the request.');
      await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
      await stopped;
      await running.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /200 stopped by an operator/ }).waitFor();
      expect(await placeBelow()).toEqual(place);
      await page.getByRole('cell', { name: 'hearth-demo completions' }).waitFor();
      expect(await page.getByRole('cell', { name: 'stream/{id}' }).count()).toBe(0);
      await page.getByText(/^hearth \d+\.\d+\.\d+, started/).waitFor();
      // The second one finds the prompt of the first in the cache.
      for (const _ of [1, 2]) await completeChat(client, 'hearth-demo', 'Hi', { max_tokens: 1 });
      await page.reload();
      await page.getByText('Prompt tokens from the cache in 24').waitFor();
      await page.goto(`${bench.origin}/#/models/away`);
      await page.getByText('it does not answer (no program there takes connections)').waitFor();
      await page.getByRole('button', { name: 'Try now' }).click();
      await page.getByText('Still no answer, just now').waitFor();
      await page.goto(`${bench.origin}/#/usage`);
      const failed = page.getByRole('row', { name: /^away/ }).locator('[data-title=Failed]');
      await expect.poll(() => failed.innerText()).toBe('1');
    });

    it('has no view that axe-core finds fault with, in both themes and at any width', async () => {
      const page = await bench.visit('chat', { colorScheme: 'light' });
      const links = page.locator('.views a[href^="#/"]');
      await links.first().waitFor();
      const views = new Set(
        await links.evaluateAll((all) => all.map((link) => String(link.getAttribute('href')).slice(2))),
      );
      expect(views.size).toBeGreaterThanOrEqual(7);
      for (const view of views) {
        await page.goto(`${bench.origin}/#/${view}`);
        const begun = page.locator(view === 'chat' ? '#composer' : 'h1').first();
        await begun.waitFor();
        await page.getByText('Loading…').first().waitFor({ state: 'detached' });
        for (const width of [390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await accessibilityFindings(page), `${view} at ${width}`).toEqual([]);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(overflow, `${view} at ${width}`).toBeLessThanOrEqual(0);
        }
        // Nothing but colours depends on the theme.
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await accessibilityFindings(page, ['color-contrast']), `${view}, dark`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
    });
  },
);

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

it.skipIf(chromiumPath === undefined || !hasPseudoTerminal)(
  'signs in by the link that the terminal shows, once',
  { timeout: 2 * pagePatienceMs },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-page-'));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const program = stack.use(
      openTerminalProgram([process.execPath, cliPath, 'serve', '--port', '0', '--data-dir', folder], {
        cwd: folder,
        env: { PATH: process.env['PATH'] },
      }),
    );
    const shown = await program.waitFor(/http:\S+#code=[\w-]+/);
    const link = /http:\S+#code=[\w-]+/.exec(shown)?.[0] ?? '';
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '' });
    stack.defer(() => browser.close());
    const page = await browser.newPage();
    await page.goto(link);
    await page.locator('#composer').waitFor({ timeout: pagePatienceMs });
    expect(page.url()).not.toContain('code=');
    await page.getByRole('link', { name: 'Keys' }).waitFor();
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other
      .getByText('This sign-in link has already been used or has expired.')
      .waitFor({ timeout: pagePatienceMs });
  },
);
