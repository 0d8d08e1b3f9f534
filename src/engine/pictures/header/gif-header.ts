import type { ByteReader } from './byte-reader.ts';
import type { PictureHeader } from './picture-header.ts';

/** What the GIF says about the canvas on which its frames stand. */
export function readGifHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  return { widthPixels: reader.short(6, true), heightPixels: reader.short(8, true), orientation: 1 };
}
