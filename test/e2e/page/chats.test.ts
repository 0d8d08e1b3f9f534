import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { usePageServer } from '../../support/page/page-server.ts';
import {
  accessibilityFindings,
  answersOf,
  chooseModel,
  compareWith,
  dialogSizes,
  openSettings,
  type PageBench,
  pagePatienceMs,
  sendMessage,
  smallTargets,
} from '../../support/page/page.ts';
import { useBench } from '../../support/page/use-bench.ts';
import { chatFile, chooseInMenu, doWith, importChats, showAnswer } from '../../support/page/chats.ts';

const chat = usePageServer();
const sizes = 'title 17px, text 15px, close 36 x 36';

describe.skipIf(chromiumPath === undefined)(
  'chats on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let bench: PageBench;
    useBench(
      () => chat().server,
      (opened) => (bench = opened),
    );

    async function openChat(model = 'hearth-demo', options: object = {}): Promise<Page> {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user }, ...options });
      await chooseModel(page, model);
      return page;
    }

    const closeSettings = (page: Page) => page.getByRole('button', { name: 'Done' }).click();
    const isWriting = (page: Page) => page.evaluate("document.activeElement.id === 'composer'");

    it('show what is set for them, keep it through a reload, and do not hand it to the next one', async () => {
      const page = await openChat();
      await openSettings(page);
      await page.getByLabel('System prompt').fill('You are a pirate.');
      await page.getByLabel('Top k').fill('3');
      await closeSettings(page);
      await page.getByRole('button', { name: 'System prompt: You are a pirate.' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'System prompt: You are a pirate.' }).waitFor();
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        sendMessage(page, 'Hello!'),
      ]);
      expect(request.postDataJSON()).toMatchObject({
        top_k: 3,
        messages: [{ role: 'system', content: 'You are a pirate.' }, { role: 'user' }],
      });
      await answersOf(page, 1);
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.locator('.setting-chip').first().waitFor({ state: 'detached' });
      const [next] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        sendMessage(page, 'Hello!'),
      ]);
      expect(next.postDataJSON()).toMatchObject({ messages: [{ role: 'user', content: 'Hello!' }] });
    });

    it('say at once what cannot be set, and do not use it; settings are kept by name', async () => {
      const page = await openChat();
      await openSettings(page);
      expect(await page.getByLabel('Top p').getAttribute('placeholder')).toBe('0.95');
      await page.getByLabel('Temperature').fill('7');
      await page.getByRole('alert').getByText('0 to 2').waitFor();
      await page.getByLabel('Tools, as a JSON list').fill('{}');
      await page.getByRole('alert').getByText('This is not a JSON list').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByLabel('Min p').fill('0.2');
      await page.getByLabel('Temperature').fill('');
      await page.getByLabel('Tools, as a JSON list').fill('');
      await page.getByPlaceholder('Name of the preset').fill('Careful');
      await page.getByRole('button', { name: 'Keep' }).click();
      await closeSettings(page);
      expect(await page.locator('.setting-chip').allInnerTexts()).toEqual(['Careful', 'Min p 0.2']);
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.reload();
      await openSettings(page);
      await page.getByLabel('Preset', { exact: true }).selectOption('Careful');
      expect(await page.getByLabel('Min p').inputValue()).toBe('0.2');
      await page.getByRole('button', { name: 'Use in new chats' }).click();
      await page.getByRole('button', { name: 'Delete the preset Careful' }).click();
      await page.getByLabel('Preset', { exact: true }).waitFor({ state: 'detached' });
      await page.getByLabel('Min p').fill('0.3');
      await page.getByLabel('Top p').fill('5');
      // A value that would not be used is not passed over, folded or not.
      for (const name of ['Use in new chats', 'Done']) {
        await page.getByText('Sampling', { exact: true }).click();
        await page.getByRole('button', { name }).click();
        expect(await page.evaluate('document.activeElement.value')).toBe('5');
      }
      await page.keyboard.press('Escape');
      await sendMessage(page, 'Hello!');
      await answersOf(page, 1);
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.locator('.setting-chip', { hasText: 'Min p 0.2' }).waitFor();
    });

    it('have the keyboard ready: at load, in a new chat, after an answer, while editing', async () => {
      const page = await openChat();
      await page.reload();
      await page.locator('#composer').waitFor();
      expect(await isWriting(page)).toBe(true);
      await page.keyboard.type('Hello!');
      // The Enter that ends a composition in Safari.
      await page.locator('#composer').dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
      expect(await page.locator('#composer').inputValue()).toBe('Hello!');
      await page.keyboard.press('Enter');
      await answersOf(page, 1);
      expect(await isWriting(page)).toBe(true);
      await page.locator('.thread').focus();
      await page.keyboard.press('n');
      await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
      await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('composer');
      await page.getByRole('link', { name: 'Hello!' }).click();
      await page.locator('.message.user').hover();
      await page.locator('.message.user').getByRole('button', { name: 'Edit' }).click();
      await page.locator('.editor textarea:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.editor').waitFor({ state: 'detached' });
      await page.locator('.message.user [data-pencil]:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.editor textarea').fill('What is hearth?');
      await page.keyboard.press('Enter');
      await page.getByText('2/2').waitFor();
    });

    it('take Enter for a new line where fingers write, with targets that they hit', async () => {
      const page = await openChat('hearth-demo', {
        keys: bench.keys,
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      await page.locator('#composer').focus();
      await page.keyboard.type('One');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Two');
      expect(await page.locator('#composer').inputValue()).toBe('One\nTwo');
      await page.getByRole('button', { name: 'Send' }).tap();
      await answersOf(page, 1);
      expect(await smallTargets(page)).toEqual([]);
      expect((await page.locator('#composer').boundingBox())?.width).toBeGreaterThan(320);
      for (const view of ['models', 'keys']) {
        await page.goto(`${bench.origin}/#/${view}`);
        await page.locator('tbody button').first().waitFor();
        expect(await smallTargets(page), view).toEqual([]);
      }
      await page.goto(`${bench.origin}/#/chat`);
      await page.locator('#composer').waitFor();
      // On its side, where little height is left.
      await page.setViewportSize({ width: 844, height: 390 });
      const send = await page.getByRole('button', { name: 'Send' }).boundingBox();
      expect((send?.y ?? Infinity) + (send?.height ?? 0)).toBeLessThan(391);
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
      // The tools of a chat lie over no other's title.
      await importChats(page, chatFile('Heron', 'Grey.'));
      await page.getByRole('button', { name: 'Chats' }).tap();
      await page.getByRole('link', { name: 'Heron' }).tap();
      await page.getByText('Grey.').waitFor();
      expect(await page.locator('dialog').count()).toBe(0);
    });

    it('lose a message when it is deleted, take another text for an answer, and fork', async () => {
      const page = await openChat();
      await sendMessage(page, 'Hello!');
      await answersOf(page, 1);
      const answer = page.locator('.message.assistant');
      await doWith(answer, 'Correct the answer');
      await page.locator('.editor textarea').fill('I say what I was told to say.');
      await page.getByRole('button', { name: 'Save' }).click();
      await answer.getByText('I say what I was told to say.').waitFor();
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        sendMessage(page, 'What is hearth?'),
      ]);
      expect(JSON.stringify(request.postDataJSON())).toContain('I say what I was told to say.');
      await page.locator('.stats').waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await doWith(answer.first(), 'Fork the chat here');
      await page.locator('.message').nth(2).waitFor({ state: 'detached' });
      await expect.poll(() => page.locator('.question').allInnerTexts()).toEqual(['Hello!']);
      await page.getByRole('link', { name: 'Hello! (2)', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Hello!', exact: true }).click();
      await page.locator('.message').nth(3).waitFor();
      const texts = async () =>
        (await page.locator('.question, .prose').allTextContents()).map((text) => text.trim());
      const whole = await texts();
      await doWith(answer.first(), 'Delete from here');
      await page.getByText('Deleted the message and the 2 after it').waitFor();
      await expect.poll(() => page.locator('.message').count()).toBe(1);
      // Where another tab has it too, and learns that it was deleted, it comes back all the same.
      const other = await bench.visitIn(page.context(), new URL(page.url()).hash.slice(2));
      await expect.poll(() => other.locator('.message').count()).toBe(1);
      await page.getByRole('button', { name: 'Undo' }).click();
      for (const tab of [page, other]) await expect.poll(() => tab.locator('.message').count()).toBe(4);
      await expect.poll(texts).toEqual(whole);
      await page.reload();
      await page.locator('.message').nth(3).waitFor();
    });

    it('are apart from their fork: what is deleted, edited and answered in it stays in it', async () => {
      const page = await openChat();
      await importChats(page, chatFile('Alpha', 'One.'));
      await page.getByRole('link', { name: 'Alpha' }).click();
      for (const question of ['Beta', 'Gamma']) {
        await sendMessage(page, question);
        await page.getByRole('button', { name: 'Send' }).waitFor();
      }
      await doWith(page.locator('.message.assistant').nth(1), 'Fork the chat here');
      const question = page.locator('.message.user');
      await question.nth(2).waitFor({ state: 'detached' });
      await question.nth(1).getByRole('button', { name: 'Edit' }).click();
      await page.locator('.editor textarea').fill('Delta');
      await page.keyboard.press('Control+Enter');
      await page.getByText('2/2').waitFor();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await question.nth(1).getByRole('button', { name: 'Delete from here' }).click();
      await page.getByText('Deleted the message and the one after it').waitFor();
      await page.getByText('Delta').waitFor({ state: 'detached' });
      await question.first().getByRole('button', { name: 'Delete from here' }).click();
      await question.first().waitFor({ state: 'detached' });
      await page.goto(`${bench.origin}/#/chat/alpha`);
      await question.nth(2).waitFor();
      await expect.poll(() => page.locator('.question').allInnerTexts()).toEqual(['Alpha', 'Beta', 'Gamma']);
      expect(await page.locator('.versions').count()).toBe(0);
      await expect.poll(() => page.locator('.message.assistant').count()).toBe(3);
    });

    it('are pinned, grouped by day, deleted together, and say when nothing is found', async () => {
      const page = await openChat();
      const old = new Date(2024, 4, 3).getTime();
      await importChats(page, chatFile('Old', 'text', { updatedAtMs: old }));
      await importChats(page, chatFile('Fresh', 'text'));
      const list = page.getByRole('navigation', { name: 'Chats' });
      await list.getByRole('heading', { name: 'May 2024' }).waitFor();
      await list.getByRole('heading', { name: 'Today' }).waitFor();
      const link = list.getByRole('link', { name: 'Old' });
      const place = await link.boundingBox();
      await link.hover();
      expect(await link.boundingBox()).toEqual(place);
      await chooseInMenu(page, 'Old', 'Pin');
      await list.getByRole('heading', { name: 'Pinned' }).waitFor();
      await expect.poll(() => list.getByRole('link').allInnerTexts()).toEqual(['Old', 'Fresh']);
      await page.getByPlaceholder('Search chats').fill('heron');
      await list.getByText('Nothing found.').waitFor();
      await page.getByPlaceholder('Search chats').fill('');
      await chooseInMenu(page, undefined, 'Delete all chats');
      await page.getByText('Delete all 2 chats').waitFor();
      expect(await dialogSizes(page)).toBe(sizes);
      await page.keyboard.press('Escape');
      await chooseInMenu(page, undefined, 'Delete all chats');
      await page.locator('dialog').getByRole('button', { name: 'Delete all chats' }).click();
      await list.getByText('No chats yet.').waitFor();
      await page.reload();
      await list.getByText('No chats yet.').waitFor();
      // The second is no address that anything decodes.
      for (const id of ['gone', '%']) {
        await page.goto(`${bench.origin}/#/chat/${id}`);
        await page.reload();
        await page.getByText('This browser has no such chat.').waitFor();
      }
    });

    it('ask two models the same, beside each other, and go on with one', async () => {
      const page = await openChat();
      await compareWith(page, 'tiny');
      await sendMessage(page, 'Hello!');
      await answersOf(page, 2);
      const titles = page.locator('.side-by-side h2');
      await expect.poll(() => titles.allInnerTexts()).toEqual(['hearth-demo', 'tiny']);
      expect(await accessibilityFindings(page)).toEqual([]);
      // Asked again, one model answers in its own column, and the other's answer stays.
      await Promise.all([
        page.waitForResponse('**/v1/chat/completions'),
        page.getByRole('button', { name: 'Answer again' }).first().click(),
      ]);
      await page.getByRole('button', { name: 'Keep this: tiny' }).and(page.locator(':enabled')).waitFor();
      await expect.poll(() => titles.allInnerTexts()).toEqual(['hearth-demo', 'tiny']);
      await page.reload();
      await page.getByRole('button', { name: 'Keep this: tiny' }).click();
      await page.locator('.side-by-side').waitFor({ state: 'detached' });
      await page.locator('.stats').getByText(/^tiny/).waitFor();
      await page.getByText(/^[123]\/3$/).waitFor();
      // And with that model alone.
      await page.getByRole('button', { name: 'Model: tiny' }).waitFor();
      expect(await page.getByRole('button', { name: 'Stop comparing' }).count()).toBe(0);
    });

    it('offer questions that the demo answers, and say that it is a demo', async () => {
      const page = await openChat();
      await page.getByText('This is the demo that comes with hearth').waitFor();
      await page.getByRole('button', { name: 'What is 3 plus 4?' }).click();
      const [answer] = await answersOf(page, 1);
      expect(answer).toContain('7');
    });

    it('show lists of tasks, columns, the direction of a script and code as they are meant', async () => {
      const page = await openChat();
      const prose = await showAnswer(
        page,
        'Markup',
        [
          '- [x] done\n- [ ] open',
          '| left | right | centre |\n| :-- | --: | :-: |\n| a | 1 | A sentence that is long enough to need more than one line in a cell of this table, and so is broken between its words |',
          'مرحبا بكم',
          '3. three\n4. four',
          '| الاسم | العدد |\n| --- | --- |\n| قلم | ٣ |',
          '```\nno language\n```',
          '```js\nconst x = 1;\n```',
        ].join('\n\n'),
      );
      const boxes = prose.locator('input');
      expect(
        await boxes.evaluateAll((all) => all.map((box) => [box.type, box.checked, box.disabled])),
      ).toEqual([
        ['checkbox', true, true],
        ['checkbox', false, true],
      ]);
      expect(
        await page.evaluate(
          "[...document.querySelectorAll('.prose td')].map((cell) => getComputedStyle(cell).textAlign)",
        ),
      ).toEqual(['-webkit-left', '-webkit-right', '-webkit-center', 'start', 'start']);
      const heights = await prose
        .locator('th, td')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      // Titles are not broken, long sentences are.
      expect(heights[0]).toBeLessThan(45);
      expect(heights[5]).toBeGreaterThan(50);
      expect(
        await prose
          .locator('table')
          .first()
          .evaluate((one) => one.scrollWidth - one.clientWidth),
      ).toBe(0);
      // From right to left there is a gap between the columns, too.
      const gap = await page.evaluate<number>(`(() => {
        const [first, second] = [...document.querySelectorAll('.prose [dir] table')].at(-1).querySelectorAll('th');
        const boxOf = (cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect();
        };
        return boxOf(first).left - boxOf(second).right;
      })()`);
      expect(gap).toBeGreaterThan(10);
      const copy = await prose.getByRole('button', { name: 'Copy' }).first().boundingBox();
      const figure = await prose.locator('figure').first().boundingBox();
      expect((copy?.x ?? 0) + (copy?.width ?? 0)).toBeGreaterThan(
        (figure?.x ?? 0) + (figure?.width ?? 0) - 20,
      );
      expect(await page.evaluate("getComputedStyle(document.querySelector('.prose p')).direction")).toBe(
        'rtl',
      );
      expect(await prose.locator('ol').getAttribute('start')).toBe('3');
      await prose.locator('pre').first().focus();
      expect(await page.evaluate('document.activeElement.tagName')).toBe('PRE');
      expect(await accessibilityFindings(page)).toEqual([]);
    });

    it('show formulas in a line, line breaks, and letters above and below it; other HTML stays text', async () => {
      const page = await openChat();
      const prose = await showAnswer(
        page,
        'Formulas',
        'So $$a^2$$ and $\\vec{v}$ it is: H<sub>2</sub>O<br>and x<sup>2</sup>, <b>bold</b> <sup onclick="x">no</sup> <kbd>Esc</kbd>[^1]\n\n[^1]: A note\n\n<details>\n<summary>More</summary>\n\nHidden **words**\n\n</details>',
      );
      await prose.locator('.katex svg').waitFor();
      // The page's own policy forbids code that waits in it for a text's value.
      const isLoaded =
        "[...document.fonts].some(({ family, status }) => family.includes('KaTeX_Math') && status === 'loaded')";
      await expect.poll(() => page.evaluate(isLoaded)).toBe(true);
      expect(await prose.locator('sub, sup, br').evaluateAll((all) => all.map((one) => one.tagName))).toEqual(
        ['SUB', 'BR', 'SUP', 'SUP', 'SUP'],
      );
      await expect.poll(() => prose.locator('kbd').innerText()).toBe('Esc');
      await prose.locator('summary').click();
      await prose.locator('details').getByText('Hidden words').waitFor();
      expect((await prose.locator('.katex svg').boundingBox())?.width).toBeGreaterThan(2);
      await expect.poll(() => prose.innerText()).toContain('<b>bold</b>');
      expect(await prose.locator('b, [onclick]').count()).toBe(0);
    });
  },
);
