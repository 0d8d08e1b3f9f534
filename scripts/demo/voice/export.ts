import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { encodeGguf, ggufFileTypes } from '../../make/tiny-model/gguf.ts';
import type { GgufTensor, GgufValue, WeightType } from '../../make/tiny-model/gguf.ts';
import { f32, no, text, u32, yes } from '../../make/tiny-voice/voice-tensors.ts';
import { readWeights, type Tensor } from '../text/read-weights.ts';
import { encodeNormalForms } from './normal-forms.ts';

const help = `Writes the trained voice as GGUF: the model that reads texts, and its projector, which makes sound.

Usage: node scripts/demo/voice/export.ts --weights FOLDER --out FILE.gguf [--precise]

  --weights FOLDER  what weights.py wrote: weights.bin and shape.json
  --out FILE        the model; the projector gets FILE.mmproj.gguf
  --precise         matrices as 32-bit floats, to see what Q8_0 costs
`;

interface About {
  readonly shape: {
    readonly hidden: number;
    readonly layers: number;
    readonly heads: number;
    readonly feed_forward: number;
    readonly norm_epsilon: number;
    readonly rope_base: number;
  };
  /** Width of the decoder's layer in front of its convolutions. */
  readonly decoder_hidden: number;
  /** Of the layers that do nothing. */
  readonly unused: { readonly hidden: number; readonly feed_forward: number };
  readonly pieces: readonly string[];
  /** Beginnings of texts, and the texts that are read in their place. */
  readonly normal_forms: Readonly<Record<string, string>>;
}

/** Numbers of llama.cpp's `llama_token_type`. */
const tokenTypes = { text: 1, unknown: 2, control: 3 } as const;
const unknownPiece = '<unk>';
const contextTokens = 4096;
const block = 32;
/** By it hearth knows the language, and that the model speaks with its own voice, as which it needs no recording. */
const variant = 'english_own';

const { values } = parseArgs({
  options: {
    weights: { type: 'string' },
    out: { type: 'string' },
    precise: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else if (values.weights === undefined || values.out?.endsWith('.gguf') !== true) {
  process.stderr.write(`--weights and --out are needed\n\n${help}`);
  process.exitCode = 1;
} else {
  const { about, tensors } = await readWeights(values.weights);
  const matrixType = values.precise ? 'f32' : 'q8_0';
  const [model, projector] = [false, true].map((isWanted) =>
    tensors
      .filter(({ name }) => name.startsWith('a.') === isWanted)
      .map((tensor) => toGgufTensor(tensor, matrixType)),
  );
  await writeFile(values.out, encodeGguf(describeModel(about as About), model ?? []));
  const projectorPath = values.out.replace(/\.gguf$/, '.mmproj.gguf');
  await writeFile(projectorPath, encodeGguf(describeProjector(about as About), projector ?? []));
}

function describeModel({ shape, pieces, normal_forms: forms }: About): Map<string, GgufValue> {
  return new Map<string, GgufValue>([
    ['general.architecture', text('pockettts')],
    ...describe('model', 'hearth-demo-voice'),
    ['pockettts.block_count', u32(shape.layers)],
    ['pockettts.context_length', u32(contextTokens)],
    ['pockettts.embedding_length', u32(shape.hidden)],
    ['pockettts.feed_forward_length', u32(shape.feed_forward)],
    ['pockettts.attention.head_count', u32(shape.heads)],
    ['pockettts.attention.layer_norm_epsilon', f32(shape.norm_epsilon)],
    ['pockettts.rope.freq_base', f32(shape.rope_base)],
    ['pockettts.vocab_size', u32(pieces.length)],
    ['tokenizer.ggml.model', text('t5')],
    ['tokenizer.ggml.pre', text('default')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: pieces }],
    // All cost the same: the fewest pieces win, so that a space and the sound behind it are one.
    ['tokenizer.ggml.scores', { type: 'f32s', value: pieces.map(() => -1) }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: pieces.map(toTokenType) }],
    ['tokenizer.ggml.precompiled_charsmap', { type: 'u8s', value: encodeNormalForms(forms) }],
    ['tokenizer.ggml.add_space_prefix', yes],
    ['tokenizer.ggml.remove_extra_whitespaces', yes],
    ['tokenizer.ggml.add_bos_token', no],
    ['tokenizer.ggml.add_eos_token', no],
  ]);
}

function describeProjector({ shape, decoder_hidden: decoderHidden, unused }: About): Map<string, GgufValue> {
  const stage = (kind: string, hidden: number, heads: number): [string, GgufValue][] => [
    [`clip.${kind}.projection_dim`, u32(shape.hidden)],
    [`clip.${kind}.embedding_length`, u32(hidden)],
    [`clip.${kind}.feed_forward_length`, u32(unused.feed_forward)],
    [`clip.${kind}.block_count`, u32(1)],
    [`clip.${kind}.attention.head_count`, u32(heads)],
    [`clip.${kind}.attention.layer_norm_epsilon`, f32(shape.norm_epsilon)],
  ];
  return new Map<string, GgufValue>([
    ['general.architecture', text('clip')],
    ...describe('mmproj', 'hearth-demo-voice projector'),
    ['clip.has_audio_encoder', yes],
    ['clip.audio.projector_type', text('pockettts_spkenc')],
    ...stage('audio', unused.hidden, 1),
    ['clip.audio.num_mel_bins', u32(1)],
    ['clip.has_gen_audio_encoder', yes],
    ['clip.gen.audio.projector_type', text('pockettts_gen')],
    ...stage('gen.audio', decoderHidden, decoderHidden / block),
    ['clip.gen.audio.model_variant', text(variant)],
  ]);
}

function describe(type: string, name: string): [string, GgufValue][] {
  return [
    ['general.type', text(type)],
    ['general.name', text(name)],
    ['general.description', text('A demo of hearth: a tiny voice for trying things out')],
    ['general.organization', text('hearth-demo')],
    ['general.license', text('apache-2.0')],
    ['general.file_type', u32(ggufFileTypes.q8_0)],
  ];
}

function toTokenType(piece: string): number {
  if (piece === unknownPiece) return tokenTypes.unknown;
  return piece.startsWith('<') ? tokenTypes.control : tokenTypes.text;
}

function toGgufTensor({ name, shape, values: floats }: Tensor, matrixType: WeightType): GgufTensor {
  return {
    name,
    dimensions: shape.toReversed(),
    weightType: typeOf(name, shape, matrixType),
    values: floats,
  };
}

function typeOf(name: string, shape: readonly number[], matrixType: WeightType): WeightType {
  if (shape.length === 1) return 'f32';
  // ggml computes convolutions in half precision, whatever the file has.
  if (shape.length === 3) return 'f16';
  // The tensors that the frames are read from, and those that make them: small, and every error in it is heard.
  const isOfFrames = /quant_out|flow\.final\.proj|input_linear/.test(name);
  return isOfFrames || (shape.at(-1) ?? 0) % block !== 0 ? 'f32' : matrixType;
}
