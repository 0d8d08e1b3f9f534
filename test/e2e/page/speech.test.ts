import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasFfmpeg } from '../../support/audio/audio-kinds.ts';
import { chromiumPath } from '../../support/page/browser.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { PageBench, pagePatienceMs, savedBy } from '../../support/page/page.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const heard = 'The quick brown fox';
/** How many lines the page shows while it says that at most 61 of 100 seconds were heard; false otherwise. */
const heardEarly = `[...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
  /^Transcribing… (?:0:|1:0)/.test(textContent)) && document.querySelectorAll('.transcript li').length`;

describe.skipIf(chromiumPath === undefined || !canTranscribe)(
  'speech on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let folder: string;
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hearth-page-speech-'));
      copyFileSync(await demoSpeech(), join(folder, 'ears.bin'));
      writeFileSync(join(folder, 'tone.wav'), writeWav(tone(440, 3)));
      server = await startServer({ modelsDirs: [folder], config: { models: [{ id: 'ears' }] } });
      bench = await PageBench.open(server, [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${join(folder, 'tone.wav')}`,
      ]);
    }, pagePatienceMs);
    afterEach(() => bench.closeTabs());
    afterAll(async () => {
      expect(bench.complaints).toEqual([]);
      await bench[Symbol.asyncDispose]();
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    it('turns a file into text with times, to be saved as subtitles', async () => {
      const page = await bench.visit('speech');
      await page.getByLabel('Choose a file').setInputFiles(join(folder, 'tone.wav'));
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
      await page
        .getByRole('link', { name: 'Limits' })
        .or(page.getByRole('link', { name: 'Keys' }))
        .click();
      await page.getByRole('link', { name: 'Speech' }).click();
      await page.getByRole('button', { name: 'json' }).waitFor();
      const saved = JSON.parse(
        await savedBy(page, () => page.getByRole('button', { name: 'json' }).click()),
      ) as { segments: { start: number }[] };
      // No language was chosen, and this model finds German in everything.
      expect(saved).toMatchObject({ duration: 100, language: 'de', text: expect.stringContaining(heard) });
      expect(saved.segments.length).toBeGreaterThan(early);
      expect(await page.locator('.transcript li').count()).toBe(saved.segments.length);
      expect(saved.segments.at(-1)?.start).toBeGreaterThan(60);
    });

    it('says why a file is refused', async () => {
      const page = await bench.visit('speech');
      const file = { name: 'note.wav', mimeType: 'audio/wav', buffer: Buffer.from('no audio at all') };
      await page.getByLabel('Choose a file').setInputFiles(file);
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').innerText()).toMatch(/audio/i);
    });

    it.skipIf(!hasFfmpeg)('writes into the message what is dictated (skipped without ffmpeg)', async () => {
      const page = await bench.visit('chat', { permissions: ['microphone'] });
      await page.getByRole('button', { name: 'Dictate' }).click();
      const stop = page.getByRole('button', { name: 'Stop dictating' });
      await stop.waitFor();
      await page.waitForTimeout(1500);
      await stop.click();
      await expect.poll(() => page.locator('#composer').inputValue(), { timeout: 30_000 }).toContain(heard);
    });

    it.skipIf(!hasFfmpeg)('turns what the microphone hears into text (skipped without ffmpeg)', async () => {
      const page = await bench.visit('speech', { permissions: ['microphone'] });
      await page.getByRole('button', { name: 'Record' }).click();
      await page.getByRole('button', { name: 'Stop after 2 s' }).click();
      await page.locator('.transcript li').getByText(heard).first().waitFor();
    });
  },
);
