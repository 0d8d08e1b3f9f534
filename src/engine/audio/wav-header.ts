const headerBytes = 44;
const sampleBytes = 2;
/** The length of a file that is written while it is sent: readers take everything that follows. */
const unknownLength = 0xffff_ffff;

/** The beginning of a WAV file of mono 16-bit samples, little-endian; without `dataBytes` its length is not known. */
export function wavHeader(sampleRateHz: number, dataBytes?: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes === undefined ? unknownLength : headerBytes - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * sampleBytes, 28);
  header.writeUInt16LE(sampleBytes, 32);
  header.writeUInt16LE(8 * sampleBytes, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes ?? unknownLength, 40);
  return header;
}
