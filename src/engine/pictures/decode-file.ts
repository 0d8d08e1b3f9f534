import { createRequire } from 'node:module';
import type * as Photon from '@silvia-odwyer/photon-node';
import { PictureError, type PictureFormat } from './header/picture-header.ts';
import { readPictureHeader } from './header/read-header.ts';
import { toVisiblePixels, type Pixels } from './pixels.ts';

/** A picture as projectors take it. */
export interface DecodedPicture {
  readonly widthPixels: number;
  readonly heightPixels: number;
  /** Three bytes a pixel, row by row, from the top left. */
  readonly rgb: Uint8Array<ArrayBuffer>;
}

export type DecodingOutcome =
  | { readonly kind: 'decoded'; readonly picture: DecodedPicture }
  /** The message is a sentence without its full stop. */
  | { readonly kind: 'refused'; readonly message: string };

const require = createRequire(import.meta.url);
const libraryPath = require.resolve('@silvia-odwyer/photon-node');

/** Decodes `file`, which may be made to do harm: to be called in a process of its own only. */
export function decodeFile(file: Uint8Array): DecodingOutcome {
  try {
    const { format, orientation, ...size } = readPictureHeader(file);
    const rgba = decodePixels(file, format);
    if (rgba.widthPixels !== size.widthPixels || rgba.heightPixels !== size.heightPixels)
      throw new PictureError(`The ${format} picture has another size than it says`);
    const { bytes: rgb, ...shown } = toVisiblePixels(rgba, orientation);
    return { kind: 'decoded', picture: { ...shown, rgb } };
  } catch (error) {
    if (error instanceof PictureError) return { kind: 'refused', message: error.message };
    throw error;
  }
}

/** The first frame, four bytes a pixel, as it is stored. */
function decodePixels(file: Uint8Array, format: PictureFormat): Pixels {
  // A fresh instance for every file: one that met a damaged file keeps its memory, and must not be used again. No
  // picture finds anything of the one before it either.
  delete require.cache[libraryPath];
  const { PhotonImage } = require(libraryPath) as typeof Photon;
  try {
    const image = PhotonImage.new_from_byteslice(file);
    const bytes = image.get_raw_pixels() as Uint8Array<ArrayBuffer>;
    return { widthPixels: image.get_width(), heightPixels: image.get_height(), bytes };
  } catch {
    // It does not say why.
    throw new PictureError(`The ${format} picture is damaged, cut off or of a rare kind`);
  }
}
