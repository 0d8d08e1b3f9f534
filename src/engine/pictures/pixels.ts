import type { Orientation } from './header/picture-header.ts';

/** Pixels row by row, from the top left. */
export interface Pixels {
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const rgbaBytes = 4;
const rgbBytes = 3;
const opaque = 255;

/** `rgba`, four bytes a pixel, as it is to be seen: three bytes a pixel, upright, and white where it is transparent. */
export function toVisiblePixels(rgba: Pixels, orientation: Orientation): Pixels {
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
