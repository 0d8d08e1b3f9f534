import { headerBytes, readHeader, type WhisperHeader } from '../../engine/whisper/model-file.ts';
import { tensorSizeBytes, whisperFileTypes } from './tensor-types.ts';
import { MalformedFileError, WindowReader } from './window-reader.ts';

/** Frequencies of each mel filter. whisper.cpp has room for this many, but copies as many as the file claims. */
const filterFrequencies = 201;
/** Small, because after the vocabulary the reader jumps from tensor to tensor. */
const windowBytes = 4096;
const maxTensors = 8192;
const maxNameBytes = 256;
/** A quantised file's type is the type itself plus 1000 times the version of the quantisation. */
const quantizationVersionFactor = 1000;

/** The facts of a speech model in the catalog. */
export interface WhisperFacts {
  readonly parameterCount: number;
  readonly quantization: string | null;
  readonly textContextTokens: number;
}

/** Facts of an open whisper ggml file; undefined: it is something else. Throws MalformedFileError. */
export function readWhisperFacts(fd: number, fileSizeBytes: number): WhisperFacts | undefined {
  if (fileSizeBytes < headerBytes) return undefined;
  const header = readHeader(fd);
  if (!isWhisper(header)) return undefined;
  const { vocabulary, textContext, melBands, fileType } = header;
  const reader = new WindowReader(fd, fileSizeBytes, windowBytes);
  reader.skip(headerBytes);

  const filterBands = reader.i32();
  const filterLength = reader.i32();
  if (filterBands !== melBands || filterLength !== filterFrequencies)
    throw new MalformedFileError('the mel filters are damaged');
  reader.skip(filterBands * filterLength * 4);
  const tokenCount = reader.i32();
  if (tokenCount <= 0 || tokenCount > vocabulary) throw new MalformedFileError('the vocabulary is damaged');
  for (let index = 0; index < tokenCount; index++) reader.skip(reader.u32());

  return {
    parameterCount: readTensors(reader),
    quantization: whisperFileTypes[fileType % quantizationVersionFactor] ?? null,
    textContextTokens: textContext,
  };
}

function isWhisper(header: WhisperHeader): boolean {
  const { vocabulary, melBands } = header;
  return (
    vocabulary >= 51_864 &&
    vocabulary <= 52_992 &&
    (melBands === 80 || melBands === 128) &&
    isSane(header.audioContext, header.audioState, header.audioHeads, header.audioLayers) &&
    isSane(header.textContext, header.textState, header.textHeads, header.textLayers)
  );
}

/** Whether encoder or decoder has a size that a model can have. */
function isSane(context: number, state: number, heads: number, layers: number): boolean {
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
