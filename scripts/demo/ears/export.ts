import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readWeights, type Tensor } from '../text/read-weights.ts';
import { GgmlWriter } from '../../make/demo-speech/ggml-writer.ts';
import { createVocabulary } from '../../make/demo-speech/vocabulary.ts';

const help = `Writes the trained ears in whisper.cpp's format: matrices in 5 bits a weight, the rest as floats.

Usage: node scripts/demo/ears/export.ts --weights FOLDER --out FILE [--precise]

  --weights FOLDER  what train.py wrote: weights.bin and shape.json
  --precise         matrices in 16 bits, to see what the 5 bits cost
`;

interface About {
  readonly shape: {
    readonly state: number;
    readonly heads: number;
    readonly audio_layers: number;
    readonly text_layers: number;
    readonly text_positions: number;
  };
  /** Texts of the first ids in training. */
  readonly texts: readonly string[];
}

const magic = 0x67676d6c;
const audioPositions = 1500;
const melBands = 80;
const melFrequencies = 201;
/** ggml's numbers of file types; a quantized one also tells the version of the formats, 2, in thousands. */
const fileTypes = { f16: 1, q5_0: 2008 } as const;
type MatrixType = keyof typeof fileTypes;
const embedding = 'decoder.token_embedding.weight';

const { values } = parseArgs({
  options: {
    weights: { type: 'string' },
    out: { type: 'string' },
    precise: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else if (values.weights === undefined || values.out === undefined) {
  process.stderr.write(`--weights and --out are needed\n\n${help}`);
  process.exitCode = 1;
} else {
  const { about, tensors } = await readWeights(values.weights);
  await writeFile(values.out, encode(about as About, tensors, values.precise ? 'f16' : 'q5_0'));
}

function encode({ shape, texts }: About, tensors: readonly Tensor[], matrixType: MatrixType): Uint8Array {
  const vocabulary = createVocabulary(texts, false);
  const writer = new GgmlWriter();
  writer.int32(magic, vocabulary.size, audioPositions, shape.state, shape.heads, shape.audio_layers);
  writer.int32(
    shape.text_positions,
    shape.state,
    shape.heads,
    shape.text_layers,
    melBands,
    fileTypes[matrixType],
  );
  writer.int32(melBands, melFrequencies);
  for (const tensor of tensors) {
    const { name } = tensor;
    if (name === 'mel_filters') {
      writer.float32(tensor.values);
      writer.int32(vocabulary.texts.length);
      for (const text of vocabulary.texts) writer.token(text);
    } else {
      const { shape: sizes, values: weights } =
        name === embedding ? spreadRows(tensor, texts.length) : tensor;
      // whisper.cpp keeps convolutions in 16 bits, whatever the type of the matrices is.
      const type = sizes.length === 3 ? 'f16' : isMatrix(name) ? matrixType : 'f32';
      writer.tensor(name, sizes.toReversed(), type, weights);
    }
  }
  return writer.bytes();
}

function isMatrix(name: string): boolean {
  return name.endsWith('.weight') && !name.includes('ln') && !name.includes('conv');
}

/** The rows of the ids in training at their ids in whisper.cpp's vocabulary, and the last row at all others. */
function spreadRows({ name, shape: [, state = 0], values: compact }: Tensor, textCount: number): Tensor {
  const { size, texts, endOfText, startOfTranscript, noSpeech, firstTimestamp } = createVocabulary([], false);
  const previousText = noSpeech - 1;
  const ids = [
    ...Array.from({ length: textCount }, (_, index) => texts.length + index),
    endOfText,
    startOfTranscript,
    previousText,
    noSpeech,
    ...Array.from({ length: size - firstTimestamp }, (_, index) => firstTimestamp + index),
  ];
  const rows = new Float32Array(size * state);
  const unused = compact.subarray(ids.length * state);
  for (let id = 0; id < size; id++) rows.set(unused, id * state);
  ids.forEach((id, index) => rows.set(compact.subarray(index * state, (index + 1) * state), id * state));
  return { name, shape: [size, state], values: rows };
}
