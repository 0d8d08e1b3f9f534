import { encodeGguf, ggufFileTypes } from './gguf.ts';
import type { GgufTensor, GgufValue, WeightType } from './gguf.ts';
import { metadataOf, tensorsOf, type Architecture, type ModelSizes } from './architectures.ts';
import { draftHead, type DraftHead } from './draft-head.ts';
import { RandomStream } from '../random-stream.ts';
import { buildVocabulary } from './vocabulary/vocabulary.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';
import { buildTensors, type ModelShape } from './weights.ts';
import { writeWhole } from '../write-whole.ts';

/** ChatML for the roles system, user, assistant and tool; no default system message. */
export const chatMlTemplate = [
  '{% for message in messages %}',
  "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}",
  '{% endfor %}',
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
].join('');

/**
 * The file's defect. `truncated`: the last half of the weights is missing. `no-byte-tokens`: an SPM
 * vocabulary without byte tokens, whose loading aborts the whole process. `not-gguf`: another kind of file.
 * `no-numbers`: the weights are NaN; `no-numbers-after-z`: those of the token `Z` only.
 */
export type TinyModelDefect =
  | 'truncated'
  | 'no-byte-tokens'
  | 'not-gguf'
  | 'no-numbers'
  | 'no-numbers-after-z';

export interface TinyModelOptions {
  readonly architecture?: Architecture | undefined;
  readonly seed?: number | undefined;
  readonly name?: string | undefined;
  /** Context length that the file claims to be trained for; it costs no file size. */
  readonly contextTokens?: number | undefined;
  readonly layers?: number | undefined;
  /** A multiple of twice `headCount`. */
  readonly hiddenSize?: number | undefined;
  readonly headCount?: number | undefined;
  readonly headCountKv?: number | undefined;
  readonly feedForwardSize?: number | undefined;
  readonly weightType?: WeightType | undefined;
  /** Tokens that the file says are never to be drawn. */
  readonly suppressTokens?: readonly number[] | undefined;
  /** Learnt merges; fewer come when the sample text has no more pairs. */
  readonly mergeCount?: number | undefined;
  /** Further control tokens, such as the call markers of a template; the model may generate them. */
  readonly controlTexts?: readonly string[] | undefined;
  /** Further tokens of visible ASCII, which the model may generate, but which no prompt is cut into. */
  readonly furtherTexts?: readonly string[] | undefined;
  /** Jinja; null leaves the template out. */
  readonly chatTemplate?: string | null | undefined;
  /** Bytes come as they like, so that the text is often not valid UTF-8. */
  readonly strayBytes?: boolean | undefined;
  /** How much louder the end-of-turn token is than the others; 0: it never comes by itself. */
  readonly endOfTurnGain?: number | undefined;
  /** No characters but those of ASCII come, and so no token that ends inside a character. */
  readonly asciiOnly?: boolean | undefined;
  /** Of a qwen35, qwen35moe or glm4moe. */
  readonly draftHead?: DraftHead | undefined;
  readonly defect?: TinyModelDefect | undefined;
}

/** Resolves once the model is whole at `path`: it is written beside it and then renamed into place. */
export async function writeTinyModel(path: string, options: TinyModelOptions = {}): Promise<void> {
  await writeWhole(path, buildTinyModel(options));
}

/**
 * The bytes of a tiny random model in GGUF: the same options give the same bytes. `change` may change the weights
 * before they are written.
 */
