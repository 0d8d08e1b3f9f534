import { encodeGguf, type GgufValue } from '../../../scripts/make/tiny-model/gguf.ts';

/** Where the listed metadata says nothing, a file is a Llama of one small tensor. */
export interface GgufOptions {
  readonly architecture?: string;
  readonly template?: string;
  readonly metadata?: Readonly<Record<string, GgufValue>>;
  /** Number of tensors, each of 8 × 4 weights. */
  readonly tensors?: number;
}

const text = (value: string): GgufValue => ({ type: 'string', value });

/** Bytes of a GGUF file with a real structure that no engine could load: enough for its header to be read. */
export function ggufFile({
  architecture = 'llama',
  template,
  metadata = {},
  tensors = 1,
}: GgufOptions = {}): Buffer {
  const values = new Map<string, GgufValue>([
    ['general.architecture', text(architecture)],
    ['tokenizer.ggml.tokens', { type: 'strings', value: ['<s>', 'a', 'b', 'été'] }],
    ['tokenizer.ggml.scores', { type: 'f32s', value: [0, -1, -2, -3] }],
    ...(template === undefined ? [] : [['tokenizer.chat_template', text(template)] as const]),
    ...Object.entries(metadata),
  ]);
  return encodeGguf(
    values,
    Array.from({ length: tensors }, (_, index) => ({
      name: `blk.${index}.weight`,
      dimensions: [8, 4],
      weightType: 'f32' as const,
      values: new Float32Array(32),
    })),
  );
}

export interface WhisperOptions {
  readonly vocabularySize?: number;
  readonly fileType?: number;
  readonly filterLength?: number;
}

/** Bytes of a whisper ggml file with two small tensors (48 weights) and next to no vocabulary. */
export function whisperFile({
  vocabularySize = 51_865,
  fileType = 1,
  filterLength = 201,
}: WhisperOptions = {}): Buffer {
  const melBands = 80;
  const header = [0x67676d6c, vocabularySize, 1500, 8, 2, 1, 448, 8, 2, 1, melBands, fileType];
  const tokens = ['a', ' the'].flatMap((token) => [int32(token.length), Buffer.from(token)]);
  return Buffer.concat([
    int32(...header, melBands, filterLength),
    Buffer.alloc(melBands * filterLength * 4),
    int32(2),
    ...tokens,
    ...whisperTensor('encoder.weight', [8, 4], 0, 8 * 4 * 4),
    ...whisperTensor('decoder.weight', [16], 1, 16 * 2),
  ]);
}

function whisperTensor(
  name: string,
  dimensions: readonly number[],
  type: number,
  sizeBytes: number,
): Buffer[] {
  return [
    int32(dimensions.length, name.length, type, ...dimensions),
    Buffer.from(name),
    Buffer.alloc(sizeBytes),
  ];
}

function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeInt32LE(value, 4 * index));
  return bytes;
}
