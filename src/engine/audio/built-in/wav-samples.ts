import { wavSampleBytes, type WavEncoding } from '../wav-format.ts';

type ReadSample = (bytes: DataView, offset: number) => number;

const readers: Readonly<Record<WavEncoding, ReadSample>> = {
  'unsigned-8': (bytes, offset) => (bytes.getUint8(offset) - 128) / 128,
  'signed-16': (bytes, offset) => bytes.getInt16(offset, true) / 2 ** 15,
  'signed-24': (bytes, offset) =>
    (bytes.getUint16(offset, true) + bytes.getInt8(offset + 2) * 2 ** 16) / 2 ** 23,
  'signed-32': (bytes, offset) => bytes.getInt32(offset, true) / 2 ** 31,
  'float-32': (bytes, offset) => bytes.getFloat32(offset, true),
  'float-64': (bytes, offset) => bytes.getFloat64(offset, true),
  'a-law': (bytes, offset) => fromALaw(bytes.getUint8(offset)),
  'mu-law': (bytes, offset) => fromMuLaw(bytes.getUint8(offset)),
};

/** The mean of all channels, one value per whole frame in `bytes`. */
export function toMono(bytes: Uint8Array, encoding: WavEncoding, channels: number): Float32Array {
  const read = readers[encoding];
  const sampleBytes = wavSampleBytes[encoding];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mono = new Float32Array(Math.floor(bytes.byteLength / (sampleBytes * channels)));
  let offset = 0;
  for (let frame = 0; frame < mono.length; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += read(view, offset);
      offset += sampleBytes;
    }
    mono[frame] = sum / channels;
  }
  return mono;
}

/** ITU-T G.711: sign, three bits of exponent, four of mantissa, every bit inverted. */
function fromMuLaw(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return (bits & 0x80 ? -magnitude : magnitude) / 2 ** 15;
}

/** ITU-T G.711: the same, with every other bit inverted and no bias. */
function fromALaw(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits & 0x70) >> 4;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (bits & 0x80 ? magnitude : -magnitude) / 2 ** 15;
}
