export type PictureFormat = 'PNG' | 'JPEG' | 'WebP' | 'GIF' | 'BMP';

/** How the stored rows and columns are to be shown, as EXIF numbers it: 1 is upright, 6 is lying on its left side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The facts of a picture before it is decoded. Sizes are as stored, before it is put upright. */
export interface PictureHeader {
  readonly format: PictureFormat;
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly orientation: Orientation;
}

/** A picture is not taken; the message is a sentence without its full stop. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

export const pictureLimits = { fileBytes: 20 * 2 ** 20, pixels: 64e6 };

/** The formats that are taken, for messages. */
export const takenFormats = 'PNG, JPEG, WebP, GIF or BMP';
