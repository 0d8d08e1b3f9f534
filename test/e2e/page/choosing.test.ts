import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../../support/page/browser.ts';
import { chatFile, chooseInMenu, importChats, showAnswer } from '../../support/page/chats.ts';
import { usePageServer } from '../../support/page/page-server.ts';
import {
  answersOf,
  chooseModel,
  compareWith,
  openSettings,
  PageBench,
  pagePatienceMs,
  phone,
  sendMessage,
  smallTargets,
} from '../../support/page/page.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';

const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
  );

/** How far the mark of the focus reaches beyond the nearest box that cuts things off. */
const cutOff = `(() => {
  const field = document.activeElement;
  const { outlineWidth, outlineOffset } = getComputedStyle(field);
  const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  let box = field.parentElement;
  while (getComputedStyle(box).overflowX === 'visible') box = box.parentElement;
  const outer = box.getBoundingClientRect();
  const inner = field.getBoundingClientRect();
  return Math.max(0, outer.left - inner.left + reach, inner.right + reach - outer.right);
})()`;

const opacityOfTools = "getComputedStyle(document.querySelector('.message.user .message-tools')).opacity";

/** Whether the model that is chosen is in the part of the list that is seen. */
const isChosenInSight = `(() => {
  const item = document.querySelector('.item[aria-current]');
  const sheet = item?.closest('.sheet-over').getBoundingClientRect();
  const box = item?.getBoundingClientRect();
  return box !== undefined && box.top >= sheet.top && box.bottom <= sheet.bottom;
})()`;

/** How much of the fade at the end of a box is seen. */
const fadeOf = (page: Page, box: string) =>
  page.evaluate<string>(`(() => {
    const { opacity, width, height } = getComputedStyle(document.querySelector('${box}'), '::after');
    return parseFloat(width) > 0 && parseFloat(height) > 0 ? opacity : 'none';
  })()`);

