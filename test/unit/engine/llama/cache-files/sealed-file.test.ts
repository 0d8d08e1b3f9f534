import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  readSealed,
  sealFile,
  type CacheDescription,
} from '../../../../../src/engine/llama/cache-files/sealed-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-sealed-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = join(folder, 'file');
const secret = Buffer.from('a secret of the server');
const description: CacheDescription = {
  accountId: 'acct_1',
  layout: 'a layout',
  tokens: 3,
  stateBytes: 200,
  checkpoints: [[2, 88]],
};
const content = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));

beforeEach(async () => {
  await writeFile(file, content);
  await sealFile(file, description, secret);
});

/** A file whose seal is right, whatever stands before it. */
async function writeSealedBytes(...parts: readonly Uint8Array[]): Promise<void> {
  const bytes = Buffer.concat(parts);
  await writeFile(file, Buffer.concat([bytes, createHmac('sha256', secret).update(bytes).digest()]));
}

const uint32 = (number: number) => Buffer.from(Uint32Array.of(number).buffer);

describe('a sealed file', () => {
  it('tells its description, and begins with what was in it before', async () => {
    expect(await readSealed(file, secret)).toEqual(description);
    expect((await readFile(file)).subarray(0, content.length)).toEqual(content);
  });

  it('has the size that sealing gave back, be it larger than what is hashed at once', async () => {
    await writeFile(file, Buffer.alloc(3 * 2 ** 20 + 5, 7));
    const bytes = await sealFile(file, description, secret);
    expect((await readFile(file)).length).toBe(bytes);
    expect(await readSealed(file, secret)).toEqual(description);
  });

  it('is refused with any of its bytes changed', async () => {
    const sealed = await readFile(file);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
      await writeFile(file, changed);
      expect(await readSealed(file, secret), `byte ${at}`).toBeUndefined();
    }
  });

  it('is refused when it is shorter or longer than it was', async () => {
    const sealed = await readFile(file);
    for (const length of [0, 1, 31, 32, 35, 36, 37, sealed.length - 1]) {
      await writeFile(file, sealed.subarray(0, length));
      expect(await readSealed(file, secret), `${length} bytes`).toBeUndefined();
    }
    await writeFile(file, Buffer.concat([sealed, Buffer.alloc(1)]));
    expect(await readSealed(file, secret)).toBeUndefined();
  });

  it('is refused by a server with another secret', async () => {
    expect(await readSealed(file, Buffer.from('another secret'))).toBeUndefined();
  });

  it('is refused where the description is none or longer than the file, even under the right seal', async () => {
    await writeSealedBytes(content, uint32(0xffff_ffff));
    expect(await readSealed(file, secret)).toBeUndefined();
    await writeSealedBytes(uint32(1));
    expect(await readSealed(file, secret)).toBeUndefined();
    for (const text of ['no JSON', '{"accountId":1,"layout":"a"}', 'null', '{}']) {
      await writeSealedBytes(content, Buffer.from(text), uint32(text.length));
      expect(await readSealed(file, secret), text).toBeUndefined();
    }
    const text = JSON.stringify(description);
    await writeSealedBytes(content, Buffer.from(text), uint32(text.length));
    expect(await readSealed(file, secret)).toEqual(description);
  });
});
