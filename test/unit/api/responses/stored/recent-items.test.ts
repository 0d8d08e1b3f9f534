import { expect, it } from 'vitest';
import { RecentItems } from '../../../../../src/api/responses/stored/response-keeper.ts';

const hourMs = 3_600_000;

it('finds an item for an hour, for its account only', () => {
  const items = new RecentItems();
  items.add('a', [{ id: 'msg_1', json: '{}' }], 0);
  expect(items.find('a', 'msg_1', hourMs - 1)).toMatchObject({ id: 'msg_1', json: '{}' });
  expect(items.find('a', 'msg_1', hourMs)).toBeUndefined();
  expect(items.find('b', 'msg_1', 0)).toBeUndefined();
});

it('forgets the oldest rather than grow without end', () => {
  const items = new RecentItems();
  const json = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 40; count++) items.add('a', [{ id: `msg_${count}`, json }], count);
  const kept = Array.from({ length: 40 }, (_, at) => at).filter((at) => items.find('a', `msg_${at}`, 40));
  expect(kept).toEqual(Array.from({ length: 16 }, (_, at) => 24 + at));
});
