import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import {
  differenceOf,
  excerptOf,
  recordFile,
  speakPcm,
  spokenTexts,
  startSpeaker,
  voiceFamilies,
  writeReference,
  type SpokenRecord,
} from '../../test/support/audio/spoken-texts.ts';
import { tinyVoice } from '../../test/support/models/tiny-voice.ts';

const help = `Has llama.cpp's llama-tts and hearth speak the same texts with tiny models of both families, the same seeds and
the same recording, and compares their samples. llama-tts cuts fractions of 16-bit samples off and hearth rounds, so
that equal sound differs by 1 at most.

Usage: node scripts/compare/speech.ts --llama-tts FILE [--write]

  --llama-tts FILE  the program
  --write           write down what llama-tts says, for test/e2e/media/spoken-texts.test.ts
  --help            this text
`;

const { values } = parseArgs({
  options: {
    'llama-tts': { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(help);
else if (values['llama-tts'] === undefined) {
  process.stderr.write(`--llama-tts is missing\n\n${help}`);
  process.exitCode = 1;
} else await compare(values['llama-tts'], values.write);

async function compare(program: string, write: boolean): Promise<void> {
  const reference = await writeReference();
  const server = await startSpeaker(reference);
  const records: SpokenRecord[] = [];
  try {
    for (const family of voiceFamilies)
      for (const spoken of spokenTexts) {
        const theirs = await speakWith(program, family, spoken, reference);
        const ours = await speakPcm(server, family, spoken);
        const difference = differenceOf(ours, theirs);
        if (difference > 1) process.exitCode = 1;
        console.log(
          `${family} ${JSON.stringify(spoken.text)}: ${theirs.length / 1920} frames, hearth ${ours.length / 1920}, ` +
            `largest difference ${difference} of 32,767`,
        );
        records.push({ family, ...spoken, length: theirs.length, excerpt: excerptOf(theirs) });
      }
  } finally {
    await server.stop();
    await rm(dirname(reference), { recursive: true });
  }
  if (write) await writeFile(recordFile, `${JSON.stringify(records)}\n`);
}

async function speakWith(
  program: string,
  family: SpokenRecord['family'],
  { text, seed }: (typeof spokenTexts)[number],
  reference: string,
): Promise<Int16Array> {
  const { model, projector } = await tinyVoice({ family });
  const output = join(dirname(reference), 'spoken.wav');
  const files = ['-m', model, '--mmproj', projector, '--tts-speaker-file', reference, '-o', output];
  await promisify(execFile)(program, [...files, '-p', text, '--seed', String(seed), '-t', '1']);
  const headerBytes = 44;
  const wav = await readFile(output);
  return new Int16Array(Uint8Array.from(wav.subarray(headerBytes)).buffer);
}
