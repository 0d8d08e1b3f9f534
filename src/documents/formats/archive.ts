import { unzipSync } from 'fflate';
import { DocumentError } from '../document-error.ts';

/** All that is unpacked of one archive: a small one may unfold to any size. */
const mostUnpackedBytes = 128 * 2 ** 20;

/** The files of a ZIP archive whose names `wants` says, by name. Throws DocumentError: it is damaged, or too large. */
export function unpack(
  archive: Uint8Array,
  wants: (name: string) => boolean,
): ReadonlyMap<string, Uint8Array> {
  let bytes = 0;
  try {
    const files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        if (!wants(name)) return false;
        bytes += originalSize;
        if (bytes > mostUnpackedBytes) throw new DocumentError('has more than can be unpacked');
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('is a damaged archive', { cause: error });
  }
}

export const isArchive = (bytes: Uint8Array) =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
