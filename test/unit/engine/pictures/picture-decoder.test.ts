import { crc32, deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/errors/errors.ts';
import type { DecodedPicture } from '../../../../src/engine/pictures/decode-file.ts';
import { PictureDecoder } from '../../../../src/engine/pictures/picture-decoder.ts';
import { damagedFiles } from '../../../support/audio/damaged-files.ts';
import { silentLog } from '../../../support/models/native-model.ts';
import { pictureFile, pictureNames } from '../../../support/pictures/pictures.ts';

const decoder = new PictureDecoder(silentLog);
afterAll(() => decoder.close());

const decode = (file: Uint8Array): Promise<DecodedPicture> =>
  decoder.decode(file, new AbortController().signal, { param: 'messages[0]' });

async function refusalOf(file: Uint8Array): Promise<AppError> {
  const error: unknown = await decode(file).catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error('it was not refused', { cause: error });
  return error;
}

const colours = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  white: [255, 255, 255],
};

/** The colours in the middle of the four quarters, row by row. */
function quarters({ widthPixels, heightPixels, rgb }: DecodedPicture): string[] {
  const middles = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x, y] as const));
  return middles.map(([x, y]) => {
    const at = (Math.floor(heightPixels * y) * widthPixels + Math.floor(widthPixels * x)) * 3;
    const near = Object.entries(colours).find(([, colour]) =>
      colour.every((part, index) => Math.abs(part - (rgb[at + index] ?? 0)) < 16),
    );
    return near?.[0] ?? rgb.subarray(at, at + 3).join();
  });
}

const upright = ['red', 'green', 'blue', 'yellow'];
const coloured = pictureNames.filter((name) => !/^(?:exif6|alpha|grey16)/.test(name));

describe('PictureDecoder', () => {
  it.each(coloured)('decodes %s', async (name) => {
    const picture = await decode(pictureFile(name));
    expect(picture).toMatchObject({ widthPixels: 24, heightPixels: 16 });
    expect(picture.rgb).toHaveLength(24 * 16 * 3);
    expect(quarters(picture)).toEqual(upright);
  });

  it('takes the upper eight of sixteen bits', async () => {
    const { rgb } = await decode(pictureFile('grey16.png'));
    // The brightness of red, and of yellow.
    expect([...rgb.subarray(0, 3), ...rgb.subarray(-3)]).toEqual([76, 76, 76, 226, 226, 226]);
  });

  it.each(['alpha.png', 'alpha.webp'] as const)(
    'puts white behind what is transparent in %s',
    async (name) => {
      expect(quarters(await decode(pictureFile(name)))).toEqual(['white', 'green', 'white', 'yellow']);
    },
  );

  it.each(['exif6.jpg', 'exif6.png', 'exif6.webp'] as const)('puts %s upright', async (name) => {
    const picture = await decode(pictureFile(name));
    expect(picture).toMatchObject({ widthPixels: 16, heightPixels: 24 });
    expect(quarters(picture)).toEqual(['blue', 'red', 'yellow', 'green']);
  });

  it.each([
    [2, ['green', 'red', 'yellow', 'blue']],
    [3, ['yellow', 'blue', 'green', 'red']],
    [4, ['blue', 'yellow', 'red', 'green']],
    [5, ['red', 'blue', 'green', 'yellow']],
    [7, ['yellow', 'green', 'blue', 'red']],
    [8, ['green', 'yellow', 'red', 'blue']],
    [9, upright],
  ])('knows the orientation %i', async (orientation, shown) => {
    const file = pictureFile('exif6.jpg');
    // The tag, its type and the count of values, in the order of bytes of a big machine.
    const tag = Buffer.from([1, 0x12, 0, 3, 0, 0, 0, 1]);
    file[Buffer.from(file).indexOf(tag) + tag.length + 1] = orientation;
    expect(quarters(await decode(file))).toEqual(shown);
  });

  it.each([
    ['no picture', Buffer.from('hello'), 'The file is no picture'],
    ['half a PNG', pictureFile('rgb.png').slice(0, 70), 'The PNG picture is damaged, cut off'],
    ['half a JPEG', pictureFile('base.jpg').slice(0, 640), 'The JPEG picture is damaged, cut off'],
    ['half a WebP', pictureFile('lossy.webp').slice(0, 64), 'The WebP picture is cut off'],
    ['half a GIF', pictureFile('inter.gif').slice(0, 64), 'The GIF picture is damaged, cut off'],
    ['half a BMP', pictureFile('palette.bmp').slice(0, 1100), 'The BMP picture is damaged, cut off'],
  ])('refuses %s and says what is taken', async (_what, file, reason) => {
    const { code, param, message, status } = await refusalOf(file);
    expect({ code, param, status }).toEqual({ code: 'invalid_image', param: 'messages[0]', status: 400 });
    expect(message).toContain(reason);
    expect(message).toContain('Send a picture in PNG, JPEG, WebP, GIF or BMP');
  });

  it('reads no more of a PNG than its pixels', async () => {
    const png = Buffer.from(pictureFile('rgb.png'));
    const pixelsAt = png.indexOf('IDAT') - 4;
    const data = Buffer.concat([Buffer.from('IDAT'), deflateSync(Buffer.alloc(2 ** 28), { level: 1 })]);
    const [length, checksum] = [data.length - 4, crc32(data)].map((number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(number);
      return bytes;
    });
    const end = png.subarray(png.indexOf('IEND') - 4);
    const bomb = Buffer.concat([png.subarray(0, pixelsAt), length ?? png, data, checksum ?? png, end]);
    expect(await decode(bomb)).toMatchObject({ widthPixels: 24, heightPixels: 16 });
  });

  it('decodes or refuses whatever is damaged, and decodes the next one', { timeout: 60_000 }, async () => {
    const good = pictureNames.map((name) => ({ name, bytes: pictureFile(name) }));
    for (const { bytes } of damagedFiles(good, 100, 7)) {
      const error: unknown = await decode(bytes).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) expect(error).toMatchObject({ code: 'invalid_image' });
    }
    expect(quarters(await decode(pictureFile('rgb.png')))).toEqual(upright);
  });

  it('leaves off when the client leaves', async () => {
    const leaving = new AbortController();
    const decoding = decoder.decode(pictureFile('rgb.png'), leaving.signal);
    leaving.abort(new Error('left'));
    await expect(decoding).rejects.toThrow('left');
  });
});
