import { describe, expect, it } from 'vitest';
import { PictureError } from '../../../../src/engine/pictures/header/picture-header.ts';
import { readPictureHeader } from '../../../../src/engine/pictures/header/read-header.ts';
import { pictureFile, pictureNames } from '../../../support/pictures/pictures.ts';
import { damagedFiles } from '../../../support/audio/damaged-files.ts';
import { processorMs } from '../../../support/watch/processor-time.ts';

const formats = { png: 'PNG', jpg: 'JPEG', webp: 'WebP', gif: 'GIF', bmp: 'BMP' };

/** The file with bytes of it replaced. */
function patched(
  file: Uint8Array,
  ...changes: readonly (readonly [at: number, bytes: number[]])[]
): Uint8Array {
  const copy = Uint8Array.from(file);
  for (const [at, bytes] of changes) copy.set(bytes, at);
  return copy;
}

describe('readPictureHeader', () => {
  it.each(pictureNames)('reads the size and the orientation of %s', (name) => {
    expect(readPictureHeader(pictureFile(name))).toEqual({
      format: formats[name.split('.')[1] as keyof typeof formats],
      widthPixels: 24,
      heightPixels: 16,
      orientation: name.startsWith('exif6') ? 6 : 1,
    });
  });

  it.each([
    ['PNG', patched(pictureFile('rgb.png'), [16, [0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]]), '100000 × 100000'],
    ['GIF', patched(pictureFile('anim.gif'), [6, [0xff, 0xff, 0xff, 0xff]]), '65535 × 65535'],
    ['WebP', patched(pictureFile('alpha.webp'), [21, [0xff, 0xff, 0xff, 0x0f]]), '16384 × 16384'],
    [
      'BMP',
      patched(pictureFile('palette.bmp'), [18, [0xa0, 0x86, 1, 0, 0xa0, 0x86, 1, 0]]),
      '100000 × 100000',
    ],
  ])('refuses a %s of more pixels than are taken', (_format, file, size) => {
    expect(() => readPictureHeader(file)).toThrow(
      `The picture has ${size} pixels, and at most 64 megapixels`,
    );
  });

  it('refuses a BMP of negative width, and takes one whose rows begin at the top', () => {
    const bmp = pictureFile('palette.bmp');
    expect(() => readPictureHeader(patched(bmp, [18, [0xff, 0xff, 0xff, 0xff]]))).toThrow('has no pixels');
    expect(readPictureHeader(patched(bmp, [22, [0xf0, 0xff, 0xff, 0xff]])).heightPixels).toBe(16);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a document', Buffer.from('%PDF-1.7')],
  ])('refuses %s', (_what, file) => {
    expect(() => readPictureHeader(file)).toThrow('The file is no picture in PNG, JPEG, WebP, GIF or BMP');
  });

  it('refuses a file of more than 20 MiB without looking into it', () => {
    expect(() => readPictureHeader(new Uint8Array(20 * 2 ** 20 + 1))).toThrow('more than 20 MiB');
  });

  it('takes padding before the segments of a JPEG, and gives up where it comes to no end', () => {
    const jpeg = pictureFile('base.jpg');
    const padded = (bytes: number) =>
      Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(bytes, 0xff), jpeg.subarray(2)]);
    expect(readPictureHeader(padded(1000))).toEqual(readPictureHeader(jpeg));
    expect(() => readPictureHeader(padded(10_000))).toThrow('does not say its size');
  });

  it('reads any damaged header soon, or says what is wrong with it', () => {
    const good = pictureNames.map((name) => ({ name, bytes: pictureFile(name) }));
    for (const { bytes } of damagedFiles(good, 2000, 1)) {
      const startedAt = processorMs();
      try {
        readPictureHeader(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(PictureError);
      }
      expect(processorMs() - startedAt).toBeLessThan(1000);
    }
  });
});
