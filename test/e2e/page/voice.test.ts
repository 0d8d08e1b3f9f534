import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasFfmpeg } from '../../support/audio/audio-kinds.ts';
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
/** How many lines the page shows while it says that at most 61 of 100 seconds were heard; false otherwise. */
const heardEarly = `[...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
  /^Transcribing… (?:0:|1:0)/.test(textContent)) && document.querySelectorAll('.transcript li').length`;

/** A piece of sound that the page gave to the loudspeakers, in seconds of their clock. */
interface Played {
  readonly atSeconds: number;
  readonly seconds: number;
  readonly loudest: number;
}

/** Keeps in `globalThis.played` the sounds that the page plays. */
const listenToPage = `
  globalThis.played = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (at) {
    const samples = this.buffer.getChannelData(0);
    played.push({ atSeconds: at, seconds: this.buffer.duration, loudest: Math.max(...samples.map(Math.abs)) });
    start.call(this, at);
  };`;
/** In pixels, between the time of a dictation and what ends it. */
const gapBesideTime = `document.querySelector('.recording').getBoundingClientRect().x
  - document.querySelector('.heard .figures').getBoundingClientRect().right`;
const playedBy = (page: Page) => page.evaluate<Played[]>('globalThis.played');
/** Waits until the page played more sounds than `count`. */
const playedMore = (page: Page, count: number) =>
  expect.poll(async () => (await playedBy(page)).length, { timeout: pagePatienceMs }).toBeGreaterThan(count);

