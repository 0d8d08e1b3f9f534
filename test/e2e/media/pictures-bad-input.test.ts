import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeingFamilies } from '../../../scripts/compare/pictures/families.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { damagedFiles } from '../../support/audio/damaged-files.ts';
import { pictureFile, pictureNames } from '../../support/pictures/pictures.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel, tinyProjector } from '../../support/models/tiny-model.ts';

const { model, projector } = seeingFamilies.gemma3;
const good = pictureFile('rgb.png');
let server: RunningServer;
let goodAnswer: string | null | undefined;

beforeAll(async () => {
  const blind = { id: 'blind', source: await tinyModel(model), projector: undefined, threads: 1 };
  const seeing = { ...blind, id: 'seeing', projector: await tinyProjector(projector) };
  server = await startServer({ modelsDirs: [], config: { models: [blind, seeing] } });
  goodAnswer = await answerOf(good);
});
afterAll(() => server.stop());

const part = (url: string) => ({ type: 'image_url' as const, image_url: { url } });
const dataUrl = (file: Uint8Array) => `data:image/png;base64,${Buffer.from(file).toString('base64')}`;

async function ask(content: ReturnType<typeof part>[], id = 'seeing') {
  return await openClient(server).chat.completions.create({
    model: id,
    messages: [{ role: 'user', content }],
    temperature: 0,
    max_tokens: 4,
  });
}

async function answerOf(file: Uint8Array): Promise<string | null | undefined> {
  const { choices } = await ask([part(dataUrl(file))]);
  return choices[0]?.message.content;
}

/** The good picture, with another size in its head. */
function ofSize(widthPixels: number, heightPixels: number): Buffer {
  const file = Buffer.from(good);
  file.writeUInt32BE(widthPixels, 16);
  file.writeUInt32BE(heightPixels, 20);
  return file;
}

describe.runIf(hasMedia)('a picture that does harm is refused, and nothing else is harmed', () => {
  it.each([
    ['is none', Buffer.from('no picture at all')],
    ['is empty', Buffer.alloc(0)],
    ['is cut off', good.subarray(0, good.length / 2)],
    ['says it has ten billion pixels', ofSize(100_000, 100_000)],
    ['is larger than may be', Buffer.concat([good, Buffer.alloc(21 * 2 ** 20)])],
  ])('one that %s', async (_, file) => {
    const asked = ask([part(dataUrl(file))]);
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'invalid_image' });
    expect(await answerOf(good)).toBe(goodAnswer);
  });

  it('files of every format, damaged in many ways', { timeout: 120_000 }, async () => {
    const files = pictureNames.map((name) => ({ name, bytes: pictureFile(name) }));
    for (const { name, bytes } of damagedFiles(files, 2 * files.length, 3)) {
      const outcome = await answerOf(bytes).then(
        () => 'answered',
        ({ code }: { code: string }) => code,
      );
      expect(['answered', 'invalid_image'], name).toContain(outcome);
    }
    expect(await answerOf(good)).toBe(goodAnswer);
  });

  it('200 in one request', async () => {
    const asked = ask(Array.from({ length: 200 }, () => part(dataUrl(good))));
    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('32') as string,
    });
  });

  it('for a model that does not see, and named is one that does', async () => {
    await expect(ask([part(dataUrl(good))], 'blind')).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_content',
      message: expect.stringContaining("'seeing'") as string,
    });
  });

  it('at an address, where the operator allows none', async () => {
    await expect(ask([part('http://169.254.169.254/latest')])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('imageUrls') as string,
    });
  });
});
