/** Simple drawings as BMP files, such as the demo model tells apart. */

type Rgb = readonly [number, number, number];
type Point = readonly [number, number];

/** Covers a part of the sheet; places and sizes are shares of its side, from the top left. */
interface Mark {
  readonly rgb: Rgb;
  readonly covers: (x: number, y: number) => boolean;
}

export const colours = {
  black: [0, 0, 0],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
} as const satisfies Record<string, Rgb>;

const white: Rgb = [255, 255, 255];
const sidePx = 256;

export function disc(rgb: Rgb, [cx, cy]: Point, radius: number): Mark {
  return { rgb, covers: (x, y) => Math.hypot(x - cx, y - cy) < radius };
}

export function box(rgb: Rgb, [left, top]: Point, [right, bottom]: Point): Mark {
  return { rgb, covers: (x, y) => x >= left && x < right && y >= top && y < bottom };
}

/** A line as the page's drawing pad draws it. */
export function line(rgb: Rgb, points: readonly Point[], width = 8 / 512): Mark {
  const parts = points.slice(1).map((end, index): [Point, Point] => [points[index] ?? end, end]);
  return { rgb, covers: (x, y) => parts.some((part) => distance([x, y], ...part) < width / 2) };
}

function distance([x, y]: Point, [x0, y0]: Point, [x1, y1]: Point): number {
  const [width, height] = [x1 - x0, y1 - y0];
  const along = ((x - x0) * width + (y - y0) * height) / Math.max(1e-9, width ** 2 + height ** 2);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x0 - share * width, y - y0 - share * height);
}

/** A white sheet with the marks on it, later ones on top. */
export function drawing(...marks: readonly Mark[]): Buffer {
  const headerBytes = 54;
  const file = Buffer.alloc(headerBytes + sidePx * sidePx * 3);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(headerBytes, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(sidePx, 18);
  // Negative: the first row is the top one.
  file.writeInt32LE(-sidePx, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let row = 0; row < sidePx; row++)
    for (let column = 0; column < sidePx; column++) {
      const [x, y] = [(column + 0.5) / sidePx, (row + 0.5) / sidePx];
      const [red, green, blue] = marks.findLast(({ covers }) => covers(x, y))?.rgb ?? white;
      file.set([blue, green, red], headerBytes + (row * sidePx + column) * 3);
    }
  return file;
}

export function toDataUrl(file: Buffer): string {
  return `data:image/bmp;base64,${file.toString('base64')}`;
}
