export type WavEncoding = 'u8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'mu-law' | 'a-law';

export interface WavOptions {
  readonly encoding?: WavEncoding;
  readonly channels?: number;
  readonly rateHz?: number;
  /** The format code in an extension, as programs write it for more than two channels. */
  readonly extensible?: boolean;
}

const codes: Readonly<Record<WavEncoding, readonly [code: number, bytes: number]>> = {
  u8: [1, 1],
  s16: [1, 2],
  s24: [1, 3],
  s32: [1, 4],
  f32: [3, 4],
  f64: [3, 8],
  'a-law': [6, 1],
  'mu-law': [7, 1],
};

/** A WAV file of `samples`, -1..1, the same in each channel. */
export function writeWav(samples: Float32Array, options: WavOptions = {}): Buffer<ArrayBuffer> {
  const { encoding = 's16', channels = 1, rateHz = 16_000, extensible = false } = options;
  const [code, bytes] = codes[encoding];
  const data = Buffer.alloc(samples.length * channels * bytes);
  let offset = 0;
  for (const sample of samples) {
    for (let channel = 0; channel < channels; channel++, offset += bytes) {
      writeSample(data, offset, sample, encoding);
    }
  }
  const fmt = Buffer.alloc(extensible ? 40 : 16);
  fmt.writeUInt16LE(extensible ? 0xfffe : code, 0);
  fmt.writeUInt16LE(channels, 2);
  fmt.writeUInt32LE(rateHz, 4);
  fmt.writeUInt32LE(rateHz * channels * bytes, 8);
  fmt.writeUInt16LE(channels * bytes, 12);
  fmt.writeUInt16LE(bytes * 8, 14);
  if (extensible) {
    fmt.writeUInt16LE(22, 16);
    fmt.writeUInt16LE(code, 24);
  }
  const chunks = [chunk('LIST', Buffer.from('INFOodd')), chunk('fmt ', fmt), chunk('data', data)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
}

/** `seconds` of a sine. */
export function tone(frequencyHz: number, seconds: number, rateHz = 16_000, level = 0.5): Float32Array {
  const step = (2 * Math.PI * frequencyHz) / rateHz;
  return Float32Array.from(
    { length: Math.round(seconds * rateHz) },
    (_, index) => level * Math.sin(step * index),
  );
}

/** Root mean square; 0 for none. */
export function levelOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}

function chunk(id: string, content: Buffer): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

function writeSample(data: Buffer, offset: number, sample: number, encoding: WavEncoding): void {
  const signed = (bits: number): number =>
    Math.max(-(2 ** (bits - 1)), Math.min(2 ** (bits - 1) - 1, Math.round(sample * 2 ** (bits - 1))));
  switch (encoding) {
    case 'u8':
      return void data.writeUInt8(signed(8) + 128, offset);
    case 's16':
      return void data.writeInt16LE(signed(16), offset);
    case 's24':
      return void data.writeIntLE(signed(24), offset, 3);
    case 's32':
      return void data.writeInt32LE(signed(32), offset);
    case 'f32':
      return void data.writeFloatLE(sample, offset);
    case 'f64':
      return void data.writeDoubleLE(sample, offset);
    case 'mu-law':
      return void data.writeUInt8(toMuLaw(signed(16)), offset);
    case 'a-law':
      return void data.writeUInt8(toALaw(signed(16)), offset);
    default:
      encoding satisfies never;
  }
}

/** ITU-T G.711. */
function toMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

/** ITU-T G.711. */
function toALaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635);
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}
