import { parseArgs } from 'node:util';
import { toChoice, toNumber } from './flags.ts';
import type { WeightType } from './tiny-model/gguf.ts';
import { writeTinyVoice } from './tiny-voice/write-tiny-voice.ts';
import type { VoiceFamily } from './tiny-voice/write-tiny-voice.ts';

const help = `Writes a model that speaks, with random weights, and its projector, for tests and for trying things out.
The same options give the same bytes. What it says is noise in the rhythm of the text.

Usage: node scripts/make/tiny-voice.ts --out FOLDER [options]

  --out FOLDER         where to write FAMILY.gguf and FAMILY.mmproj.gguf
  --family pocket|qwen whose architecture: Pocket TTS or Qwen3-TTS (pocket)
  --seed N             seed of the weights (1)
  --size tiny|full     full: as large as the Pocket TTS that people use, 100 million weights; pocket only (tiny)
  --type f32|f16|q8_0  type of the matrices (f32)
  --endless            speech ends by its budget only
  --help               this text
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    family: { type: 'string' },
    seed: { type: 'string' },
    size: { type: 'string' },
    type: { type: 'string' },
    endless: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});

if (values.help === true) {
  process.stdout.write(help);
} else if (values.out === undefined) {
  process.stderr.write(`--out is missing\n\n${help}`);
  process.exitCode = 1;
} else {
  const family = toChoice<VoiceFamily>('family', values.family, ['pocket', 'qwen']) ?? 'pocket';
  const files = {
    model: `${values.out}/${family}.gguf`,
    projector: `${values.out}/${family}.mmproj.gguf`,
  };
  await writeTinyVoice(files, {
    family,
    seed: toNumber('seed', values.seed),
    size: toChoice<'tiny' | 'full'>('size', values.size, ['tiny', 'full']),
    weightType: toChoice<WeightType>('type', values.type, ['f32', 'f16', 'q8_0']),
    endsByItself: !values.endless,
  });
}
