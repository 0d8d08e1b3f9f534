import { tensorSizeBytes, whisperFileTypeName } from './tensor-types.ts';
import { MalformedFileError, WindowReader } from './window-reader.ts';

/** `ggml` as a little-endian number: whisper's own format, but also that of other, older programs. */
export const ggmlMagic = 0x67676d6c;

/** Frequencies of each mel filter. whisper.cpp has room for this many, but copies as many as the file claims. */
const filterFrequencies = 201;
/** Small, because after the vocabulary the reader jumps from tensor to tensor. */
const windowBytes = 4096;
const maxTensors = 8192;
const maxNameBytes = 256;
/** A quantised file's type is the type itself plus 1000 times the version of the quantisation. */
const quantizationVersionFactor = 1000;

export interface WhisperHeader {
  readonly parameterCount: number;
  readonly quantization: string | null;
  readonly textContextTokens: number;
  /** Knows other languages than English. */
  readonly multilingual: boolean;
}

/**
 * Facts of an open whisper ggml file; undefined when it is a ggml file of something else (a voice
 * activity detector, an old llama model). Throws MalformedFileError when it is whisper's but damaged.
 */
export function readWhisperHeader(fd: number, fileSizeBytes: number): WhisperHeader | undefined {
  const reader = new WindowReader(fd, fileSizeBytes, windowBytes);
  if (fileSizeBytes < 56 || reader.u32() !== ggmlMagic) return undefined;
  const vocabularySize = reader.i32();
  const audio = readStack(reader);
  const text = readStack(reader);
  const melBands = reader.i32();
  const fileType = reader.i32();
  const isWhisper =
    vocabularySize >= 51_864 && vocabularySize <= 52_992 && (melBands === 80 || melBands === 128);
  if (!isWhisper || !isSane(audio) || !isSane(text)) return undefined;

  const filterBands = reader.i32();
  const filterLength = reader.i32();
  if (filterBands !== melBands || filterLength !== filterFrequencies)
    throw new MalformedFileError('the mel filters are damaged');
  reader.skip(filterBands * filterLength * 4);
  const tokenCount = reader.i32();
  if (tokenCount <= 0 || tokenCount > vocabularySize)
    throw new MalformedFileError('the vocabulary is damaged');
  for (let index = 0; index < tokenCount; index++) reader.skip(reader.u32());

  return {
    parameterCount: readTensors(reader),
    quantization: whisperFileTypeName(fileType % quantizationVersionFactor),
    textContextTokens: text.context,
    multilingual: vocabularySize >= 51_865,
  };
}

interface Stack {
  readonly context: number;
  readonly state: number;
  readonly heads: number;
  readonly layers: number;
}

function readStack(reader: WindowReader): Stack {
  return { context: reader.i32(), state: reader.i32(), heads: reader.i32(), layers: reader.i32() };
}

function isSane({ context, state, heads, layers }: Stack): boolean {
  return (
    context > 0 &&
    context <= 65_536 &&
    state > 0 &&
    state <= 16_384 &&
    heads > 0 &&
    state % heads === 0 &&
    layers > 0 &&
    layers <= 256
  );
}

/** Number of weights; the tensors must fill the rest of the file exactly. */
function readTensors(reader: WindowReader): number {
  let parameterCount = 0;
  for (let count = 0; reader.remainingBytes > 0; count++) {
    if (count >= maxTensors) throw new MalformedFileError('there are too many tensors');
    const dimensions = reader.i32();
    const nameBytes = reader.i32();
    const type = reader.i32();
    if (dimensions < 1 || dimensions > 4 || nameBytes < 1 || nameBytes > maxNameBytes) {
      throw new MalformedFileError('the table of tensors is damaged');
    }
    let elementCount = 1;
    for (let axis = 0; axis < dimensions; axis++) elementCount *= reader.u32();
    reader.skip(nameBytes);
    const sizeBytes = tensorSizeBytes(type, elementCount);
    if (sizeBytes === undefined) throw new MalformedFileError(`a tensor of unknown type ${type}`);
    reader.skip(sizeBytes);
    parameterCount += elementCount;
  }
  if (parameterCount === 0) throw new MalformedFileError('it holds no weights');
  return parameterCount;
}
