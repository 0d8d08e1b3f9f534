import type { ByteReader } from './byte-reader.ts';
import type { PictureHeader } from './picture-header.ts';

/** The size of the canvas on which the GIF's frames stand. */
export function readGifHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  return { widthPixels: reader.short(6, true), heightPixels: reader.short(8, true), orientation: 1 };
}
