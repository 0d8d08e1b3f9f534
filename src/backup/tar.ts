import { readSync, writeSync } from 'node:fs';

/** A file in an archive. */
export interface TarEntry {
  readonly name: string;
  readonly sizeBytes: number;
  /** Where its bytes begin. */
  readonly offset: number;
}

const blockBytes = 512;
/** Sizes from here on have more octal digits than fit; the field then holds a binary number and says so by a bit. */
const octalLimitBytes = 8 ** 11;
const binaryMark = 0x80;
const checksumField = { start: 148, end: 156 };

/** The header of a file in a tar archive (POSIX ustar) that only its owner can read. */
export function tarHeader(name: string, sizeBytes: number, timeMs: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0, 100, 'utf8');
  header.write(octal(0o600, 7), 100, 'latin1');
  header.write(octal(0, 7), 108, 'latin1');
  header.write(octal(0, 7), 116, 'latin1');
  if (sizeBytes < octalLimitBytes) header.write(octal(sizeBytes, 11), 124, 'latin1');
  else {
    header[124] = binaryMark;
    header.writeBigUInt64BE(BigInt(sizeBytes), 128);
  }
  header.write(octal(Math.floor(timeMs / 1000), 11), 136, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, checksumField.start, 'latin1');
  return header;
}

/** The zeros that fill the last block of a file of this size. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

/** Ends an archive. */
export function writeTarEnd(descriptor: number): void {
  writeSync(descriptor, Buffer.alloc(2 * blockBytes));
}

/** The name of an archive's first file; undefined where this is no archive, or is damaged there. */
export function firstNameInTar(descriptor: number): string | undefined {
  const header = Buffer.alloc(blockBytes);
  const read = readSync(descriptor, header, 0, blockBytes, 0);
  return read === blockBytes && isHeader(header) ? textAt(header, 0, 100) : undefined;
}

/** The files in an archive of `archiveBytes`, in their order. Throws RangeError where it is none or is cut off. */
export function listTar(descriptor: number, archiveBytes: number): TarEntry[] {
  const entries: TarEntry[] = [];
  const header = Buffer.alloc(blockBytes);
  for (let position = 0; ;) {
    if (readSync(descriptor, header, 0, blockBytes, position) < blockBytes)
      throw new RangeError('its end is missing');
    if (header.every((byte) => byte === 0)) return entries;
    if (!isHeader(header)) throw new RangeError('it has a damaged header');
    const entry = { name: textAt(header, 0, 100), sizeBytes: sizeIn(header), offset: position + blockBytes };
    const endsAt = entry.offset + entry.sizeBytes;
    if (!Number.isSafeInteger(endsAt) || endsAt > archiveBytes) throw new RangeError('its end is missing');
    entries.push(entry);
    position = endsAt + tarPadding(entry.sizeBytes).length;
  }
}

const isHeader = (block: Buffer): boolean =>
  Number.parseInt(textAt(block, checksumField.start, checksumField.end), 8) === checksumOf(block);

/** The sum of a header's bytes, those of its own checksum counted as spaces. */
function checksumOf(header: Buffer): number {
  const spaces = (checksumField.end - checksumField.start) * 0x20;
  const counted = [header.subarray(0, checksumField.start), header.subarray(checksumField.end)];
  return counted.reduce((sum, part) => part.reduce((total, byte) => total + byte, sum), spaces);
}

function sizeIn(header: Buffer): number {
  if (header[124] === binaryMark) return Number(header.readBigUInt64BE(128));
  const size = Number.parseInt(textAt(header, 124, 136), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError('a size in it cannot be read');
  return size;
}

/** The text of a field, up to its first zero. */
function textAt(header: Buffer, start: number, end: number): string {
  const field = header.subarray(start, end);
  const zero = field.indexOf(0);
  return field.toString('utf8', 0, zero === -1 ? field.length : zero);
}
