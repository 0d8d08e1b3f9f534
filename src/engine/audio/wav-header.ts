const headerBytes = 44;
const sampleBytes = 2;
/** The length of a file that is written while it is sent: readers take everything that follows. */
const unknownLength = 0xffff_ffff;

/** The beginning of a WAV file of mono 16-bit samples, little-endian; without `dataBytes` its length is not known. */
export function wavHeader(sampleRateHz: number, dataBytes?: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(headerBytes);
  const view = new DataView(header.buffer);
  const encoder = new TextEncoder();
  encoder.encodeInto('RIFF', header);
  view.setUint32(4, dataBytes === undefined ? unknownLength : headerBytes - 8 + dataBytes, true);
  encoder.encodeInto('WAVEfmt ', header.subarray(8));
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * sampleBytes, true);
  view.setUint16(32, sampleBytes, true);
  view.setUint16(34, 8 * sampleBytes, true);
  encoder.encodeInto('data', header.subarray(36));
  view.setUint32(40, dataBytes ?? unknownLength, true);
  return header;
}
