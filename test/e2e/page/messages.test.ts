import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { completeChat } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { accessibilityFindings, PageBench, pagePatienceMs, sendMessage } from '../../support/page/page.ts';
import { showAnswer } from '../../support/page/chats.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const chat = useChatServer({
  models: async () => ({ endless: await tinyModel({ contextTokens: 16_384, endOfTurnGain: 0, layers: 6 }) }),
});

describe.skipIf(chromiumPath === undefined)(
  'messages on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let bench: PageBench;
    beforeAll(async () => {
      bench = await PageBench.open(chat().server);
      await completeChat(chat().client, 'endless', 'Hello', { max_tokens: 2 });
    }, 3 * pagePatienceMs);
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
    });

    const open = (): Promise<Page> => bench.visit('chat', { keys: { user: bench.keys.user } });

    it('show lists of tasks, columns, the direction of a script and code as they are meant', async () => {
      const page = await open();
      const prose = await showAnswer(
        page,
        'Markup',
        [
          '- [x] done\n- [ ] open',
          '| left | right |\n| :-- | --: |\n| a | 1 |',
          'مرحبا بكم',
          '3. three\n4. four',
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
      expect(await prose.locator('td').nth(1).getAttribute('align')).toBe('right');
      expect(await page.evaluate("getComputedStyle(document.querySelector('.prose p')).direction")).toBe(
        'rtl',
      );
      expect(await prose.locator('ol').getAttribute('start')).toBe('3');
      await prose.locator('pre').focus();
      expect(await page.evaluate('document.activeElement.tagName')).toBe('PRE');
      expect(await accessibilityFindings(page)).toEqual([]);
    });

    it('show formulas in a line, line breaks, and letters above and below it; other HTML stays text', async () => {
      const page = await open();
      const prose = await showAnswer(
        page,
        'Formulas',
        'So $$a^2$$ it is: H<sub>2</sub>O<br>and x<sup>2</sup>, <b>bold</b> <sup onclick="x">no</sup>',
      );
      await prose.locator('math').waitFor();
      expect(await prose.locator('sub, sup, br').evaluateAll((all) => all.map((one) => one.tagName))).toEqual(
        ['SUB', 'BR', 'SUP'],
      );
      expect(await prose.innerText()).toContain('<b>bold</b>');
      expect(await prose.locator('b, [onclick]').count()).toBe(0);
    });

    it('stay where the person scrolled when an answer ends', async () => {
      const page = await open();
      await page.getByLabel('Model', { exact: true }).selectOption('endless');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Max tokens').fill('300');
      await page.getByRole('button', { name: 'Done' }).click();
      await sendMessage(page, 'A question\n'.repeat(120));
      const thread = page.locator('.thread');
      await page
        .locator('.message.assistant .prose')
        .getByText(/\S.{30}/)
        .first()
        .waitFor();
      await thread.evaluate((box) => box.scrollTo({ top: 200 }));
      await page.getByText('The answer reached its limit of tokens.').waitFor({ state: 'attached' });
      await page.locator('.stats').waitFor({ state: 'attached' });
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      expect(await thread.evaluate((box) => Math.round(box.scrollTop))).toBe(200);
    });
  },
);
