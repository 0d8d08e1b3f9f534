import { RandomStream } from '../../../scripts/make/random-stream.ts';

/** A file that was one of the good ones before it was damaged. */
export interface DamagedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `count` files, each made from one of `good` by a random damage; the same `seed` gives the same ones. */
export function* damagedFiles(
  good: readonly DamagedFile[],
  count: number,
  seed: number,
): Generator<DamagedFile> {
  const random = new RandomStream(seed);
  const below = (limit: number): number => Math.floor(random.uniform() * limit);
  for (let index = 0; index < count; index++) {
    const original = good[index % good.length];
    const damage = damages[below(damages.length)];
    if (original === undefined || damage === undefined) return;
    yield { name: original.name, bytes: damage(Uint8Array.from(original.bytes), below) };
  }
}

type Damage = (bytes: Uint8Array<ArrayBuffer>, below: (limit: number) => number) => Uint8Array<ArrayBuffer>;

const extremes = [0x00, 0x01, 0x7f, 0x80, 0xff];
/** Where formats keep their tables and sizes. */
const headBytes = 512;

const damages: readonly Damage[] = [
  // Cut off.
  (bytes, below) => bytes.slice(0, below(bytes.length)),
  // Some bytes anywhere.
  (bytes, below) => overwrite(bytes, 1 + below(64), below, bytes.length),
  // A few bytes of the head.
  (bytes, below) => overwrite(bytes, 1 + below(4), below, Math.min(headBytes, bytes.length)),
  // All the same from somewhere in the head on.
  (bytes, below) => {
    bytes.fill(extremes[below(extremes.length)] ?? 0, below(Math.min(headBytes, bytes.length)));
    return bytes;
  },
  // A size in the head that is as large as can be, or none at all.
  (bytes, below) => {
    const at = below(Math.min(headBytes, bytes.length));
    bytes.fill(extremes[below(extremes.length)] ?? 0, at, at + 4);
    return bytes;
  },
  // A piece twice.
  (bytes, below) => {
    const [from, length] = [below(bytes.length), below(bytes.length)];
    return Uint8Array.from([...bytes.subarray(0, from + length), ...bytes.subarray(from)]);
  },
  // A piece missing.
  (bytes, below) => {
    const from = below(bytes.length);
    return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + 1 + below(4096))]);
  },
];

function overwrite(
  bytes: Uint8Array<ArrayBuffer>,
  times: number,
  below: (limit: number) => number,
  end: number,
): Uint8Array<ArrayBuffer> {
  for (let time = 0; time < times; time++) bytes[below(end)] = below(256);
  return bytes;
}
