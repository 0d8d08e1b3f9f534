import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-transcribe-command-'));
  copyFileSync(await demoSpeech(), join(folder, 'ears.bin'));
  writeFileSync(join(folder, 'talk.wav'), writeWav(tone(440, 12)));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The real command, in a process of its own. */
async function transcribe(
  args: readonly string[],
  input: Buffer = Buffer.alloc(0),
): Promise<{ stdout: string; stderr: string }> {
  const folders = ['--data-dir', join(folder, 'data'), '--models-dir', folder];
  const running = run(process.execPath, [cliPath, 'transcribe', ...args, ...folders], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  running.child.stdin?.end(input);
  return await running;
}

describe.runIf(canTranscribe)('hearth transcribe', () => {
  it('prints a table of segments, and leaves nothing beside the file', async () => {
    const { stdout, stderr } = await transcribe(['talk.wav']);
    expect(stderr).not.toContain('demo');
    expect(stdout.trimEnd().split('\n')).toEqual([
      'START         END           TEXT',
      '00:00:00.000  00:00:04.000  The quick brown fox',
      '00:00:04.020  00:00:11.000  jumped over the lazy dog.',
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'ears.bin', 'talk.wav']);
  });

  it('says that a demo heard it, and what to pull', async () => {
    const { stderr } = await transcribe(['talk.wav', '--text', '--model', 'hearth-demo-ears']);
    expect(stderr).toMatch(/hearth-demo-ears is a tiny demo.*hearth models pull .*whisper-tiny/);
  });

  it('prints what the API answers with --json', async () => {
    const { stdout } = await transcribe(['talk.wav', '--json', '--language', 'auto']);
    expect(JSON.parse(stdout)).toMatchObject({
      task: 'transcribe',
      language: 'de',
      duration: 12,
      text: 'The quick brown fox jumped over the lazy dog.',
      segments: [
        { id: 0, end: 4 },
        { id: 1, end: 11 },
      ],
    });
  });

  it('takes standard input for -, and prints nothing but the text with --text', async () => {
    const { stdout } = await transcribe(['-', '--text'], readFileSync(join(folder, 'talk.wav')));
    expect(stdout).toBe('The quick brown fox jumped over the lazy dog.\n');
  });

  it('prints subtitles', async () => {
    const { stdout } = await transcribe(['talk.wav', '--srt']);
    expect(stdout).toMatch(/^1\n00:00:00,000 --> 00:00:04,000\nThe quick brown fox\n\n2\n/);
  });

  it.each([
    [['gone.wav'], 'gone.wav cannot be read (ENOENT)'],
    [['ears.bin'], 'The file cannot be decoded as audio'],
    [['talk.wav', '--language', 'klingon'], '"klingon" is not a language'],
    [['talk.wav', '--temperature', 'hot'], '--temperature must be a number from 0 to 1'],
    [['talk.wav', '--srt', '--json'], '--json, --srt, --vtt and --text exclude each other'],
    [['-'], 'standard input is empty'],
    [
      ['talk.wav', '--model', 'mouth'],
      'there is no speech model "mouth" (there are: ears, hearth-demo-ears)',
    ],
  ] as const)('says in one line why it cannot: %s', async (args, reason) => {
    await expect(transcribe(args)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`hearth: ${reason}`),
    });
  });
});
