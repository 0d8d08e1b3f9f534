import type { ByteReader } from './byte-reader.ts';
import { readOrientation } from './orientation.ts';
import { PictureError, type Orientation, type PictureHeader } from './picture-header.ts';

const exifMarker = 0xe1;
const scanMarker = 0xda;
/** Markers of frames are 0xc0 to 0xcf, save those that begin tables. */
const tableMarkers: readonly number[] = [0xc4, 0xc8, 0xcc];
/** Real files have some twenty segments before the pixels, and a few hundred with large colour profiles. */
const mostSegments = 4096;

/** What the frame of the JPEG says, and the EXIF segment before it. */
export function readJpegHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  let orientation: Orientation = 1;
  let at = 2;
  for (let index = 0; index < mostSegments; index++) {
    while (reader.byte(at) === 0xff && reader.byte(at + 1) === 0xff) at += 1;
    if (reader.byte(at) !== 0xff) break;
    const marker = reader.byte(at + 1);
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