describe.skipIf(chromiumPath === undefined || !canTranscribe)(
  'voice and speech on the page (skipped where no chromium is on PATH)',
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
      await page.getByRole('button', { name: 'Chat settings' }).click();
      await page.getByLabel('Read answers aloud').check();
      await page.getByLabel('Who speaks').selectOption('ben');
      await page.getByRole('button', { name: 'Done' }).click();
      const asked = page.waitForRequest((request) => request.url().endsWith('/v1/audio/speech'));
      await sendMessage(page, 'What is the capital of France?');
      expect((await asked).postDataJSON()).toMatchObject({ model: 'mouth', voice: 'ben' });
      await playedMore(page, 0);
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
        await playedMore(page, before);
        await stop();
        await reads(page).waitFor({ state: 'detached' });
      }
    });

    it('says in a line why it cannot read', async () => {
      const page = await open('chat');
      await showAnswer(page, 'Gone', 'This was to be read by somebody who has left.');
      await page.getByRole('button', { name: 'Chat settings' }).click();
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
      const page = await open('speech/speak');
      await page.getByLabel('Text to speak').fill('Good morning! This is said twice. This is said twice.');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await page.getByText(/^Speaking 0:0\d$/).waitFor();
      const save = page.getByRole('button', { name: 'Download as WAV' });
      await save.waitFor();
      const wav = Buffer.from(await savedBy(page, () => save.click(), 'latin1'), 'latin1');
      expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
      expect(wav.readUInt32LE(24)).toBe(24_000);
      expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
      const seconds = (wav.length - 44) / 48_000;
      await page.getByText(`${seconds.toFixed(1)} s · first sound after`).waitFor();
      // It can be heard again, and gone through by keyboard.
      const sound = page.getByRole('group', { name: /^Good morning/ });
      const position = sound.getByRole('slider', { name: 'Position' });
      await position.press('End');
      const length = `0:${String(Math.floor(seconds)).padStart(2, '0')}`;
      await sound.getByText(`${length} / ${length}`).waitFor();
      await sound.getByRole('button', { name: 'Play' }).click();
      await sound.getByRole('button', { name: 'Pause' }).click();
      const played = await playedBy(page);
      expect(played.reduce((sum, piece) => sum + piece.seconds, 0)).toBeCloseTo(seconds, 3);
    });

    it('keeps the sounds of a tab, to be compared, and says how each was made', async () => {
      const page = await bench.visit('speech');
      await page.getByRole('button', { name: 'Text to speech' }).click();
      await page.getByRole('button', { name: 'A greeting' }).click();
      for (const [count, speed] of [
        [1, '1'],
        [2, '2'],
      ] as const) {
        await page.getByLabel('Speed').selectOption(speed);
        await page.getByLabel('Text to speak').press('Control+Enter');
        const saves = page.getByRole('button', { name: 'Download as WAV' });
        await expect.poll(() => saves.count(), { timeout: pagePatienceMs }).toBe(count);
      }
      const rows = page.locator('.spoken small');
      await expect
        .poll(() => rows.allInnerTexts())
        .toEqual([expect.stringMatching(/^2 × · .* s · first/), expect.stringMatching(/^\d.* s · first/)]);
      await page
        .getByRole('button', { name: /^Delete: Good morning/ })
        .first()
        .click();
      await expect.poll(() => rows.count()).toBe(1);
      // The keyboard is at the next one.
      await expect.poll(() => page.locator('.spoken :focus').count()).toBe(1);
    });

    it('takes a file that is dropped where texts are spoken', async () => {
      const page = await bench.visit('speech/speak');
      await page.getByLabel('Text to speak').waitFor();
      const data = readFileSync(join(folder, 'turn.wav')).toString('base64');
      const files = await page.evaluateHandle(
        `(async () => {
          const all = new DataTransfer();
          const bytes = Uint8Array.from(atob('${data}'), (char) => char.charCodeAt(0));
          all.items.add(new File([bytes], 'dropped.wav', { type: 'audio/wav' }));
          return all;
        })()`,
      );
      await page.locator('.page').dispatchEvent('drop', { dataTransfer: files });
      await page.locator('.transcript', { hasText: 'dropped.wav' }).getByText(heard).first().waitFor();
      expect(new URL(page.url()).hash).toBe('#/speech');
    });

    it('talks hands-free: listens until somebody is silent, asks, reads the answer and listens again', async () => {
      const page = await open('chat');
      await page.getByRole('button', { name: 'Talk hands-free' }).click();
      const state = page.locator('.talk');
      for (const instead of ['.offers', '.composer'])
        await page.locator(instead).waitFor({ state: 'hidden' });
      // It shows how loud somebody speaks.
      const loud = () =>
        page.evaluate<string>(`document.querySelector('.orb').style.getPropertyValue('--loud')`);
      await expect.poll(loud, { interval: 20 }).toMatch(/0\.[3-9]|1\./);
      for (const phase of ['Listening…', 'Thinking…', 'Speaking…']) await state.getByText(phase).waitFor();
      // The words heard, beside the model's answer.
      await state.getByText(heard).waitFor();
      await expect.poll(async () => (await playedBy(page)).length).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Stop the answer' }).click();
      await state.getByText('Listening…').waitFor();
      await expect.poll(() => page.locator('.question').first().innerText()).toContain(heard);
      expect(await page.getByRole('button', { name: /hands-free/ }).count()).toBe(0);
      await page.keyboard.press('Enter');
      await state.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Talk hands-free' }).waitFor();
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
      await page.goto(`${bench.origin}/#/speech/speak`);
      await page.getByLabel('Text to speak').waitFor();
      await check('a text to be spoken');
      await page.getByRole('button', { name: 'Speech to text' }).click();
      await page.getByRole('button', { name: 'Record' }).waitFor();
      await check('a recording to be made');
    });

    it('turns a file into text with times, to be saved as subtitles', async () => {
      const page = await bench.visit('speech');
      await page.getByLabel('Choose a file').setInputFiles(join(folder, 'turn.wav'));
      await page.locator('.transcript li').getByText(heard).first().waitFor();
      const srt = await savedBy(page, () => page.getByRole('button', { name: 'srt' }).click());
      expect(srt).toMatch(/^1\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\nThe quick/);
      const vtt = await savedBy(page, () => page.getByRole('button', { name: 'vtt' }).click());
      expect(vtt).toMatch(/^WEBVTT\n\n00:00:\d\d\.\d{3} --> /);
      await page
        .getByRole('button', { name: /^Play from 0:0/ })
        .first()
        .click();
      expect(
        await page.locator('audio').evaluate((audio) => 'currentTime' in audio && audio.currentTime),
      ).toBeLessThan(3);
    });

    it('shows what was heard while it hears the rest', async () => {
      writeFileSync(join(folder, 'long.wav'), writeWav(tone(440, 100)));
      const page = await bench.visit('speech');
      await page.getByLabel('Choose a file').setInputFiles(join(folder, 'long.wav'));
      let early = 0;
      const count = async () => (early = Number(await page.evaluate(heardEarly)));
      await expect.poll(count, { interval: 10 }).toBeGreaterThan(0);
      // A transcription goes on while another view is open.
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('link', { name: 'Speech' }).click();
      await page.getByRole('button', { name: 'json' }).waitFor();
      const saved = JSON.parse(
        await savedBy(page, () => page.getByRole('button', { name: 'json' }).click()),
      ) as { segments: { start: number }[] };
      // No language was chosen, and this model finds German in everything.
      expect(saved).toMatchObject({ duration: 100, language: 'de', text: expect.stringContaining(heard) });
      expect(saved.segments.length).toBeGreaterThan(early);
      await expect.poll(() => page.locator('.transcript li').count()).toBe(saved.segments.length);
      expect(saved.segments.at(-1)?.start).toBeGreaterThan(60);
    });

    it('says why a file is refused, and keeps it to be tried again', async () => {
      const page = await bench.visit('speech');
      const file = { name: 'note.wav', mimeType: 'audio/wav', buffer: Buffer.from('no audio at all') };
      await page.getByLabel('Choose a file').setInputFiles(file);
      await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/audio/i);
      await page.reload();
      const answer = page.waitForResponse('**/audio/transcriptions');
      await page.getByRole('button', { name: 'Try again' }).click();
      expect((await answer).status()).toBe(400);
      await expect.poll(() => page.locator('.transcript').getByRole('alert').count()).toBe(1);
      await page.locator('.transcript summary').click();
      await page.locator('.transcript summary').getByText('Failed').waitFor();
    });

    it('offers neither dictation nor a talk while the server does not answer, and says why', async () => {
      const page = await bench.visit('chat');
      for (const name of ['Dictate', 'Talk hands-free'])
        await page.getByRole('button', { name, exact: true }).waitFor();
      const models = page.getByRole('button', { name: /^Model:/ });
      await models.click();
      await page.locator('.model-choice .item').first().waitFor();
      await page.keyboard.press('Escape');
      await page.route('**/*', (route) => route.abort());
      // The list is asked for anew.
      await models.click();
      for (const name of ['Dictate', 'Talk hands-free'])
        await page
          .getByRole('button', { name: `${name} · The server does not answer`, disabled: true })
          .waitFor();
      await page.unroute('**/*');
      await page.getByRole('button', { name: 'Dictate', exact: true, disabled: false }).waitFor();
    });

    it.skipIf(!hasFfmpeg)('writes into the message what is dictated (skipped without ffmpeg)', async () => {
      const page = await bench.visit('chat', { permissions: ['microphone'] });
      const dictate = page.getByRole('button', { name: 'Dictate' });
      for (const byKey of [true, false]) {
        await dictate.click();
        await page.getByRole('timer').waitFor();
        await (byKey
          ? page.keyboard.press('Escape')
          : page.getByRole('button', { name: /^Discard/ }).click());
        await dictate.and(page.locator(':enabled')).waitFor();
        expect(await page.getByText('Writing down').count()).toBe(0);
      }
      await dictate.click();
      await page.getByRole('timer').getByText('0:02').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate<number>(gapBesideTime)).toBeGreaterThan(4);
      await page.getByRole('button', { name: 'Stop dictating' }).click();
      await expect.poll(() => page.locator('#composer').inputValue(), { timeout: 30_000 }).toContain(heard);
    });

    it.skipIf(!hasFfmpeg)('turns what the microphone hears into text (skipped without ffmpeg)', async () => {
      const page = await bench.visit('speech', { permissions: ['microphone'] });
      await page.getByRole('button', { name: 'Record' }).click();
      await page.getByRole('timer').getByText('0:02').waitFor();
      // Somebody speaks in the first seconds of it: the bars are higher than those of silence.
      const highest = () =>
        page.locator('.levels i').evaluateAll((bars) => Math.max(...bars.map((bar) => bar.clientHeight)));
      await expect.poll(highest).toBeGreaterThan(5);
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.locator('.transcript li').getByText(heard).first().waitFor();
      // It stays, below the next transcript, until it is deleted.
      await page.getByText('Download as').waitFor();
      await page.reload();
      await page.getByLabel('Choose a file').setInputFiles(join(folder, 'turn.wav'));
      await expect.poll(() => page.locator('.transcript[open] h2').allInnerTexts()).toEqual(['turn.wav']);
      await page.locator('.transcript summary').getByText('Recording').click();
      await page.getByRole('button', { name: 'Delete: Recording' }).click();
      await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.locator('.transcript').nth(1).waitFor({ state: 'detached' });
    });
  },
);
