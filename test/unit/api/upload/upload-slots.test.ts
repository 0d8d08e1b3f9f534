import { expect, it } from 'vitest';
import { UploadSlots } from '../../../../src/api/upload/form-body.ts';

const overloaded = { code: 'server_overloaded', retryAfterSeconds: 5 };

function openSlots(limits: ConstructorParameters<typeof UploadSlots>[0]) {
  const slots = new UploadSlots(limits);
  const ends: (() => void)[] = [];
  const hold = (accountId: string, keyId = `key of ${accountId}`) =>
    slots.use({ accountId, keyId }, () => new Promise<void>((resolve) => ends.push(resolve)));
  return { slots, hold, end: () => ends.shift()?.() };
}

it('refuses more files at a time than a key may have, and takes them when others are done', async () => {
  const { slots, hold, end } = openSlots({ perKey: 2, all: 16 });
  const held = [hold('a'), hold('a')];
  await expect(hold('a')).rejects.toMatchObject(overloaded);
  held.push(hold('a', 'another key'));
  end();
  await held[0];
  held.push(hold('a'));
  for (const _ of held) end();
  await Promise.all(held);
  const uploader = { accountId: 'a', keyId: 'k' };
  await expect(slots.use(uploader, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await slots.use(uploader, () => Promise.resolve(1))).toBe(1);
});

it('leaves slots for other accounts, however many keys one has', async () => {
  const { hold, end } = openSlots({ perKey: 2, all: 8 });
  const held = Array.from({ length: 4 }, (_, index) => hold('a', `key ${index}`));
  await expect(hold('a', 'key 5')).rejects.toMatchObject(overloaded);
  held.push(hold('b'), hold('b'), hold('c'));
  for (const _ of held) end();
  await Promise.all(held);
});
