import { closeSync, openSync, readSync } from 'node:fs';
import { fileFormats } from '../file-formats.ts';
import type { MemoryUse } from '../pool/memory-use.ts';

/** The header of a model file in whisper.cpp's format: these numbers of 32 bits, little-endian, in this order. */
const headerFields = [
  'magic',
  'vocabulary',
  'audioContext',
  'audioState',
  'audioHeads',
  'audioLayers',
  'textContext',
  'textState',
  'textHeads',
  'textLayers',
  'melBands',
  'fileType',
] as const;

export type WhisperHeader = Readonly<Record<(typeof headerFields)[number], number>>;

/** Bytes of the header that `readHeader` reads. */
export const headerBytes = headerFields.length * 4;

/** The sizes of a Whisper model. */
export type WhisperDimensions = Pick<
  WhisperHeader,
  'vocabulary' | 'audioContext' | 'audioState' | 'textContext' | 'textState' | 'textLayers'
>;

const { magic } = fileFormats.whisper;
/** Positions of the 30 s window of every Whisper model, which whisper.cpp's timestamps take for granted. */
const audioContext = 1500;
const maxTextContext = 448;
/** A smaller context has no room for both the text before and the task. */
const minTextContext = 16;

/** True for files in the format of whisper.cpp's models, whatever kind of model they hold. */
export function isGgmlFile(path: string): boolean {
  return readHeaderOf(path).magic === magic;
}

/** Dimensions of the model file at `path`; throws Error when they are not those of a Whisper model. */
export function readDimensions(path: string): WhisperDimensions {
  const header = readHeaderOf(path);
  const isWhisper =
    header.magic === magic &&
    header.audioContext === audioContext &&
    header.textContext >= minTextContext &&
    header.textContext <= maxTextContext &&
    header.audioState === header.textState;
  if (!isWhisper) throw new Error('the file is not a Whisper model of 30 s windows');
  return header;
}

/** The header of an open file; zeros where the file has fewer bytes. */
export function readHeader(fd: number): WhisperHeader {
  const bytes = Buffer.alloc(headerBytes);
  readSync(fd, bytes, 0, headerBytes, 0);
  const entries = headerFields.map((field, index) => [field, bytes.readInt32LE(index * 4)]);
  return Object.fromEntries(entries) as WhisperHeader;
}

function readHeaderOf(path: string): WhisperHeader {
  const fd = openSync(path, 'r');
  try {
    return readHeader(fd);
  } finally {
    closeSync(fd);
  }
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
  onGpu = false,
): MemoryUse {
  const bytes = fileBytes + parallel * estimateSessionBytes(dimensions);
  return onGpu ? { ramBytes: 0, vramBytes: bytes } : { ramBytes: bytes, vramBytes: 0 };
}
