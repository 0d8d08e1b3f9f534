import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clipPath } from '../../support/audio/clips.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { tinyVoice } from '../../support/models/tiny-voice.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import { showAnswer } from '../../support/page/chats.ts';
import {
  accessibilityFindings,
  answersOf,
  PageBench,
  pagePatienceMs,
  savedBy,
  sendMessage,
} from '../../support/page/page.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';

const heard = 'The quick brown fox';

/** A piece of sound that the page gave to the loudspeakers, in seconds of their clock. */
interface Played {
  readonly atSeconds: number;
  readonly seconds: number;
  readonly loudest: number;
}

/** Keeps in `globalThis.played` what the page plays. */
const listenToPage = `
  globalThis.played = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (at) {
    const samples = this.buffer.getChannelData(0);
    played.push({ atSeconds: at, seconds: this.buffer.duration, loudest: Math.max(...samples.map(Math.abs)) });
    start.call(this, at);
  };`;
const playedBy = (page: Page) => page.evaluate<Played[]>('globalThis.played');

describe.skipIf(chromiumPath === undefined || !canTranscribe)(
  'the voice of the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let folder: string;
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hearth-page-voice-'));
      const { model, projector } = await tinyVoice({ family: 'pocket' });
      copyFileSync(model, join(folder, 'mouth.gguf'));
      copyFileSync(projector, join(folder, 'mouth.mmproj.gguf'));
      mkdirSync(join(folder, 'voices'));
      for (const name of ['anna', 'ben', 'gone'])
        copyFileSync(clipPath('andrea.wav'), join(folder, `voices/${name}.wav`));
      copyFileSync(await demoSpeech(), join(folder, 'ears.bin'));
      // Somebody speaks for a second, and is silent until the file is played again.
      const turn = new Float32Array(6 * 16_000);
      turn.set(tone(440, 1.5));
      writeFileSync(join(folder, 'turn.wav'), writeWav(turn));
      server = await startServer({
        modelsDirs: [folder],
        config: { models: [{ id: 'mouth', ...oneThread }, { id: 'ears' }] },
      });
      bench = await PageBench.open(server, [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${join(folder, 'turn.wav')}`,
      ]);
      // The models are loaded first: these tests are about the page, not about loading on a busy machine.
      const messages = [{ role: 'user', content: 'Hello' }];
      await Promise.all([
        askUntilLoaded('chat/completions', { model: 'hearth-demo', messages, max_tokens: 2 }),
        askUntilLoaded('audio/speech', { model: 'mouth', input: 'Hello' }),
      ]);
    }, 4 * pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    async function askUntilLoaded(path: string, body: object): Promise<void> {
      const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      while ((await fetch(`${server.baseUrl}/${path}`, request)).status === 503);
    }

    async function open(hash: string): Promise<Page> {
      const page = await bench.visit(hash, { permissions: ['microphone'] });
      await page.evaluate(listenToPage);
      return page;
    }

    const reads = (page: Page) => page.getByRole('button', { name: 'Stop reading' });

    it('reads answers as they are written, by the voice that is chosen for the chat', async () => {
      const page = await open('chat');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Read answers aloud').check();
      await page.getByLabel('Who speaks').selectOption('ben');
      await page.getByRole('button', { name: 'Done' }).click();
      const asked = page.waitForRequest((request) => request.url().endsWith('/v1/audio/speech'));
      await sendMessage(page, 'What is hearth?');
      expect((await asked).postDataJSON()).toMatchObject({ model: 'mouth', voice: 'ben' });
      await expect
        .poll(async () => (await playedBy(page)).length, { timeout: pagePatienceMs })
        .toBeGreaterThan(0);
      await reads(page).waitFor({ state: 'detached' });
      const played = await playedBy(page);
      expect(Math.max(...played.map(({ loudest }) => loudest))).toBeGreaterThan(0);
      // No gap: each piece begins when the one before it ends, unless that came too late.
      for (const [index, { atSeconds, seconds }] of played.slice(0, -1).entries())
        expect(played[index + 1]?.atSeconds).toBeGreaterThanOrEqual(atSeconds + seconds - 0.001);
      await page.reload();
      await page.getByRole('button', { name: 'Voice: ben' }).waitFor();
      await answersOf(page, 1);
      // Nobody has pressed anything yet.
      expect(await reads(page).count()).toBe(0);
    });

    it('reads an answer at a press, and is silent at the next one, at Escape, and at a new question', async () => {
      const page = await open('chat');
      await showAnswer(page, 'Long', 'This is a sentence of a long answer that is read. '.repeat(20));
      const read = page.getByRole('button', { name: 'Read aloud' });
      const stops = [
        () => reads(page).click(),
        () => page.keyboard.press('Escape'),
        () => sendMessage(page, 'And now?'),
      ];
      for (const stop of stops) {
        await read.first().click();
        const before = (await playedBy(page)).length;
        await expect
          .poll(async () => (await playedBy(page)).length, { timeout: pagePatienceMs })
          .toBeGreaterThan(before);
        await stop();
        await reads(page).waitFor({ state: 'detached' });
      }
    });

    it('says in a line why it cannot read', async () => {
      const page = await open('chat');
      await showAnswer(page, 'Gone', 'This was to be read by somebody who has left.');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Who speaks').selectOption('gone');
      await page.getByRole('button', { name: 'Done' }).click();
      rmSync(join(folder, 'voices/gone.wav'));
      await page.getByRole('button', { name: 'Read aloud' }).click();
      await page
        .getByRole('status')
        .getByText(/'voice' names a voice that does not exist/)
        .waitFor();
      expect(await reads(page).count()).toBe(0);
    });

    it('speaks a text, and saves it as a WAV file', async () => {
      const page = await open('speech');
      await page
        .getByLabel('Text to be spoken')
        .fill('Good morning! This is said twice. This is said twice.');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      const save = page.getByRole('button', { name: 'Download as WAV' });
      await save.waitFor();
      const wav = Buffer.from(await savedBy(page, () => save.click(), 'latin1'), 'latin1');
      expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
      expect(wav.readUInt32LE(24)).toBe(24_000);
      expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
      const seconds = (wav.length - 44) / 48_000;
      await page.getByText(`${seconds.toFixed(1)} s of sound, the first after`).waitFor();
      const played = await playedBy(page);
      expect(played.reduce((sum, piece) => sum + piece.seconds, 0)).toBeCloseTo(seconds, 3);
    });

    it('talks hands-free: listens until somebody is silent, asks, reads the answer and listens again', async () => {
      const page = await open('chat');
      await page.getByRole('button', { name: 'Talk hands-free' }).click();
      const state = page.locator('.talk');
      for (const phase of ['Listening…', 'Thinking…', 'Speaking…', 'Listening…'])
        await state.getByText(phase).waitFor();
      expect(await page.locator('.question').first().innerText()).toContain(heard);
      expect((await playedBy(page)).length).toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      await state.waitFor({ state: 'detached' });
    });

    it('has no finding while it reads and talks, in both themes, on a phone and on a wide screen', async () => {
      const page = await open('chat');
      await showAnswer(page, 'Long', 'This is a sentence of a long answer that is read. '.repeat(20));
      const check = async (what: string) => {
        for (const width of [390, 1440])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize({ width, height: 844 });
            await page.emulateMedia({ colorScheme });
            expect(await accessibilityFindings(page), `${what} at ${width}, ${colorScheme}`).toEqual([]);
          }
      };
      await page.getByRole('button', { name: 'Read aloud' }).click();
      await check('an answer that is read');
      await page.getByRole('button', { name: 'Talk hands-free' }).click();
      await page.locator('.talk').waitFor();
      await check('talking');
      await page.goto(`${bench.origin}/#/speech`);
      await page.getByLabel('Text to be spoken').waitFor();
      await check('a text to be spoken');
    });
  },
);
