import type { ByteReader } from './byte-reader.ts';
import { readOrientation } from './orientation.ts';
import { PictureError, type Orientation, type PictureHeader } from './picture-header.ts';

const firstChunkAt = 12;
const chunkHeadBytes = 8;
/** The most chunks that are searched for EXIF data, which stands behind the pixels. */
const mostChunks = 4096;
const sizeMask = 0x3fff;

/** The size in the first chunk of the WebP, and its EXIF chunk. */
export function readWebpHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  // The decoder fills up missing parts, so a picture that was cut off has to be noticed here.
  if (reader.long(4, true) + 8 > reader.length) throw new RangeError('the file is shorter than it says');
  const data = firstChunkAt + chunkHeadBytes;
  const kind = reader.text(firstChunkAt, 4);
  switch (kind) {
    case 'VP8 ':
      return {
        widthPixels: reader.short(data + 6, true) & sizeMask,
        heightPixels: reader.short(data + 8, true) & sizeMask,
        orientation: 1,
      };
    case 'VP8L': {
      const bits = reader.long(data + 1, true);
      return {
        widthPixels: (bits & sizeMask) + 1,
        heightPixels: ((bits >>> 14) & sizeMask) + 1,
        orientation: 1,
      };
    }
    case 'VP8X':
      return {
        widthPixels: reader.triple(data + 4) + 1,
        heightPixels: reader.triple(data + 7) + 1,
        orientation: findOrientation(reader),
      };
    default:
      throw new PictureError('The WebP picture does not begin with its size');
  }
}

function findOrientation(reader: ByteReader): Orientation {
  let at = firstChunkAt;
  for (let index = 0; index < mostChunks && at + chunkHeadBytes <= reader.length; index++) {
    const length = reader.long(at + 4, true);
    if (reader.text(at, 4) === 'EXIF') return readOrientation(reader.part(at + chunkHeadBytes, length));
    at += chunkHeadBytes + length + (length % 2);
  }
  return 1;
}
