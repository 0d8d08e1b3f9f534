import type { ByteReader } from './byte-reader.ts';
import type { Orientation } from './picture-header.ts';

const exifPrefix = 'Exif\0\0';
const orientationTag = 0x112;
const upright: Orientation = 1;
/** Real files have some twenty entries; a hostile one is not searched for longer. */
const mostEntries = 512;
const entryBytes = 12;

/** The orientation that EXIF data tells, which may begin with its name; 1 where it tells none or is damaged. */
export function readOrientation(exif: ByteReader): Orientation {
  try {
    const start = exif.text(0, exifPrefix.length) === exifPrefix ? exifPrefix.length : 0;
    return findOrientation(exif.part(start, exif.length - start));
  } catch (error) {
    if (error instanceof RangeError) return upright;
    throw error;
  }
}

function findOrientation(tiff: ByteReader): Orientation {
  const byteOrder = tiff.text(0, 2);
  if (byteOrder !== 'II' && byteOrder !== 'MM') return upright;
  const isLittleEndian = byteOrder === 'II';
  const directory = tiff.long(4, isLittleEndian);
  const entries = Math.min(mostEntries, tiff.short(directory, isLittleEndian));
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * entryBytes;
    if (tiff.short(entry, isLittleEndian) !== orientationTag) continue;
    const value = tiff.short(entry + 8, isLittleEndian);
    return isOrientation(value) ? value : upright;
  }
  return upright;
}

function isOrientation(value: number): value is Orientation {
  return value >= 1 && value <= 8;
}
