import type { ByteReader } from './byte-reader.ts';
import { readOrientation } from './orientation.ts';
import { PictureError, type Orientation, type PictureHeader } from './picture-header.ts';

const exifMarker = 0xe1;
const scanMarker = 0xda;
/** Markers of frames are 0xc0 to 0xcf, save those that begin tables. */
const tableMarkers: readonly number[] = [0xc4, 0xc8, 0xcc];
const paddingByte = 0xff;
/** Real files have some twenty segments before the pixels, and a few hundred with large colour profiles. */
const mostSteps = 4096;

/** The size in the frame of the JPEG, and the EXIF segment before it. */
export function readJpegHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  let orientation: Orientation = 1;
  let at = 2;
  // A step is a segment, or a byte of the padding that may stand before it.
  for (let step = 0; step < mostSteps; step++) {
    if (reader.byte(at) !== 0xff) break;
    const marker = reader.byte(at + 1);
    if (marker === paddingByte) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return {
        widthPixels: reader.short(at + 7, false),
        heightPixels: reader.short(at + 5, false),
        orientation,
      };
    if (marker === scanMarker) break;
    const length = reader.short(at + 2, false);
    if (marker === exifMarker && reader.text(at + 4, 4) === 'Exif')
      orientation = readOrientation(reader.part(at + 4, length - 2));
    at += 2 + length;
  }
  throw new PictureError('The JPEG picture does not say its size');
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !tableMarkers.includes(marker);
}
