import { closeSync, openSync, readSync } from 'node:fs';
import { fileEngines } from '../file-engines.ts';
import type { MemoryUse } from '../pool/memory-use.ts';

/** The sizes of a Whisper model, read from the first bytes of its file. */
export interface WhisperDimensions {
  readonly vocabulary: number;
  readonly audioContext: number;
  readonly audioState: number;
  readonly textContext: number;
  readonly textState: number;
  readonly textLayers: number;
}

const { magic } = fileEngines.whisper;
const headerBytes = 48;
/** Positions of the 30 s window of every Whisper model. The timestamps of whisper.cpp rely on this number. */
const audioContext = 1500;
const maxTextContext = 448;
/** A shorter context has no room for the tokens that begin a transcript. */
const minTextContext = 16;

/** True for files in the format of whisper.cpp's models, whatever kind of model they hold. */
export function isGgmlFile(path: string): boolean {
  return readHeader(path).readUInt32LE(0) === magic;
}

/** Dimensions of the model file at `path`; throws Error when they are not those of a Whisper model. */
export function readDimensions(path: string): WhisperDimensions {
  const header = readHeader(path);
  const field = (index: number) => header.readInt32LE(index * 4);
  const dimensions: WhisperDimensions = {
    vocabulary: field(1),
    audioContext: field(2),
    audioState: field(3),
    textContext: field(6),
    textState: field(7),
    textLayers: field(9),
  };
  const isWhisper =
    header.readUInt32LE(0) === magic &&
    dimensions.audioContext === audioContext &&
    dimensions.textContext >= minTextContext &&
    dimensions.textContext <= maxTextContext &&
    dimensions.audioState === dimensions.textState;
  if (!isWhisper) throw new Error('the file is not a Whisper model of 30 s windows');
  return dimensions;
}

/** The first bytes of the file; zeros where it has fewer. */
function readHeader(path: string): Buffer {
  const header = Buffer.alloc(headerBytes);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, header, 0, headerBytes, 0);
  } finally {
    closeSync(fd);
  }
  return header;
}

const cacheEntryBytes = 2 * 2;
/** whisper.cpp rounds its caches up to a multiple of this many positions. */
const cachePadding = 256;
/** Layer outputs that are alive at the same time while a window is encoded. */
const encoderBuffers = 12;

/** Memory of one transcription besides the weights: caches of both decoder attentions, and compute buffers. */
export function estimateSessionBytes(dimensions: WhisperDimensions): number {
  const { textState, textLayers, textContext, audioState, vocabulary } = dimensions;
  const textPositions = Math.ceil(textContext / cachePadding) * cachePadding;
  const audioPositions = Math.ceil(audioContext / cachePadding) * cachePadding;
  const caches = (textPositions + audioPositions) * textState * textLayers * cacheEntryBytes;
  const padding = audioPositions * audioState * cacheEntryBytes;
  const encoder = audioContext * audioState * encoderBuffers * 4;
  const logits = textContext * vocabulary * 4;
  return caches + padding + encoder + logits;
}

/** Memory of a model whose file has `fileBytes`, with `parallel` transcriptions at a time. */
export function estimateMemory(
  dimensions: WhisperDimensions,
  fileBytes: number,
  parallel: number,
): MemoryUse {
  return { ramBytes: fileBytes + parallel * estimateSessionBytes(dimensions), vramBytes: 0 };
}
