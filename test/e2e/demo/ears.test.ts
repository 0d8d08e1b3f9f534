import { createReadStream } from 'node:fs';
import { toFile, type Uploadable } from 'openai';
import { describe, expect, it } from 'vitest';
import { loadSpeechModel } from '../../../src/engine/whisper/addon/native.ts';
import { clipPath, clips, readClip, type ClipFile } from '../../support/audio/clips.ts';
import { soundsWithoutSpeech } from '../../support/audio/no-speech.ts';
import { canTranscribe } from '../../support/models/demo-speech.ts';
import { demoEars, demoEarsFile, useDemoServer } from '../../support/server/demo-server.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { writeWav } from '../../support/audio/wav.ts';

const timeTolerance = 0.4;
const rateHz = 16_000;
const share = { threads: 1, yields: false };

/** Clips that begin at these seconds, with silence between them. */
function together(at: readonly (readonly [file: ClipFile, seconds: number])[]): Promise<File> {
  const last = Math.max(...at.map(([file, seconds]) => seconds * rateHz + readClip(file).length));
  const samples = new Float32Array(last);
  for (const [file, seconds] of at) samples.set(readClip(file), seconds * rateHz);
  return toFile(writeWav(samples), 'together.wav');
}

describe.runIf(canTranscribe)('the demo that hears', () => {
  const demo = useDemoServer();
  const transcribe = (file: Uploadable, more: object = {}) =>
    demo().client.audio.transcriptions.create({
      file,
      model: demoEars,
      response_format: 'verbose_json',
      ...more,
    });

  it.each(clips)('hears "$said" in $file, and until when it is said', async (clip) => {
    const { text, segments = [] } = await transcribe(createReadStream(clipPath(clip.file)));
    expect(text).toBe(clip.said);
    // Whisper may begin a window's first segment where the window begins.
    expect(segments[0]?.start).toBeLessThan(clip.startSeconds + timeTolerance);
    expect(Math.abs((segments.at(-1)?.end ?? -1) - clip.endSeconds)).toBeLessThan(timeTolerance);
  });

  it('hears what comes after the first 30 s, and when', async () => {
    const { text, segments = [] } = await transcribe(
      await together([
        ['rms.wav', 0],
        ['andrea.wav', 40],
      ]),
    );
    expect(text).toBe('Count from fourteen to eighty six. Set the alarm for half past two tomorrow.');
    expect(Math.abs((segments[0]?.end ?? -1) - 2.84)).toBeLessThan(timeTolerance);
    expect(Math.abs((segments.at(-1)?.end ?? -1) - 42.32)).toBeLessThan(timeTolerance);
  });

  it('hears nothing in silence and in noise', async () => {
    let random = 1;
    const noise = Float32Array.from({ length: 3 * rateHz }, () => {
      random = (random * 48_271) % (2 ** 31 - 1);
      return 0.04 * (random / 2 ** 31 - 0.5);
    });
    for (const samples of [new Float32Array(3 * rateHz), noise])
      expect(await transcribe(await toFile(writeWav(samples), 'nothing.wav'))).toMatchObject({
        text: '',
        segments: [],
      });
  });

  it.each(Object.entries(soundsWithoutSpeech))('hears no words in %s', async (_, samples) => {
    expect(await transcribe(await toFile(writeWav(samples), 'no-speech.wav'))).toMatchObject({
      text: '',
      segments: [],
    });
  });

  // An answer tells how likely it is that nobody speaks for each of its segments, of which there are none here.
  it('is sure that nobody speaks in such sounds, and that somebody does in sentences', async () => {
    const model = await loadSpeechModel(demoEarsFile, { useGpu: false });
    const noSpeechProb = async (samples: Float32Array) => {
      const session = await model.openSession();
      await session.setAudio(samples, share);
      await session.encode(0, share);
      const request = { past: [], language: 0, translates: false, temperature: 0, seed: 0 };
      const written = await session.decode(request, share);
      await session.release();
      return written.noSpeechProb;
    };
    for (const [name, samples] of Object.entries(soundsWithoutSpeech))
      expect(await noSpeechProb(samples), name).toBeGreaterThan(0.6);
    for (const { file } of clips) expect(await noSpeechProb(readClip(file)), file).toBeLessThan(0.2);
    await model.release();
  });

  it('says that it knows English only', async () => {
    const file = createReadStream(clipPath('ked.wav'));
    await expect(transcribe(file, { language: 'de' })).rejects.toMatchObject({
      status: 400,
      param: 'language',
    });
  });

  it('is what hearth transcribe uses where there is no other', async () => {
    const transcription = await hearthCli(demo().server, 'transcribe', clipPath('rms.wav'));
    expect(transcription).toMatchObject({ text: 'Count from fourteen to eighty six.' });
  });
});
