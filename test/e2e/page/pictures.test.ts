import { setTimeout } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { colouredPage, faxedPage, scanOf } from '../../support/files/scan.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seeingFamilies } from '../../../scripts/compare/pictures/families.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import { chooseInMenu } from '../../support/page/chats.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import {
  accessibilityFindings,
  answersOf,
  chooseModel,
  compareWith,
  dialogSizes,
  PageBench,
  pagePatienceMs,
  routeFirst,
  savedBy,
} from '../../support/page/page.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import { tinyModel, tinyProjector } from '../../support/models/tiny-model.ts';

/** A server with a model that sees, and one that does not. Unlike other models for pictures the first ends its turns. */
async function startSeeing(): Promise<RunningServer> {
  const source = await tinyModel({ architecture: 'gemma3' });
  const projector = await tinyProjector(seeingFamilies.gemma3.projector);
  return await startServer({
    modelsDirs: [],
    config: {
      models: [
        { id: 'tiny', source, projector, ...oneThread },
        { id: 'blind', source: await tinyModel(), ...oneThread },
      ],
    },
  });
}

interface SentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** A picture of one colour, encoded by the browser. */
async function pictureOf(page: Page, width: number, height: number, type: string): Promise<Buffer> {
  const base64 = await page.evaluate(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
    const context = canvas.getContext('2d');
    context.fillStyle = 'red';
    context.fillRect(0, 0, ${width}, ${height});
    return canvas.toDataURL('${type}').split(',')[1];
  })()`);
  return Buffer.from(String(base64), 'base64');
}

/** The parts of the last message of a request. */
function partsOf(request: Request): SentPart[] {
  const { messages } = JSON.parse(request.postDataBuffer()?.toString() ?? '{}') as {
    messages: { content: SentPart[] }[];
  };
  return messages.findLast(({ content }) => Array.isArray(content))?.content ?? [];
}

/** The media type and the bytes of a part with a picture. */
function pictureIn({ image_url }: SentPart): { type: string; bytes: Buffer } {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.+)$/.exec(image_url?.url ?? '') ?? [];
  return { type, bytes: Buffer.from(base64, 'base64') };
}

const sizeOfPng = (bytes: Buffer) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

describe.skipIf(chromiumPath === undefined || !hasMedia)(
  'pictures on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      server = await startSeeing();
      bench = await PageBench.open(server);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
      await server.stop();
    });

    async function openSeeing(options: Parameters<PageBench['visit']>[1] = {}): Promise<Page> {
      const page = await bench.visit('chat', { keys: { user: bench.keys.user }, ...options });
      await chooseModel(page, 'tiny');
      return page;
    }

    async function attach(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
      await page.locator('.attach input').setInputFiles({ name, mimeType, buffer });
    }

    async function ask(page: Page, text: string): Promise<SentPart[]> {
      await page.locator('#composer').fill(text);
      // Where fingers write, Enter begins a line.
      const [request] = await Promise.all([
        page.waitForRequest('**/v1/chat/completions'),
        page.getByRole('button', { name: 'Send', exact: true }).click(),
      ]);
      return partsOf(request);
    }

    it('sends a picture as it is, keeps it beside the chat, and takes it along in an export', async () => {
      const page = await openSeeing();
      const png = await pictureOf(page, 40, 30, 'image/png');
      await attach(page, 'dot.bin', '', Buffer.from([1, 0xff, 0]));
      await page.getByText('dot.bin is no PDF, DOCX, XLSX, EPUB, HTML, text or picture.').waitFor();
      await attach(page, 'dot.png', 'image/png', png);
      await page.locator('.chip').getByAltText('dot.png').waitFor();
      await page.reload();
      await page.locator('.chip').getByAltText('dot.png').waitFor();
      const parts = await ask(page, 'What is this?');
      expect(parts.map(({ type }) => type)).toEqual(['image_url', 'text']);
      expect(pictureIn(parts[0] ?? { type: '' })).toEqual({ type: 'image/png', bytes: png });
      await answersOf(page, 1);

      await page.reload();
      await page.getByRole('button', { name: 'dot.png' }).focus();
      await page.keyboard.press('Enter');
      const large = page.locator('dialog').getByAltText('dot.png');
      await large.waitFor();
      expect(await dialogSizes(page)).toBe('title 17px, text 15px, close 36 x 36');
      expect(
        await page.evaluate(
          "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector('.enlarged'))",
        ),
      ).toEqual([40, 30]);
      await page.keyboard.press('Escape');

      const again = page.waitForRequest('**/v1/chat/completions');
      await page.getByRole('button', { name: 'Answer again' }).click();
      expect(pictureIn(partsOf(await again)[0] ?? { type: '' }).bytes).toEqual(png);

      await page.getByRole('button', { name: 'Show as code' }).click();
      await page.getByRole('button', { name: 'TypeScript' }).click();
      const code = await page.locator('dialog pre').innerText();
      expect(code).toContain("`data:image/png;base64,${readFileSync('dot.png', 'base64')}`");
      await page.keyboard.press('Escape');

      const saved = await savedBy(page, () => chooseInMenu(page, undefined, 'Export chats'));
      const other = await openSeeing();
      await other
        .locator('.list-tools input')
        .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(saved) });
      await other.getByRole('link', { name: 'What is this?' }).click();
      await other.locator('.message').getByAltText('dot.png').waitFor();
    });

    it('makes large pictures smaller, and says what is broken or cannot be seen', async () => {
      const page = await openSeeing();
      await attach(page, 'large.png', 'image/png', await pictureOf(page, 3200, 800, 'image/png'));
      await page.locator('.chip').getByAltText('large.png').waitFor();
      await attach(page, 'photo.jpg', 'image/jpeg', await pictureOf(page, 60, 40, 'image/jpeg'));
      await page.locator('.chip').getByAltText('photo.jpg').waitFor();
      await attach(page, 'broken.png', 'image/png', Buffer.from('89504e470d0a1a0a', 'hex'));
      await page.getByRole('alert').getByText('broken.png is damaged').waitFor();
      await chooseModel(page, 'blind');
      await page.getByRole('alert').getByText('blind cannot see pictures.').waitFor();
      await chooseModel(page, 'tiny');
      const [large, photo] = (await ask(page, 'Look')).map(pictureIn);
      expect(large?.type).toBe('image/png');
      expect(sizeOfPng(large?.bytes ?? Buffer.alloc(24))).toEqual([1600, 400]);
      expect(photo?.type).toBe('image/jpeg');
      expect(photo?.bytes.subarray(0, 2).toString('hex')).toBe('ffd8');
    });

    it('takes what is pasted and dropped: a picture, and a long text as a file', async () => {
      const page = await openSeeing();
      const base64 = (await pictureOf(page, 20, 20, 'image/png')).toString('base64');
      const transfer = (what: string) => `(() => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob('${base64}'), (char) => char.charCodeAt(0));
        if ('${what}' === 'text') data.setData('text/plain', 'word '.repeat(10000));
        else data.items.add(new File([bytes], '${what}', { type: 'image/png' }));
        return data;
      })()`;
      const paste = (what: string) =>
        page.evaluate(
          `document.getElementById('composer').dispatchEvent(new ClipboardEvent('paste', { clipboardData: ${transfer(what)}, bubbles: true, cancelable: true }))`,
        );
      await paste('pasted.png');
      await page.locator('.chip').getByAltText('pasted.png').waitFor();
      await paste('text');
      await page.locator('.chip:not(.pulse)').getByText('pasted.txt').waitFor();
      const heights = (await page.locator('.chip').all()).map(
        async (chip) => (await chip.boundingBox())?.height,
      );
      expect(new Set(await Promise.all(heights)).size).toBe(1);
      expect(await page.locator('#composer').inputValue()).toBe('');
      await page.evaluate(
        `document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: ${transfer('dropped.png')}, bubbles: true, cancelable: true }))`,
      );
      await page.locator('.chip').getByAltText('dropped.png').waitFor();
      // Pictures alone are a question as well.
      await page.locator('.chip').getByText('pasted.txt').click();
      await page.getByRole('button', { name: 'Put it into the message' }).click();
      await expect.poll(() => page.locator('#composer').inputValue()).toMatch(/^.{8000}/s);
      expect((await ask(page, '')).map(({ type }) => type)).toEqual(['image_url', 'image_url']);
      await page.getByRole('link', { name: 'pasted.png' }).waitFor();
    });

    it('shows a document without text page by page', async () => {
      const page = await openSeeing();
      await attach(page, 'scan.pdf', 'application/pdf', scanOf([colouredPage(200, 0, 0), faxedPage]));
      await page.locator('.chip').getByAltText('scan.pdf, page 2').waitFor();
      const parts = await ask(page, 'What is this?');
      expect(parts.map(({ type }) => type)).toEqual(['image_url', 'image_url', 'text']);
      for (const part of parts.slice(0, 2)) expect(pictureIn(part).type).toBe('image/jpeg');
    });

    it('attaches a drawing, black on white in a dark page too', async () => {
      const page = await openSeeing({ colorScheme: 'dark', hasTouch: true });
      await page.getByRole('button', { name: 'Add to the message' }).press('Enter');
      await page.getByRole('button', { name: 'Draw' }).press('Enter');
      const sheet = page.locator('.sheet');
      await sheet.waitFor();
      const { x, y, width } = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      const drawLine = async (fromShare: number) => {
        await page.mouse.move(x + width * fromShare, y + width / 2);
        await page.mouse.down();
        await page.mouse.move(x + width * (fromShare + 0.2), y + width / 2, { steps: 4 });
        await page.mouse.up();
      };
      await drawLine(0.1);
      await page.getByRole('button', { name: 'Red' }).click();
      await drawLine(0.4);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Blue' }).click();
      await page.touchscreen.tap(x + width * 0.9, y + width * 0.9);
      expect(await accessibilityFindings(page)).toEqual([]);
      // Whoever closes it by mistake finds it again.
      await page.keyboard.press('Escape');
      await page.locator('#composer:focus').waitFor();
      await page.getByRole('button', { name: 'Add to the message' }).press('Enter');
      await page.getByRole('button', { name: 'Draw' }).press('Enter');
      // In a hurry: it is attached once. The second press may fall on the page behind the sheet, and take the focus.
      await page.getByRole('button', { name: 'Attach', exact: true }).dblclick();
      await page.locator('.chip').getByAltText('drawing.png').waitFor();
      await expect.poll(() => page.locator('.chip').count()).toBe(1);
      await page.getByRole('button', { name: 'Add to the message' }).press('Enter');
      await page.getByRole('button', { name: 'Draw', exact: true }).press('Enter');
      await sheet.waitFor();
      await page.keyboard.press('Escape');
      await page.locator('#composer:focus').waitFor();
      const [drawing = { type: '' }] = await ask(page, 'What did I draw?');
      const { bytes } = pictureIn(drawing);
      expect(sizeOfPng(bytes)).toEqual([512, 512]);
      const colours = await page.evaluate(`(async () => {
        const blob = new Blob([Uint8Array.from(atob('${bytes.toString('base64')}'), (char) => char.charCodeAt(0))]);
        const canvas = Object.assign(document.createElement('canvas'), { width: 512, height: 512 });
        const context = canvas.getContext('2d');
        context.drawImage(await createImageBitmap(blob), 0, 0);
        const at = (xShare, yShare) => [...context.getImageData(512 * xShare, 512 * yShare, 1, 1).data].slice(0, 3);
        return [at(0.2, 0.5), at(0.5, 0.5), at(0.9, 0.9), at(0.05, 0.05)];
      })()`);
      const [black, white, blue] = [
        [0, 0, 0],
        [255, 255, 255],
        [0, 0, 255],
      ];
      expect(colours).toEqual([black, white, blue, white]);
    });

    it('says in view why they cannot be sent, and tells long names of files apart, on a phone on its side', async () => {
      const page = await bench.visit('chat', { viewport: { width: 844, height: 390 } });
      await chooseModel(page, 'blind');
      const name = (index: number) => `minutes-of-the-general-meeting-of-all-the-herons-${index}.txt`;
      // The first takes longest to read, and is still the first.
      await routeFirst(page, '**/v1/documents', async (route) => {
        await setTimeout(500);
        await route.continue();
      });
      for (const index of [1, 2, 3]) await attach(page, name(index), 'text/plain', Buffer.from('Grey.'));
      const png = await pictureOf(page, 40, 30, 'image/png');
      for (const dot of ['one.png', 'two.png']) await attach(page, dot, 'image/png', png);
      const use = page.getByRole('alert').getByRole('button', { name: 'Use tiny' });
      await use.waitFor();
      const box = await use.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Number.NaN)).toBeLessThanOrEqual(844);
      // The ends of both are whole, where their middles are not.
      await expect.poll(() => page.locator('.chip[role=status]').count()).toBe(0);
      const [first] = await page.locator('.chip .file-name').all();
      expect(await first?.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
      expect(await first?.innerText()).toMatch(/^minutes-of-.*….*-1\.txt$/s);
      expect(await first?.getAttribute('title')).toBe(name(1));
    });

    it('finds a model for whoever types, also where there are few to choose from', async () => {
      const page = await openSeeing();
      await page.getByRole('button', { name: /^Model:/ }).click();
      await page.locator('.model-choice .item:focus').waitFor();
      await page.keyboard.type('lin');
      await expect.poll(() => page.locator('.model-choice .item').count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Model: blind' }).waitFor();
    });

    it('says which of two models takes no picture, and puts another one in its place', async () => {
      const page = await openSeeing();
      await compareWith(page, 'blind');
      await page.getByText('Each question goes to both tiny and blind.').waitFor();
      await attach(page, 'a.png', 'image/png', await pictureOf(page, 40, 30, 'image/png'));
      await page.getByRole('alert').getByText('blind cannot see pictures.').waitFor();
      const end = page.getByRole('alert').getByRole('button', { name: 'Stop comparing' });
      await end.or(page.getByRole('alert').getByRole('button', { name: /^Use .* instead$/ })).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    it.each([390, 1024, 1600])('shows pictures without a finding at %i pixels', async (width) => {
      const page = await openSeeing({ viewport: { width, height: 800 } });
      await attach(page, 'wide.png', 'image/png', await pictureOf(page, 1500, 100, 'image/png'));
      await attach(page, 'high.png', 'image/png', await pictureOf(page, 100, 1500, 'image/png'));
      await page.locator('.chip').getByAltText('high.png').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await ask(page, 'Two pictures');
      await answersOf(page, 1);
      await page.locator('.message').getByAltText('high.png').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  },
);
