import { expect, it } from 'vitest';
import { UploadSlots } from '../../../src/api/audio-transcriptions/upload-slots.ts';

it('refuses more files at a time than a key, and all keys, may have, and takes them when others are done', async () => {
  const slots = new UploadSlots({ perKey: 2, all: 3 });
  const open: (() => void)[] = [];
  const hold = (keyId: string) => slots.use(keyId, () => new Promise<void>((resolve) => open.push(resolve)));
  const overloaded = { code: 'server_overloaded', retryAfterSeconds: 5 };
  const held = [hold('a'), hold('a')];
  await expect(hold('a')).rejects.toMatchObject(overloaded);
  held.push(hold('b'));
  await expect(hold('b')).rejects.toMatchObject(overloaded);
  open[0]?.();
  await held[0];
  held.push(hold('b'));
  for (const release of open) release();
  await Promise.all(held);
  await expect(slots.use('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await slots.use('a', () => Promise.resolve(1))).toBe(1);
});
