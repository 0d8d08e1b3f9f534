import { createRequire } from 'node:module';
import type * as Photon from '@silvia-odwyer/photon-node';
import { PictureError, type PictureFormat, type Orientation } from './header/picture-header.ts';
import { readPictureHeader } from './header/read-header.ts';

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

/** Pixels row by row, from the top left. */
interface Pixels {
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const rgbaBytes = 4;
const rgbBytes = 3;
const opaque = 255;

/** `rgba`, four bytes a pixel, as it is to be seen: three bytes a pixel, upright, and white where it is transparent. */
function toVisiblePixels(rgba: Pixels, orientation: Orientation): Pixels {
  const { widthPixels, heightPixels, bytes: source } = rgba;
  // Orientations from 5 on swap rows and columns.
  const isTurned = orientation >= 5;
  const [width, height] = isTurned ? [heightPixels, widthPixels] : [widthPixels, heightPixels];
  const { start, perColumn, perRow } = wayThrough(orientation, widthPixels, heightPixels);
  const bytes = new Uint8Array(width * height * rgbBytes);
  let to = 0;
  for (let row = 0; row < height; row++) {
    let from = (start + row * perRow) * rgbaBytes;
    for (let column = 0; column < width; column++) {
      const alpha = source[from + 3] ?? 0;
      bytes[to] = overWhite(source[from] ?? 0, alpha);
      bytes[to + 1] = overWhite(source[from + 1] ?? 0, alpha);
      bytes[to + 2] = overWhite(source[from + 2] ?? 0, alpha);
      to += rgbBytes;
      from += perColumn * rgbaBytes;
    }
  }
  return { widthPixels: width, heightPixels: height, bytes };
}

/** A colour that is seen before a white background. */
function overWhite(colour: number, alpha: number): number {
  return alpha === opaque ? colour : Math.round((colour * alpha + opaque * (opaque - alpha)) / opaque);
}

/** Which stored pixel is shown at the top left, and how many pixels further the next one in the row and column is. */
function wayThrough(
  orientation: Orientation,
  width: number,
  height: number,
): { readonly start: number; readonly perColumn: number; readonly perRow: number } {
  const [right, bottom] = [width - 1, (height - 1) * width];
  switch (orientation) {
    case 1:
      return { start: 0, perColumn: 1, perRow: width };
    case 2:
      return { start: right, perColumn: -1, perRow: width };
    case 3:
      return { start: right + bottom, perColumn: -1, perRow: -width };
    case 4:
      return { start: bottom, perColumn: 1, perRow: -width };
    case 5:
      return { start: 0, perColumn: width, perRow: 1 };
    case 6:
      return { start: bottom, perColumn: -width, perRow: 1 };
    case 7:
      return { start: right + bottom, perColumn: -width, perRow: -1 };
    case 8:
      return { start: right, perColumn: width, perRow: -1 };
  }
}