export function buildTinyModel(
  options: TinyModelOptions = {},
  change: (tensors: readonly GgufTensor[]) => void = () => undefined,
): Buffer {
  const { hiddenSize = 64, headCount = 4, headCountKv = 2, feedForwardSize = 192, layers = 2 } = options;
  const { weightType = 'f32', strayBytes = false, endOfTurnGain = 1.5, mergeCount = 360 } = options;
  if (hiddenSize % (2 * headCount) !== 0 || headCount % headCountKv !== 0) {
    throw new RangeError('hiddenSize must be a multiple of 2 × headCount, and headCount one of headCountKv');
  }
  const vocabulary = buildVocabulary(mergeCount, options.controlTexts, options.furtherTexts);
  const blocks = layers + (options.draftHead === undefined ? 0 : 1);
  const shape = { layers: blocks, hiddenSize, headCount, headCountKv, feedForwardSize, weightType };
  const metadata = new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: 'llama' }],
    ['general.type', { type: 'string', value: 'model' }],
    ['general.name', { type: 'string', value: options.name ?? 'Tiny random Llama' }],
    ['general.file_type', { type: 'u32', value: ggufFileTypes[weightType] }],
    ['llama.block_count', { type: 'u32', value: blocks }],
    ...(blocks > layers ? [['llama.nextn_predict_layers', { type: 'u32', value: 1 }] as const] : []),
    ['llama.context_length', { type: 'u32', value: options.contextTokens ?? 2048 }],
    ['llama.embedding_length', { type: 'u32', value: hiddenSize }],
    ['llama.feed_forward_length', { type: 'u32', value: feedForwardSize }],
    ['llama.attention.head_count', { type: 'u32', value: headCount }],
    ['llama.attention.head_count_kv', { type: 'u32', value: headCountKv }],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'f32', value: 1e-5 }],
    ['llama.rope.dimension_count', { type: 'u32', value: hiddenSize / headCount }],
    ['llama.rope.freq_base', { type: 'f32', value: 10_000 }],
    ['llama.vocab_size', { type: 'u32', value: vocabulary.entries.length }],
    ...(options.defect === 'no-byte-tokens' ? spmTokenizer(vocabulary) : bpeTokenizer(vocabulary)),
    ...suppressing(options.suppressTokens),
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
  ]);
  const template = options.chatTemplate === undefined ? chatMlTemplate : options.chatTemplate;
  if (template !== null) metadata.set('tokenizer.chat_template', { type: 'string', value: template });

  const random = new RandomStream(options.seed ?? 1);
  const { architecture = 'llama' } = options;
  const sizes = sizesOf(shape, layers);
  const habits = { strayBytes, endOfTurnGain, asciiOnly: options.asciiOnly ?? false };
  const llama = buildTensors(shape, vocabulary, habits, random);
  const tensors = tensorsOf(architecture, llama, sizes, random);
  const [embeddings] = tensors;
  if (options.defect === 'no-numbers') embeddings?.values.fill(Number.NaN);
  if (options.defect === 'no-numbers-after-z') {
    const row = vocabulary.entries.findIndex(({ text }) => text === 'Z');
    embeddings?.values.fill(Number.NaN, row * hiddenSize, (row + 1) * hiddenSize);
  }
  if (options.draftHead !== undefined)
    tensors.push(...draftHead(options.draftHead, layers, hiddenSize, tensors, random));
  change(tensors);
  const file = encodeGguf(new Map(metadataOf(architecture, [...metadata], sizes)), tensors);
  if (options.defect === 'truncated') return file.subarray(0, Math.floor(file.length / 2));
  if (options.defect === 'not-gguf') file.write('ZIP!', 0, 'latin1');
  return file;
}

function sizesOf(
  { hiddenSize, headCount, headCountKv, feedForwardSize }: ModelShape,
  layers: number,
): ModelSizes {
  const head = hiddenSize / headCount;
  const keys = { keys: head * headCountKv, keyHeads: headCountKv };
  return { hidden: hiddenSize, head, ...keys, layers, feedForward: feedForwardSize };
}

const suppressing = (value: readonly number[] | undefined): [string, GgufValue][] =>
  value === undefined ? [] : [['tokenizer.ggml.suppress_tokens', { type: 'i32s', value }]];

function bpeTokenizer({ entries, merges, endOfTextId, endOfTurnId }: Vocabulary): [string, GgufValue][] {
  return [
    ['tokenizer.ggml.model', { type: 'string', value: 'gpt2' }],
    ['tokenizer.ggml.pre', { type: 'string', value: 'qwen2' }],
    ['tokenizer.ggml.tokens', { type: 'strings', value: entries.map(({ text }) => text) }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: entries.map(({ kind }) => tokenTypes[kind]) }],
    ['tokenizer.ggml.merges', { type: 'strings', value: merges.map((merge) => merge.join(' ')) }],
    ['tokenizer.ggml.bos_token_id', { type: 'u32', value: endOfTextId }],
    ['tokenizer.ggml.eos_token_id', { type: 'u32', value: endOfTurnId }],
    ['tokenizer.ggml.padding_token_id', { type: 'u32', value: endOfTextId }],
  ];
}

function spmTokenizer({ entries }: Vocabulary): [string, GgufValue][] {
  // The texts of the BPE vocabulary serve: the loader fails as no token stands for the newline byte.
  return [
    ['tokenizer.ggml.model', { type: 'string', value: 'llama' }],
    ['tokenizer.ggml.tokens', { type: 'strings', value: entries.map((_, id) => `piece${id}`) }],
    ['tokenizer.ggml.scores', { type: 'f32s', value: entries.map((_, id) => -id) }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: entries.map(() => tokenTypes.text) }],
    ['tokenizer.ggml.bos_token_id', { type: 'u32', value: 1 }],
    ['tokenizer.ggml.eos_token_id', { type: 'u32', value: 2 }],
  ];
}

/** Numbers of llama.cpp's `llama_token_type`. */
const tokenTypes = { text: 1, control: 3 } as const;