describe.skipIf(chromiumPath === undefined)(
  'choosing on the page (skipped where no chromium is on PATH)',
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

    it('has menus for keys only: arrows go through them, Escape closes them alone, the focus comes back', async () => {
      const page = await bench.visit('chat', { viewport: { width: 700, height: 800 } });
      await importChats(page, chatFile('Heron', 'Grey.'));
      await page.getByRole('button', { name: 'Chats' }).click();
      await page.getByRole('link', { name: 'Heron' }).focus();
      await page.keyboard.press('Tab');
      await expect.poll(() => focused(page)).toBe('More: Heron');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Pin');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).toBe('Rename');
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('More: Heron');
      // The list, which lies over the chat, is there still.
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Pin');
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => focused(page)).toBe('Delete');
      await page.keyboard.press('Enter');
      await page.getByText('Deleted "Heron"').waitFor();
      await expect.poll(() => focused(page)).toBe('Undo');
      await page.keyboard.press('Enter');
      await chooseInMenu(page, 'Heron', 'Rename');
      const field = page.getByLabel('Rename', { exact: true });
      await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('INPUT');
      expect(await page.evaluate(cutOff)).toBe(0);
      await field.press('Escape');
      await expect.poll(() => focused(page)).toBe('More: Heron');
      await page.getByRole('link', { name: 'Heron' }).waitFor();
    });

    it('takes a press on the name of a server of tools, in a menu that stays', async () => {
      const page = await bench.visit('chat');
      await page.getByRole('button', { name: 'Add to the message' }).click();
      await page.locator('.sheet-over').getByText('Get weather').click();
      await page.locator('.setting-chip', { hasText: 'toy' }).waitFor();
      await page.locator('.sheet-over').getByRole('checkbox').and(page.locator(':checked')).waitFor();
    });

    it('says of a model that it could not be loaded, or that its server does not answer', async () => {
      const page = await bench.visit('chat');
      await bench.changeModels(page, (model) => {
        if (model.id === 'namer' || model.id === 'endless') model.state = 'failed';
      });
      await page.reload();
      await chooseModel(page, 'endless');
      await page.getByRole('alert').getByText('endless could not be loaded.').waitFor();
      await page.getByRole('button', { name: 'Choose another model' }).click();
      await page.locator('.model-choice .item').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Model: endless' }).locator('.failed').waitFor();
      await page.getByRole('button', { name: 'Model: endless' }).click();
      const item = (id: string) =>
        page.locator('.model-choice .item', { has: page.getByText(id, { exact: true }) });
      await item('endless').getByText('could not be loaded').waitFor();
      await item('namer').getByText('does not answer').waitFor();
    });

    it('says of a model that cannot be loaded what a person can do, and has the rest below', async () => {
      const page = await bench.visit('chat');
      await bench.changeModels(page, (model) => (model.state = 'available'));
      await page.reload();
      await chooseModel(page, 'tiny');
      const why = 'loading it ends the process with SIGABRT (what(): _Map_base::at)';
      const error = { message: why, type: 'server_error', param: null, code: 'model_load_failed' };
      await page.route('**/v1/chat/completions', (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '30' }, json: { error } }),
      );
      // As the server says from then on.
      await bench.changeModels(page, (model) => (model.state = model.id === 'tiny' ? 'failed' : 'available'));
      await sendMessage(page, 'Hello!');
      await page.getByRole('alert').getByText('This model cannot be loaded. Choose another one').waitFor();
      await page.getByRole('button', { name: 'Try again' }).and(page.locator(':enabled')).waitFor();
      expect(await page.locator('.message details[open]').count()).toBe(0);
      await page.getByText('Details').click();
      await page.locator('.message details[open]').getByText('SIGABRT').waitFor();
      // New chats begin with another one, which the list of models has before it.
      await page.getByRole('button', { name: 'New chat', exact: true }).click();
      await page.getByRole('button', { name: /^Model: (?!tiny)/ }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Answer with another model' }).click();
      const item = (model: string) =>
        page.locator('.model-choice .item', { has: page.getByText(model, { exact: true }) });
      await item('endless').waitFor();
      expect(await item('tiny').count()).toBe(0);
      await page.unroute('**/v1/chat/completions');
      await item('endless').click();
      await page.getByRole('button', { name: 'Model: endless' }).waitFor();
      await page.locator('.message.assistant .prose').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
    });

    it('finds a model by its name, then by the beginning of one, and names each state once', async () => {
      const page = await bench.visit('chat');
      const names: Record<string, string> = { tiny: 'owl', endless: 'owlet', namer: 'an-owl' };
      const rename = (model: { id: string; runs_elsewhere?: boolean }) => {
        model.runs_elsewhere = model.id === 'namer';
        model.id = names[model.id] ?? model.id;
      };
      await bench.changeModels(page, rename, ['wren', 'heron', 'stork']);
      await page.reload();
      await chooseModel(page, 'an-owl');
      await page.getByRole('button', { name: 'Model: an-owl' }).click();
      await page.getByRole('searchbox', { name: 'Search models' }).fill('owl');
      const items = page.locator('.model-choice .item');
      await expect.poll(() => items.locator('strong').allInnerTexts()).toEqual(['owl', 'owlet', 'an-owl']);
      // Where a heading says that it runs elsewhere, its line does not.
      await page.getByRole('heading', { name: 'On other servers' }).waitFor();
      expect(await items.last().innerText()).not.toContain('another server');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Model: owl', exact: true }).click();
      await page.getByRole('searchbox', { name: 'Search models' }).fill('an-');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Model: an-owl', exact: true }).click();
      await page.getByRole('button', { name: /^an-owl on another server(?!.*another server)/ }).waitFor();
      await items.nth(4).waitFor();
      await page.setViewportSize({ width: 844, height: 200 });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Model: an-owl' }).click();
      await expect.poll(() => page.evaluate(isChosenInSight)).toBe(true);
    });

    it('fades what is cut off where it scrolls, until its end', async () => {
      const page = await bench.visit('chat', { viewport: { width: 844, height: 390 } });
      const names = Array.from({ length: 5 }, (_, index) => `notes-of-lesson-${index}.txt`);
      const toFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Herons.') });
      await page.locator('.attach input').setInputFiles(names.map(toFile));
      await page.getByRole('button', { name: `Remove the attachment: ${names[4]}` }).waitFor();
      await bench.changeModels(page, () => undefined, [
        'heron',
        'stork',
        'wren',
        'owl',
        'crane',
        'ibis',
        'egret',
      ]);
      const chips = page.locator('.chips');
      await expect.poll(() => fadeOf(page, '.chips')).toBe('1');
      await chips.evaluate((one) => one.scrollTo({ left: 5000 }));
      await expect.poll(() => fadeOf(page, '.chips')).toBe('0');
      await page.getByRole('button', { name: /^Model:/ }).click();
      const sheet = page.locator('.model-choice .sheet-over');
      await expect.poll(() => fadeOf(page, '.model-choice .sheet-over')).toBe('1');
      await sheet.evaluate((one) => one.scrollTo({ top: 5000 }));
      await expect.poll(() => fadeOf(page, '.model-choice .sheet-over')).toBe('0');
    });

    it('keeps the headings of compared answers in sight, and shows one at a time on a phone', async () => {
      const page = await bench.visit('chat');
      await chooseModel(page, 'namer');
      await compareWith(page, 'tiny');
      await sendMessage(page, 'Hello!');
      await answersOf(page, 2);
      const widths = await page
        .locator('.side-by-side > section')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
      expect(widths[0]).toBe(widths[1]);
      await page
        .locator('.side-by-side > section')
        .first()
        .evaluate((one) => (one.style.height = '3000px'));
      await page.locator('.thread').evaluate((one) => (one.scrollTop = 900));
      const thread = await page.locator('.thread').boundingBox();
      const heading = await page.locator('.side-by-side h2').first().boundingBox();
      expect(heading?.y).toBeGreaterThan(thread?.y ?? 0);
      // The short answer stays beside the long one.
      expect((await page.locator('.side-by-side .message').nth(1).boundingBox())?.y).toBeLessThan(400);
      await page.setViewportSize({ width: 390, height: 844 });
      const shown = () => page.locator('.side-by-side > section:visible').getAttribute('aria-label');
      expect(await shown()).toBe('namer');
      await page.locator('.segmented').getByRole('button', { name: 'tiny' }).click();
      expect(await shown()).toBe('tiny');
      await page.getByRole('button', { name: 'Keep this: tiny' }).click();
      await page.getByRole('button', { name: 'Model: tiny' }).waitFor();
    });

    it('lets each of two models that failed try again in its column, and copies no error', async () => {
      const page = await bench.visit('chat');
      const asked: unknown[] = [];
      await page.route('**/v1/chat/completions', async (route) => {
        asked.push((route.request().postDataJSON() as { model: unknown }).model);
        await route.fulfill({ status: 500, json: { error: { message: 'It broke.', type: 'server_error' } } });
      });
      await chooseModel(page, 'namer');
      await compareWith(page, 'tiny');
      await sendMessage(page, 'Hello!');
      const again = page.getByRole('button', { name: 'Try again' });
      await again.nth(1).waitFor();
      expect(await page.locator('.message.assistant').getByRole('button', { name: 'Copy' }).count()).toBe(0);
      // There is nothing to keep.
      await expect.poll(() => page.getByRole('button', { name: /^Keep this/ }).count()).toBe(0);
      asked.length = 0;
      await again.nth(1).click();
      await expect.poll(() => asked).toEqual(['tiny']);
    });

    it('sends no message without its files: they are read first', async () => {
      const page = await bench.visit('chat');
      const read = Promise.withResolvers<void>();
      await page.route('**/v1/documents', async (route) => {
        await read.promise;
        await route.continue();
      });
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Herons.') };
      await page.locator('.attach input').setInputFiles(file);
      await page.locator('.chip', { hasText: 'reading…' }).waitFor();
      await sendMessage(page, 'What is in it?');
      expect(await page.locator('#composer').inputValue()).toBe('What is in it?');
      read.resolve();
      await page.getByRole('button', { name: 'Remove the attachment: notes.txt' }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.attached-text').waitFor();
    });

    it('has targets of 44 pixels on a phone that lies on its side, with all views in sight', async () => {
      const page = await bench.visit('chat', { ...phone, viewport: { width: 844, height: 390 } });
      await page.getByRole('button', { name: /^Model:/ }).waitFor();
      expect(await smallTargets(page)).toEqual([]);
      const more = await page.getByRole('button', { name: 'Settings', exact: true }).boundingBox();
      expect((more?.y ?? Infinity) + (more?.height ?? 0)).toBeLessThan(391);
      // The list lies over the view and lets nothing else be pressed: beside it is the way back.
      await page.getByRole('button', { name: 'Chats' }).tap();
      await page.locator('.conversations.open').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      const list = await page.locator('.conversations.open').boundingBox();
      expect(list?.width).toBeLessThan(343);
      await page.setViewportSize({ width: 844, height: 390 });
      await page.touchscreen.tap(800, 20);
      await page.locator('.conversations.open').waitFor({ state: 'detached' });
      // However far a dialog is scrolled, one sees its title and how it is left.
      await openSettings(page);
      await page
        .locator('dialog .dialog-body')
        .evaluate((body) => body.lastElementChild?.scrollIntoView(false));
      const close = await page.locator('dialog > header button').boundingBox();
      expect(close?.y).toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      const guest = await bench.visit('chat', { viewport: { width: 844, height: 390 }, keys: null });
      const enter = await guest.getByRole('button', { name: 'Sign in' }).boundingBox();
      expect((enter?.y ?? Infinity) + (enter?.height ?? 0)).toBeLessThan(391);
    });

    it('shows what can be done with a message that a finger presses', async () => {
      const page = await bench.visit('chat', phone);
      await page.getByRole('button', { name: /^Model:/ }).waitFor();
      await chooseModel(page, 'tiny');
      await sendMessage(page, 'Please write some code that sorts a list of birds by their colours.');
      await page.getByRole('button', { name: 'Send', exact: true }).tap();
      await answersOf(page, 1);
      // They take no room beside a long question, before they are seen and then.
      const [question, answer] = [page.locator('.question'), page.locator('.message.assistant')];
      const room = async () => {
        const [above, below] = [await question.boundingBox(), await answer.boundingBox()];
        return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
      };
      expect(await room()).toBeLessThan(20);
      await question.tap();
      const tools = page.locator('.message.user .message-tools');
      await expect.poll(() => tools.count()).toBe(1);
      await expect.poll(() => page.evaluate<string>(opacityOfTools)).toBe('1');
      expect(await room()).toBeLessThan(20);
      // Those of the answer stand in one row with its figures.
      const row = await page.locator('.message.assistant .message-tools').boundingBox();
      expect(row?.height).toBeLessThan(50);
    });

    it('lists the shortcuts of the views that one can open', async () => {
      const own = await bench.visit('chat', { keys: { user: bench.keys.user } });
      await own.locator('#composer').waitFor();
      await own.locator('.thread').focus();
      await own.keyboard.press('?');
      await own.getByText('Go to Chat, Speech, Limits, Usage, Batches').waitFor();
      await own.keyboard.press('Escape');
      await own.keyboard.press('g');
      await own.keyboard.press('l');
      await own.getByRole('heading', { name: 'Your limits' }).waitFor();
    });

    it('signs in with the keys that the commands of its page make, each for what it is for', async () => {
      const page = await bench.visit('', { keys: null });
      await page
        .getByText('Were you invited by a link? Open it, or ask whoever sent it for a new one.')
        .waitFor();
      await page.getByText('I run this machine').click();
      const secrets: string[] = [];
      for (const command of await page.locator('.sign-in code').allInnerTexts()) {
        const [program, ...words] = command.split(' ');
        expect(program).toBe('hearth');
        secrets.push((await hearthCli<{ secret: string }>(pageServer().server, ...words)).secret);
      }
      const [user = '', admin = ''] = secrets;
      await page.getByLabel('Your key').fill(admin);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Models' }).click();
      const row = page.locator('.model', { has: page.getByText('hearth-demo', { exact: true }) });
      await row.getByText(/[\d.]+M parameters · Q8_0$/).waitFor();
      await row.getByText('pictures, tools').waitFor();
      await row.locator('[data-title="On disk"]', { hasText: /^\d+ MB$/ }).waitFor();
      for (const [view, title] of [
        ['speech', 'Speech needs an ordinary key'],
        ['chat', 'Chatting needs an ordinary key'],
      ] as const) {
        await page.goto(`${bench.origin}/#/${view}`);
        await page.getByRole('heading', { name: title }).waitFor();
        await page.getByRole('button', { name: 'Create a key for this page' }).waitFor();
      }
      await page.getByLabel('Your key').fill(user);
      await page.keyboard.press('Enter');
      await page.locator('#composer').waitFor();
    });

    it('sets boxes of tasks alike, done or not, and colours keys of JSON and tags of HTML', async () => {
      const page = await bench.visit('chat');
      const prose = await showAnswer(
        page,
        'Looks',
        '- [x] done\n- [ ] open\n\n```json\n{ "key": 1 }\n```\n\n```html\n<p class="x">a</p>\n```',
      );
      const offsets = await prose.locator('li').evaluateAll((all) =>
        all.map((item) => {
          const box = item.querySelector('input')?.getBoundingClientRect();
          return Math.round((box?.top ?? 0) - item.getBoundingClientRect().top);
        }),
      );
      expect(offsets[0]).toBe(offsets[1]);
      await prose.locator('.hljs-attr').first().waitFor();
      const colours = await page.evaluate<string[]>(
        "['pre', '.hljs-attr', '.hljs-name'].map((one) => getComputedStyle(document.querySelector(`.prose ${one}`)).color)",
      );
      expect(new Set(colours).size).toBe(3);
    });
  },
);
