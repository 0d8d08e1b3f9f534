import { parseArgs } from 'node:util';
import { toChoice, toNumber } from './flags.ts';
import { writeTinyEncoder } from './tiny-model/write-tiny-encoder.ts';
import { writeTinyModel } from './tiny-model/write-tiny-model.ts';
import type { TinyModelDefect } from './tiny-model/write-tiny-model.ts';

const help = `Writes a tiny Llama-architecture GGUF with random weights, for tests and for trying things out.
The same options give the same bytes.

Usage: node scripts/make/tiny-model.ts --out FILE [options]

  --out FILE            where to write
  --seed N              seed of the weights (1)
  --name TEXT           the model's name in the file
  --context N           tokens of context that the file claims (2048)
  --layers N            blocks (2)
  --hidden N            size of the hidden state, a multiple of 2 × heads (64)
  --heads N             attention heads (4)
  --kv-heads N          heads of keys and values (2)
  --feed-forward N      size of the feed-forward layer (192)
  --type f32|f16        type of the matrices (f32)
  --merges N            learnt merges beside the 256 bytes (360)
  --end-of-turn-gain X  how loud the end-of-turn token is; 0: it never comes by itself (1.5)
  --stray-bytes         let bytes come as they like, so that the text is often not valid UTF-8
  --encoder             write a BERT that computes embeddings; of the other options it takes --seed, --context,
                        --layers and --hidden
  --defect KIND         write a broken file: truncated, no-byte-tokens (aborts a process that loads it), not-gguf,
                        no-numbers (NaN), no-numbers-after-z (only once the prompt has a Z)
  --help                this text
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    seed: { type: 'string' },
    name: { type: 'string' },
    context: { type: 'string' },
    layers: { type: 'string' },
    hidden: { type: 'string' },
    heads: { type: 'string' },
    'kv-heads': { type: 'string' },
    'feed-forward': { type: 'string' },
    type: { type: 'string' },
    merges: { type: 'string' },
    'end-of-turn-gain': { type: 'string' },
    'stray-bytes': { type: 'boolean' },
    encoder: { type: 'boolean' },
    defect: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) {
  process.stdout.write(help);
} else if (values.out === undefined) {
  process.stderr.write(`--out is missing\n\n${help}`);
  process.exitCode = 1;
} else if (values.encoder === true) {
  await writeTinyEncoder(values.out, {
    seed: toNumber('seed', values.seed),
    contextTokens: toNumber('context', values.context),
    layers: toNumber('layers', values.layers),
    hiddenSize: toNumber('hidden', values.hidden),
  });
} else {
  await writeTinyModel(values.out, {
    seed: toNumber('seed', values.seed),
    name: values.name,
    contextTokens: toNumber('context', values.context),
    layers: toNumber('layers', values.layers),
    hiddenSize: toNumber('hidden', values.hidden),
    headCount: toNumber('heads', values.heads),
    headCountKv: toNumber('kv-heads', values['kv-heads']),
    feedForwardSize: toNumber('feed-forward', values['feed-forward']),
    weightType: toChoice('type', values.type, ['f32', 'f16']),
    mergeCount: toNumber('merges', values.merges),
    endOfTurnGain: toNumber('end-of-turn-gain', values['end-of-turn-gain']),
    strayBytes: values['stray-bytes'],
    defect: toChoice<TinyModelDefect>('defect', values.defect, [
      'truncated',
      'no-byte-tokens',
      'not-gguf',
      'no-numbers',
      'no-numbers-after-z',
    ]),
  });
}
