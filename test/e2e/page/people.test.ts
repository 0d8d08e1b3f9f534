import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { chatFile, importChats } from '../../support/page/chats.ts';
import { answersOf, pagePatienceMs, phone, sendMessage } from '../../support/page/page.ts';
import { useTinyPage } from '../../support/page/tiny-page.ts';

const diagram = '```mermaid\ngraph LR\n  A[Question] -->|yes| B[Answer]\n```';

/** A chat whose question two models answered, one of them shortly. */
const comparedFile = (more: object = {}): string =>
  chatFile('compared', '', {
    ...more,
    comparedId: 'q',
    messages: [
      { id: 'q', parentId: null, role: 'user', content: 'Why?' },
      { id: 'a', parentId: 'q', role: 'assistant', model: 'tiny', content: 'Because.' },
      { id: 'b', parentId: 'q', role: 'assistant', model: 'other', content: `A drawing:\n\n${diagram}` },
    ],
    leafId: 'a',
  });

const rightOf = (box: { x: number; width: number } | null) => (box === null ? Number.NaN : box.x + box.width);

describe.skipIf(chromiumPath === undefined)(
  'the room that the page gives (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    const { bench, make } = useTinyPage();
    const openChat = async () => {
      const page = await bench().visit('chat', { keys: { user: bench().keys.user } });
      await page.locator('#composer').waitFor();
      return page;
    };

    it('has the figures of an answer whole on a phone', async () => {
      const page = await bench().visit('chat', { ...phone, viewport: { width: 360, height: 740 } });
      await page.locator('#composer').fill('Hello');
      // Where fingers write, Enter begins a line.
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const stats = page.locator('.stats');
      for (const isOpen of [false, true]) {
        if (isOpen) await stats.click();
        else await stats.waitFor();
        const [own, around] = [await stats.boundingBox(), await page.locator('.message.last').boundingBox()];
        expect(own?.x).toBeGreaterThanOrEqual(around?.x ?? Number.NaN);
        expect(rightOf(own)).toBeLessThanOrEqual(rightOf(around));
      }
      // Beside versions too, in one row with them.
      await page.getByRole('button', { name: 'Answer again' }).click();
      await page.getByText('2/2').waitFor();
      await stats.waitFor();
      const row = page.locator('.message-tools').last();
      for (const figure of ['321 tokens/s', '1234 tokens/s']) {
        await stats.evaluate((button, text) => (button.textContent = text), figure);
        expect(await row.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(50);
        // What is beyond the message is cut off.
        const [own, around] = [await stats.boundingBox(), await page.locator('.message.last').boundingBox()];
        expect(rightOf(own)).toBeLessThanOrEqual(rightOf(around));
      }
    });

    it('sends a question that is asked while the server is away once it answers', async () => {
      const page = await openChat();
      await page.getByRole('button', { name: 'tiny' }).waitFor();
      await page.context().setOffline(true);
      const banner = page.getByRole('alert').filter({ hasText: 'This device is offline.' });
      await banner.waitFor();
      // A view that was not read before does not say that it is being loaded.
      await page.goto(`${bench().origin}/#/limits`);
      await page.getByText('it opens by itself once the server answers.').waitFor();
      expect(await page.getByRole('button', { name: /^Try/ }).allInnerTexts()).toEqual(['Try now']);
      await page.goto(`${bench().origin}/#/chat`);
      await sendMessage(page, 'Hello');
      await page.getByText('Not sent yet: it will be sent once the server answers.').waitFor();
      await banner.getByRole('button', { name: 'Try now' }).click();
      await page.context().setOffline(false);
      await page.locator('.stats').waitFor({ state: 'attached' });
      await banner.waitFor({ state: 'detached' });
    });

    it('opens while the server is away what was never open, once it had a rest', async () => {
      const page = await openChat();
      // The last file that it loads then.
      await page.waitForResponse(/usage-view-.*\.js$/);
      await page.context().setOffline(true);
      await page.getByRole('alert').filter({ hasText: 'This device is offline.' }).waitFor();
      await page.getByRole('button', { name: /^Model:/ }).click();
      await page.locator('.model-choice .item').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.locator('dialog').getByText('Theme').waitFor();
    });

    it('leads the keyboard to what follows an act, whatever was loaded', async () => {
      const page = await openChat();
      await page.waitForResponse(/usage-view-.*\.js$/);
      await importChats(page, comparedFile({ comparedModel: 'other' }));
      await page.getByRole('link', { name: 'compared' }).click();
      const isAt = (place: string) => page.evaluate<boolean>(`document.activeElement.matches('${place}')`);
      await page.getByRole('button', { name: 'Stop comparing' }).press('Enter');
      await page.getByText('1/2').waitFor();
      await expect.poll(() => isAt('#composer')).toBe(true);
      await page.getByRole('button', { name: 'More', exact: true }).first().press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => isAt('#composer')).toBe(true);
      await page.getByRole('button', { name: 'Delete from here' }).first().press('Enter');
      await expect.poll(() => isAt('.removed-note button')).toBe(true);
      await page.getByRole('button', { name: 'More: compared', exact: true }).press('Enter');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await expect.poll(() => isAt('.conversations output button')).toBe(true);
    });

    it('tells chats of one title apart, by when they were last written in and how they end', async () => {
      const page = await openChat();
      for (const [id, answer] of [
        ['one', 'Herons are grey.'],
        ['two', 'Some are white.'],
      ] as const)
        await importChats(page, chatFile('Herons', answer, { id }));
      const rows = page.locator('.conversations li small');
      await expect
        .poll(async () => (await rows.allInnerTexts()).toSorted())
        .toEqual([
          expect.stringMatching(/^\w+ \d+, \d\d:\d\d · Herons are grey\.$/),
          expect.stringMatching(/ · Some are white\.$/),
        ]);
      await importChats(page, chatFile('Eels', 'Long.'));
      await page.getByRole('link', { name: 'Eels' }).waitFor();
      expect(await rows.count()).toBe(2);
    });

    it('keeps a question that is asked before the server has told its models, and says why', async () => {
      const page = await openChat();
      await page.route('**/v1/models', (route) => route.abort());
      await page.reload();
      await sendMessage(page, 'Hello');
      await page.locator('form').getByText('The server does not answer.').waitFor();
      expect(await page.locator('#composer').inputValue()).toBe('Hello');
      await page.unroute('**/v1/models');
      await page.keyboard.press('Enter');
      await page.locator('.stats').waitFor({ state: 'attached' });
    });

    it('ends the shorter of two answers where its text ends, and draws what one has that was out of sight', async () => {
      const page = await openChat();
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await importChats(page, comparedFile());
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${bench().origin}/#/chat/compared`);
      await page.locator('.side-by-side').getByText('Because.').waitFor();
      // What scrolls below the names of the models fades out before it touches them.
      const names = page.locator('.side-by-side .segmented');
      const fade = "getComputedStyle(document.querySelector('.segmented'), '::after').height";
      expect(await page.evaluate<string>(fade)).toBe('10px');
      await names.getByRole('button', { name: 'other' }).click();
      await page.locator('figure.drawn').waitFor();
      expect(errors).toEqual([]);
      // Drawn again it has its place from the start, and its source is not seen first.
      await page.route('**/page/preview', () => undefined);
      await page.goto(`${bench().origin}/#/limits`);
      await page.goto(`${bench().origin}/#/chat/compared`);
      await page.locator('.side-by-side .segmented').getByRole('button', { name: 'other' }).click();
      await page.locator('figure.drawn iframe').waitFor();
      await page.setViewportSize({ width: 1440, height: 900 });
      const [short, long] = await page
        .locator('.side-by-side > section')
        .evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
      expect(short).toBeLessThan(long ?? 0);
      // The question stays in sight above them.
      await page.setViewportSize({ width: 1440, height: 500 });
      await page.locator('.thread').evaluate((one) => (one.scrollTop = one.scrollHeight));
      const yOf = async (where: string) => (await page.locator(where).first().boundingBox())?.y ?? NaN;
      await expect.poll(() => yOf('.question')).toBeGreaterThanOrEqual(await yOf('.thread'));
      await expect.poll(() => yOf('.side-by-side h2')).toBeGreaterThan(await yOf('.question'));
    });

    it('lets both of two compared models be changed in place on a phone', async () => {
      const page = await bench().visit('chat', { viewport: { width: 390, height: 844 } });
      await bench().changeModels(page, () => undefined, ['swift']);
      await importChats(page, comparedFile({ comparedModel: 'other' }));
      await page.getByRole('button', { name: 'Chats' }).click();
      await page.getByRole('link', { name: 'compared' }).click();
      await page.getByRole('group', { name: 'Model' }).getByRole('button', { name: 'other' }).click();
      await page.getByRole('button', { name: 'Second model: other' }).click();
      await page.locator('.sheet-over').getByRole('button', { name: 'swift' }).click();
      await page.getByRole('button', { name: 'Second model: swift' }).waitFor();
      const pickers = page.locator('.toolbar > .model-choice:visible');
      await expect.poll(() => pickers.count()).toBe(2);
      await page.getByRole('button', { name: 'Stop comparing' }).click();
      await expect.poll(() => pickers.count()).toBe(1);
      await expect.poll(() => page.locator('.side-by-side, .message:has-text("Because.")').count()).toBe(0);
    });

    it('shows titles of chats in two lines, without moving them when a pointer comes', async () => {
      const page = await openChat();
      const title = 'What the meeting on Thursday said of the new kitchen';
      await importChats(page, chatFile(title, 'Much.'));
      const link = page.getByRole('link', { name: title });
      const sizes = () =>
        link.evaluate((one) => [
          one.scrollWidth - one.clientWidth,
          one.scrollHeight - one.clientHeight,
          one.clientHeight,
        ]);
      const [beside, below, height] = await sizes();
      expect([beside, below]).toEqual([0, 0]);
      await link.hover();
      expect(await sizes()).toEqual([0, 0, height]);
    });

    it('takes the suggestions away where a draft needs their room', async () => {
      const page = await openChat();
      await page.setViewportSize({ width: 844, height: 390 });
      await page.locator('.offers').waitFor();
      await page.locator('#composer').fill('a line\n'.repeat(30));
      await page.locator('.offers').waitFor({ state: 'hidden' });
      await page.locator('#composer').fill('');
      await page.locator('.offers').waitFor();
    });

    it('names the servers that models run on, and has what may not answer last', async () => {
      const page = await openChat();
      const labels: Record<string, string> = { heron: 'Studio', stork: 'Attic', wren: 'Studio' };
      await bench().changeModels(
        page,
        (model) => {
          const more = { prices: { input_tokens: 1, output_tokens: 2 }, runs_elsewhere: model.id !== 'tiny' };
          Object.assign(model, { ...more, upstream_label: labels[model.id] ?? null });
          if (model.id === 'heron' || model.id === 'stork') model.state = 'failed';
        },
        ['heron', 'stork', 'wren', 'owl'],
      );
      await page.reload();
      await page.getByRole('button', { name: 'Model: tiny' }).click();
      const listed = page.locator('.model-choice section');
      const names = (server: string) =>
        page.getByRole('region', { name: server, exact: true }).locator('.item strong').allInnerTexts();
      await listed.nth(3).waitFor();
      expect(await listed.locator('h2').allInnerTexts()).toEqual([
        'On this server',
        'On Studio',
        'On Attic',
        'On other servers',
      ]);
      expect(await names('On Studio')).toEqual(['wren', 'heron']);
      // How weights are kept says nothing to most people: who points at the figures is told.
      const row = page.locator('.model-choice .item', { hasText: 'tiny' }).first();
      expect(await row.innerText()).toMatch(/^(?:(?!F32).)+1 in \/ 2 out units per million tokens$/s);
      await row.getByTitle(/^Its weights are kept as \w+\.$/).waitFor({ state: 'attached' });
    });

    it('offers nothing that would be refused for hours, and another model where that is not used up', async () => {
      const page = await openChat();
      await bench().changeModels(page, () => undefined, ['heron', 'stork']);
      await page.reload();
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '7200' },
          json: { error: { message: 'Used up.', code: 'rate_limit_exceeded' } },
        }),
      );
      const told = { object: 'list', account: 'a', plan: 'p', plan_ends_at: null };
      const tells = async (more: object) => {
        await page.unroute('**/v1/limits');
        await page.route('**/v1/limits', (route) => route.fulfill({ json: { ...told, ...more } }));
      };
      const ways = () => page.locator('.message.last .actions > *').allInnerTexts();
      const one = { measure: 'requests', limit: 1, model: 'tiny', window: 'day', remaining: 0 };
      await tells({ data: [], budgets: [{ ...one, period: 'day', left: 0, resets_at: null }] });
      await sendMessage(page, 'Hello');
      await expect.poll(ways).toEqual(['You can try again in 2 h.', 'See your limits']);
      await tells({ data: [{ ...one, full_in_seconds: 60 }], budgets: [] });
      await page.reload();
      await expect.poll(ways).toContain('Answer with another model');
      expect(await ways()).not.toContain('Try again');
      await page.getByRole('button', { name: 'Answer with another model' }).click();
      await page.locator('.model-choice .item').first().waitFor();
      expect(await page.locator('.model-choice .item', { hasText: 'tiny' }).count()).toBe(0);
    });

    it('says in the list of models whose last answer failed, until it answers', async () => {
      const page = await openChat();
      const error = { message: 'It broke.', code: 'upstream_error' };
      await page.route('**/v1/chat/completions', (route) => route.fulfill({ status: 502, json: { error } }));
      await sendMessage(page, 'Hello');
      await page.getByText('It broke.').waitFor();
      const picker = page.getByRole('button', { name: 'Model: tiny' });
      await picker.click();
      await page.getByText('its last answer failed').waitFor();
      await page.reload();
      await picker.click();
      await page.getByText('its last answer failed').waitFor();
      await page.keyboard.press('Escape');
      await page.unroute('**/v1/chat/completions');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.stats').waitFor({ state: 'attached' });
      await picker.click();
      await page.locator('.model-choice').getByText('in memory').waitFor();
    });

    it('leaves the button in sight that opens a long list of models', async () => {
      const page = await bench().visit('chat', { viewport: { width: 1024, height: 500 } });
      await page.route('**/v1/models', async (route) => {
        const { data } = (await (await route.fetch()).json()) as { data: { id: string }[] };
        const many = Array.from({ length: 40 }, (_, at) => ({
          ...data[0],
          id: at === 0 ? 'tiny' : `m${at}`,
        }));
        await route.fulfill({ json: { object: 'list', data: many } });
      });
      await page.reload();
      const picker = page.getByRole('button', { name: 'Model: tiny' });
      await picker.click();
      await page.getByText('m39').waitFor();
      const [sheet, button] = await Promise.all([
        page.locator('.sheet-over').boundingBox(),
        picker.boundingBox(),
      ]);
      expect(sheet?.y).toBeGreaterThan((button?.y ?? Infinity) + (button?.height ?? 0));
      expect((sheet?.y ?? 0) + (sheet?.height ?? Infinity)).toBeLessThanOrEqual(500);
    });

    it('finds a chat by keyboard from any view, however narrow the screen is', async () => {
      const page = await openChat();
      for (const title of ['Heron', 'Otter']) await importChats(page, chatFile(title, 'Grey.'));
      const composer = page.locator('#composer:focus');
      for (const width of [1024, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${bench().origin}/#/limits`);
        await page.getByRole('heading', { name: 'Your limits' }).waitFor();
        await page.keyboard.press('Control+k');
        await page.locator('#chat-search:focus').fill('her');
        await page.locator('.conversations a > mark').getByText('Her', { exact: true }).waitFor();
        await page.keyboard.press('Enter');
        await composer.waitFor();
        await expect.poll(() => page.url()).toContain('#/chat/heron');
        // From where one writes, too, and back.
        await page.keyboard.press('Control+k');
        await page.locator('#chat-search:focus').fill('otter');
        await page.keyboard.press('ArrowDown');
        await page.locator('.list a:focus').getByText('Otter').waitFor();
        await page.keyboard.press('Escape');
        await composer.waitFor();
      }
      await page.keyboard.press('Control+k');
      await expect.poll(() => page.locator('#chat-search:focus').inputValue()).toBe('');
    });

    it('moves no field where a key is refused, and shows one to whoever wants to see it', async () => {
      const page = await bench().visit('', { keys: null });
      const key = page.getByLabel('Your key');
      await key.fill('hk-wrong');
      const place = await key.boundingBox();
      await key.press('Enter');
      await page.getByText('This key does not work').waitFor();
      expect(await key.boundingBox()).toEqual(place);
      await key.fill(bench().keys.user);
      const eye = page.getByRole('button', { name: 'Show the key' });
      for (const type of ['password', 'text', 'password']) {
        await expect.poll(() => key.getAttribute('type')).toBe(type);
        await eye.click();
      }
    });

    it('tells how little is left of a budget, before a question is refused', async () => {
      const few = await make('accounts', { name: 'few', budgets: { requests: { day: 5 } } });
      const { value: user } = await make('keys', { account: few.id });
      const page = await bench().visit('chat', { keys: { user } });
      const left = page.getByText('of 5 requests per day (all your keys) left');
      for (const [asked, rest] of [undefined, 3, 2, 1, 0].entries()) {
        await sendMessage(page, 'Hello');
        await answersOf(page, asked + 1);
        if (rest === undefined) expect(await left.count()).toBe(0);
        else await page.getByText(`${rest} of 5 requests per day (all your keys) left`).waitFor();
      }
      // The refusal says so itself, and when the budget begins anew: no button counts 20 hours down.
      await sendMessage(page, 'Hello');
      await page.getByText('The budget of this account is used up').waitFor();
      await left.waitFor({ state: 'detached' });
      expect(await page.getByRole('timer').count()).toBe(0);
      await page.getByRole('button', { name: 'New chat' }).first().click();
      await left.locator('..').getByRole('link', { name: 'Your limits' }).click();
      await page.getByRole('heading', { name: 'Your limits' }).waitFor();
    });
  },
);
