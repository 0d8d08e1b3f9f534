import type { ByteReader } from './byte-reader.ts';
import type { PictureHeader } from './picture-header.ts';

const headerAt = 14;
/** The length of OS/2's header, which has shorter fields. */
const coreHeaderBytes = 12;

/** The size in the BMP's second header. A negative height means that its rows begin at the top. */
export function readBmpHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  const isCore = reader.long(headerAt, true) === coreHeaderBytes;
  return {
    widthPixels: isCore ? reader.short(headerAt + 4, true) : reader.signedLong(headerAt + 4),
    heightPixels: isCore ? reader.short(headerAt + 6, true) : Math.abs(reader.signedLong(headerAt + 8)),
    orientation: 1,
  };
}
