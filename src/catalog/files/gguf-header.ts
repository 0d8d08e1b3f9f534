import { fileFormats } from '../../engine/file-formats.ts';
import { ggufFileTypes, tensorSizeBytes } from './tensor-types.ts';
import { MalformedFileError, WindowReader } from './window-reader.ts';

const windowBytes = 256 * 1024;
const maxKeys = 16_384;
const maxKeyBytes = 1024;
const maxTensors = 262_144;
const maxTensorNameBytes = 256;
const maxDimensions = 4;
const maxTemplateBytes = 1024 * 1024;
const maxGeneralTextBytes = 4096;
/** Most strings in all arrays together; the largest vocabularies have half a million. */
const maxArrayStrings = 4_000_000;
const maxArrayDepth = 3;
/** Longest header. It holds names and a vocabulary; beyond this the reader would be among the weights. */
const maxHeaderBytes = 256 * 1024 * 1024;

export interface GgufHeader {
  readonly version: number;
  readonly architecture: string;
  /** `general.type`: model, adapter, mmproj, vocab …; null where the file does not tell. */
  readonly type: string | null;
  readonly name: string | null;
  readonly organization: string | null;
  readonly author: string | null;
  /** `general.license`, such as `apache-2.0`; null where the file does not tell. */
  readonly licence: string | null;
  readonly chatTemplate: string | null;
  /** 0 where the file does not tell. */
  readonly namesInfillTokens: boolean;
  readonly trainContextTokens: number;
  readonly poolingType: number | null;
  /** Numbers per token between the layers; null where the file does not tell. */
  readonly embeddingLength: number | null;
  readonly projector: ProjectorKeys;
  readonly quantization: string | null;
  readonly tensorCount: number;
  /** Elements of all tensors in this file (this part of a split model). */
  readonly parameterCount: number;
  /** Parts of a split model (1 when it is not split) and which of them this is, from 0. */
  readonly splitCount: number;
  readonly splitIndex: number;
}

/** The facts that only the header of a projector holds. */
export interface ProjectorKeys {
  readonly hasVisionEncoder: boolean;
  readonly hasAudioEncoder: boolean;
  readonly hasSpeechGenerator: boolean;
  /** Numbers per token that it gives to the model; null where the file does not tell. Older files tell another size. */
  readonly projectionLength: number | null;
}

type Scalar = number | boolean | string;

/** The scalar types of metadata by their numbers: bytes of a value, and how it is read. */
const scalarTypes: Readonly<
  Record<number, readonly [sizeBytes: number, read: (bytes: Buffer, at: number) => number | boolean]>
> = {
  0: [1, (bytes, at) => bytes.readUInt8(at)],
  1: [1, (bytes, at) => bytes.readInt8(at)],
  2: [2, (bytes, at) => bytes.readUInt16LE(at)],
  3: [2, (bytes, at) => bytes.readInt16LE(at)],
  4: [4, (bytes, at) => bytes.readUInt32LE(at)],
  5: [4, (bytes, at) => bytes.readInt32LE(at)],
  6: [4, (bytes, at) => bytes.readFloatLE(at)],
  7: [1, (bytes, at) => bytes.readUInt8(at) !== 0],
  10: [8, (bytes, at) => Number(bytes.readBigUInt64LE(at))],
  11: [8, (bytes, at) => Number(bytes.readBigInt64LE(at))],
  12: [8, (bytes, at) => bytes.readDoubleLE(at)],
};
const stringType = 8;
const arrayType = 9;

interface Budget {
  arrayStrings: number;
}

/** Facts from the header of an open GGUF file; throws MalformedFileError for anything that is not one. */
export function readGgufHeader(fd: number, fileSizeBytes: number): GgufHeader {
  const reader = new WindowReader(fd, fileSizeBytes, windowBytes);
  if (reader.u32() !== fileFormats.llama.magic) throw new MalformedFileError('not a GGUF file');
  const version = reader.u32();
  if (version === 0x02000000 || version === 0x03000000)
    throw new MalformedFileError('a big-endian GGUF file');
  if (version !== 2 && version !== 3)
    throw new MalformedFileError(`GGUF version ${version} is not supported`);
  const tensorCount = reader.u64();
  const keyCount = reader.u64();
  if (tensorCount > maxTensors) throw new MalformedFileError(`${tensorCount} tensors are too many`);
  if (keyCount > maxKeys) throw new MalformedFileError(`${keyCount} metadata keys are too many`);

  const values = readMetadata(reader, keyCount);
  const alignment = numberOf(values, 'general.alignment') ?? 32;
  if (!(alignment > 0 && alignment <= 65_536)) throw new MalformedFileError('the alignment makes no sense');
  const parameterCount = readTensorTable(reader, tensorCount, fileSizeBytes, alignment);

  const architecture = textOf(values, 'general.architecture');
  if (architecture === null) throw new MalformedFileError('general.architecture is missing');
  const fileType = numberOf(values, 'general.file_type');
  return {
    version,
    architecture,
    type: textOf(values, 'general.type'),
    name: textOf(values, 'general.name'),
    organization: textOf(values, 'general.organization'),
    author: textOf(values, 'general.author'),
    licence: textOf(values, 'general.license.name') ?? textOf(values, 'general.license'),
    chatTemplate: textOf(values, 'tokenizer.chat_template'),
    namesInfillTokens: ['fim_pre_token_id', 'prefix_token_id'].some((key) =>
      values.has(`tokenizer.ggml.${key}`),
    ),
    trainContextTokens: countOf(values, `${architecture}.context_length`) ?? 0,
    poolingType: numberOf(values, `${architecture}.pooling_type`),
    embeddingLength: countOf(values, `${architecture}.embedding_length`),
    projector: {
      hasVisionEncoder: values.get('clip.has_vision_encoder') === true,
      hasAudioEncoder: values.get('clip.has_audio_encoder') === true,
      hasSpeechGenerator: values.get('clip.has_gen_audio_encoder') === true,
      projectionLength:
        countOf(values, 'clip.vision.projection_dim') ?? countOf(values, 'clip.audio.projection_dim'),
    },
    quantization: ggufFileTypes[fileType ?? -1] ?? null,
    tensorCount,
    parameterCount,
    splitCount: Math.max(1, countOf(values, 'split.count') ?? 1),
    splitIndex: countOf(values, 'split.no') ?? 0,
  };
}

