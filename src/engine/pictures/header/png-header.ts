import type { ByteReader } from './byte-reader.ts';
import { readOrientation } from './orientation.ts';
import { PictureError, type Orientation, type PictureHeader } from './picture-header.ts';

const firstChunkAt = 8;
/** Length and name before a chunk's data, and a checksum behind it. */
const chunkFrameBytes = 12;
/** Real files have a handful of chunks before the pixels. */
const mostChunks = 1024;

/** The size in the PNG's first chunk, and its EXIF chunk, which stands before the pixels. */
export function readPngHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  if (reader.text(firstChunkAt + 4, 4) !== 'IHDR')
    throw new PictureError('The PNG picture does not begin with its size');
  return {
    widthPixels: reader.long(16, false),
    heightPixels: reader.long(20, false),
    orientation: findOrientation(reader),
  };
}

function findOrientation(reader: ByteReader): Orientation {
  let at = firstChunkAt;
  for (let index = 0; index < mostChunks; index++) {
    const length = reader.long(at, false);
    const name = reader.text(at + 4, 4);
    if (name === 'eXIf') return readOrientation(reader.part(at + 8, length));
    if (name === 'IDAT') return 1;
    at += length + chunkFrameBytes;
  }
  return 1;
}
