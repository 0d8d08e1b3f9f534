import { ByteReader } from './byte-reader.ts';
import { readJpegHeader } from './jpeg-header.ts';
import {
  PictureError,
  pictureLimits,
  takenFormats,
  type PictureFormat,
  type PictureHeader,
  type Orientation,
} from './picture-header.ts';
import { readWebpHeader } from './webp-header.ts';
import { readOrientation } from './orientation.ts';

interface FormatReader {
  readonly format: PictureFormat;
  /** The first bytes of such files; a dot is any byte. */
  readonly signature: RegExp;
  /** Throws RangeError where the file ends too soon, and PictureError. */
  readonly read: (reader: ByteReader) => Omit<PictureHeader, 'format'>;
}

const readers: readonly FormatReader[] = [
  { format: 'PNG', signature: /^\x89PNG\r\n/, read: readPngHeader },
  { format: 'JPEG', signature: /^\xff\xd8\xff/, read: readJpegHeader },
  { format: 'WebP', signature: /^RIFF.{4}WEBP/s, read: readWebpHeader },
  { format: 'GIF', signature: /^GIF8[79]a/, read: readGifHeader },
  { format: 'BMP', signature: /^BM/, read: readBmpHeader },
];
const signatureBytes = 12;
const bmpHeaderAt = 14;
/** The length of OS/2's header, which has shorter fields. */
const bmpCoreBytes = 12;

/**
 * The header of the picture in `file`, which has at most `pictureLimits`. Little work, whatever the file holds. Throws
 * PictureError.
 */
export function readPictureHeader(file: Uint8Array): PictureHeader {
  if (file.length > pictureLimits.fileBytes)
    throw new PictureError(`The picture has more than ${pictureLimits.fileBytes / 2 ** 20} MiB`);
  const start = Buffer.from(file.subarray(0, signatureBytes)).toString('latin1');
  const reader = readers.find(({ signature }) => signature.test(start));
  if (reader === undefined) throw new PictureError(`The file is no picture in ${takenFormats}`);
  const { format } = reader;
  const header = { format, ...readWhole(reader, file) };
  const { widthPixels, heightPixels } = header;
  if (widthPixels < 1 || heightPixels < 1) throw new PictureError(`The ${format} picture has no pixels`);
  if (widthPixels * heightPixels > pictureLimits.pixels) {
    const size = `${widthPixels} × ${heightPixels} pixels`;
    throw new PictureError(
      `The picture has ${size}, and at most ${pictureLimits.pixels / 1e6} megapixels are taken`,
    );
  }
  return header;
}

function readWhole({ format, read }: FormatReader, file: Uint8Array): Omit<PictureHeader, 'format'> {
  try {
    return read(new ByteReader(file));
  } catch (error) {
    if (error instanceof RangeError) throw new PictureError(`The ${format} picture is cut off`);
    throw error;
  }
}

/** The size of the canvas on which the GIF's frames stand. */
function readGifHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  return { widthPixels: reader.short(6, true), heightPixels: reader.short(8, true), orientation: 1 };
}

/** The size in the BMP's second header. A negative height means that its rows begin at the top. */
function readBmpHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  const isCore = reader.long(bmpHeaderAt, true) === bmpCoreBytes;
  return {
    widthPixels: isCore ? reader.short(bmpHeaderAt + 4, true) : reader.signedLong(bmpHeaderAt + 4),
    heightPixels: isCore ? reader.short(bmpHeaderAt + 6, true) : Math.abs(reader.signedLong(bmpHeaderAt + 8)),
    orientation: 1,
  };
}

const firstPngChunkAt = 8;
/** Length and name before a chunk's data, and a checksum behind it. */
const pngChunkFrameBytes = 12;
/** Real files have a handful of chunks before the pixels. */
const mostPngChunks = 1024;

/** The size in the PNG's first chunk, and its EXIF chunk, which stands before the pixels. */
function readPngHeader(reader: ByteReader): Omit<PictureHeader, 'format'> {
  if (reader.text(firstPngChunkAt + 4, 4) !== 'IHDR')
    throw new PictureError('The PNG picture does not begin with its size');
  return {
    widthPixels: reader.long(16, false),
    heightPixels: reader.long(20, false),
    orientation: findPngOrientation(reader),
  };
}

function findPngOrientation(reader: ByteReader): Orientation {
  let at = firstPngChunkAt;
  for (let index = 0; index < mostPngChunks; index++) {
    const length = reader.long(at, false);
    const name = reader.text(at + 4, 4);
    if (name === 'eXIf') return readOrientation(reader.part(at + 8, length));
    if (name === 'IDAT') return 1;
    at += length + pngChunkFrameBytes;
  }
  return 1;
}