function readMetadata(reader: WindowReader, keyCount: number): Map<string, Scalar> {
  const values = new Map<string, Scalar>();
  const budget: Budget = { arrayStrings: maxArrayStrings };
  for (let index = 0; index < keyCount; index++) {
    const key = reader.text(reader.u64(), maxKeyBytes);
    const type = reader.u32();
    if (type === arrayType) skipArray(reader, budget, 0);
    else if (type === stringType) {
      const lengthBytes = reader.u64();
      const maxBytes = keptTextBytes(key);
      if (lengthBytes <= maxBytes) values.set(key, reader.text(lengthBytes, maxBytes));
      else reader.skip(lengthBytes);
    } else values.set(key, reader.value(...scalarType(type)));
    if (reader.position > maxHeaderBytes) throw new MalformedFileError('the header is too large');
  }
  return values;
}

/** Longest text to keep under `key`, in bytes; -1: the text of this key is not used. */
function keptTextBytes(key: string): number {
  if (key === 'tokenizer.chat_template') return maxTemplateBytes;
  return key.startsWith('general.') ? maxGeneralTextBytes : -1;
}

function scalarType(type: number) {
  const scalar = scalarTypes[type];
  if (scalar === undefined) throw new MalformedFileError(`metadata of unknown type ${type}`);
  return scalar;
}

function skipArray(reader: WindowReader, budget: Budget, depth: number): void {
  if (depth > maxArrayDepth) throw new MalformedFileError('arrays are nested too deep');
  const elementType = reader.u32();
  const count = reader.u64();
  if (elementType !== stringType && elementType !== arrayType) {
    const [elementBytes] = scalarType(elementType);
    return reader.skip(count * elementBytes);
  }
  // A run of zero bytes reads as empty strings without end, so their number needs a limit of its own.
  if (count > budget.arrayStrings) throw new MalformedFileError(`an array of ${count} elements is too long`);
  budget.arrayStrings -= count;
  for (let index = 0; index < count; index++) {
    if (elementType === stringType) reader.skip(reader.u64());
    else skipArray(reader, budget, depth + 1);
    if (reader.position > maxHeaderBytes) throw new MalformedFileError('the header is too large');
  }
}

/** Number of weights; throws when a tensor's data does not lie within the file. */
function readTensorTable(
  reader: WindowReader,
  tensorCount: number,
  fileSizeBytes: number,
  alignment: number,
): number {
  let parameterCount = 0;
  let dataBytes = 0;
  for (let index = 0; index < tensorCount; index++) {
    reader.skip(checkedNameBytes(reader.u64()));
    const dimensions = reader.u32();
    if (dimensions > maxDimensions) throw new MalformedFileError(`a tensor of ${dimensions} dimensions`);
    let elementCount = 1;
    for (let axis = 0; axis < dimensions; axis++) elementCount *= reader.u64();
    const type = reader.u32();
    const offset = reader.u64();
    dataBytes = Math.max(dataBytes, offset + (tensorSizeBytes(type, elementCount) ?? 0));
    parameterCount += elementCount;
  }
  const dataStart = Math.ceil(reader.position / alignment) * alignment;
  if (tensorCount > 0 && dataStart + dataBytes > fileSizeBytes) {
    throw new MalformedFileError('the file is cut short: it ends before its last tensor does');
  }
  if (!Number.isSafeInteger(parameterCount)) throw new MalformedFileError('the tensor sizes make no sense');
  return parameterCount;
}

function checkedNameBytes(lengthBytes: number): number {
  if (lengthBytes > maxTensorNameBytes) throw new MalformedFileError('a tensor name is too long');
  return lengthBytes;
}

function textOf(values: ReadonlyMap<string, Scalar>, key: string): string | null {
  const value = values.get(key);
  return typeof value === 'string' ? value : null;
}

function numberOf(values: ReadonlyMap<string, Scalar>, key: string): number | null {
  const value = values.get(key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function countOf(values: ReadonlyMap<string, Scalar>, key: string): number | null {
  const value = numberOf(values, key);
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
