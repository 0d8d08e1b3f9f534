import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { toFile } from 'openai';
import { afterAll, describe, expect, it } from 'vitest';
import { canTranscribe, hasMedia } from '../../support/models/demo-speech.ts';
import { demoEars, demoVoice, useDemoServer } from '../../support/server/demo-server.ts';

const run = promisify(execFile);
const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
/** Behind the header of a WAV file that hearth streams. */
const headerBytes = 44;

describe.runIf(hasMedia)('the demo that speaks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-demo-voice-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const demo = useDemoServer();
  const speak = async (input: string, voice = 'alloy') => {
    const options = { model: demoVoice, input, voice, response_format: 'wav' } as const;
    return Buffer.from(await (await demo().client.audio.speech.create(options)).arrayBuffer());
  };
  const secondsOf = (wav: Buffer) => (wav.length - headerBytes) / 48_000;
  const loudnessOf = (wav: Buffer) => {
    const samples = new Int16Array(Uint8Array.from(wav.subarray(headerBytes)).buffer);
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
  };

  it
    .runIf(canTranscribe)
    .each(['The moon is cold.', 'Ninety two minus ten is fourteen.', 'Wake me up at eleven thirty.'])(
    'says what the demo that hears writes down: "%s"',
    async (sentence) => {
      const file = await toFile(await speak(sentence), 'spoken.wav');
      const { text } = await demo().client.audio.transcriptions.create({ model: demoEars, file });
      expect(text).toBe(sentence);
    },
  );

  it('ends by itself, about when a person would', async () => {
    expect(secondsOf(await speak('The moon is cold.'))).toBeLessThan(3);
    const both = await speak('The moon is cold. Wake me up at eleven thirty.');
    expect(secondsOf(both)).toBeGreaterThan(3);
    expect(secondsOf(both)).toBeLessThan(7);
  });

  it('says words that it does not know by their letters', async () => {
    const wav = await speak('Blorvik, zamplet!');
    expect(secondsOf(wav)).toBeGreaterThan(0.8);
    expect(loudnessOf(wav)).toBeGreaterThan(300);
  });

  it('has one voice', async () => {
    await expect(speak('Hello.', 'anna')).rejects.toMatchObject({ status: 400, param: 'voice' });
    expect((await speak('Hello.')).length).toBeGreaterThan(headerBytes);
  });

  it('is what hearth say uses where there is no other', async () => {
    const file = join(folder, 'morning.wav');
    const { dataDir } = demo().server;
    await run(process.execPath, [cliPath, 'say', 'Good morning!', '-o', file, '--data-dir', dataDir]);
    expect((await readFile(file)).subarray(0, 4).toString()).toBe('RIFF');
  });
});
