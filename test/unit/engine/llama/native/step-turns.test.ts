import { expect, it } from 'vitest';
import { Turns } from '../../../../../src/engine/llama/native/step-turns.ts';

it('lets one piece of work go after the other, failed ones too', async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<string>();
  const begun: number[] = [];
  const begin = (number: number, work: () => Promise<string>) =>
    turns.take(() => {
      begun.push(number);
      return work();
    });
  const results = [
    begin(1, () => first.promise),
    begin(2, () => Promise.reject(new Error('broken'))),
    begin(3, async () => 'third'),
  ];
  const settled = Promise.allSettled(results);
  await Promise.resolve();
  expect(begun).toEqual([1]);
  first.resolve('first');
  expect(await settled).toMatchObject([{ value: 'first' }, { status: 'rejected' }, { value: 'third' }]);
  expect(begun).toEqual([1, 2, 3]);
});
