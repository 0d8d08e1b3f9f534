import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ResponseRow } from '../../../../src/store/tables/response-table.ts';
import { openTempStore, type TempStore } from '../temp-store.ts';

let temp: TempStore;
beforeEach(() => {
  temp = openTempStore();
  for (const id of ['a', 'b'])
    temp.store.accounts.insert({ id, name: id, plan: 'unlimited', planSetAtMs: 0, createdAtMs: 0 });
});
afterEach(() => temp.dispose());

const row = (id: string, changes: Partial<ResponseRow> = {}): ResponseRow => ({
  id,
  accountId: 'a',
  previousId: null,
  createdAtMs: 0,
  expiresAtMs: 100,
  itemCount: 3,
  itemBytes: 6,
  json: '{}',
  ...changes,
});
const items = {
  input: [
    { id: 'msg_2', json: '[2]' },
    { id: 'msg_1', json: '[1]' },
  ],
  output: [{ id: 'msg_3', json: '[3]' }],
};

it('keeps a response with its items in their order, also when opened again', () => {
  temp.store.responses.insert(row('r'), items);
  const { responses } = temp.reopen();
  expect(responses.find('a', 'r', 0)).toEqual(row('r'));
  expect(responses.items('r', 'input')).toEqual(items.input);
  expect(responses.items('r', 'output')).toEqual(items.output);
  expect(responses.findItem('a', 'msg_3', 0)).toEqual(items.output[0]);
});

it('shows nothing to other accounts, and nothing that has expired', () => {
  const { responses } = temp.store;
  responses.insert(row('r'), items);
  for (const [account, nowMs] of [['b', 0], ['a', 100]] as const) {
    expect(responses.find(account, 'r', nowMs)).toBeUndefined();
    expect(responses.findItem(account, 'msg_1', nowMs)).toBeUndefined();
    expect(responses.delete(account, 'r', nowMs)).toBe(false);
  }
  expect(responses.find('a', 'r', 99)).toBeDefined();
}); // prettier-ignore

it('finds an item that several responses have until the last of them is gone', () => {
  const { responses } = temp.store;
  responses.insert(row('r'), items);
  responses.insert(row('s'), items);
  expect(responses.delete('a', 'r', 0)).toBe(true);
  expect(responses.findItem('a', 'msg_1', 0)).toBeDefined();
  expect(responses.delete('a', 's', 0)).toBe(true);
  expect(responses.findItem('a', 'msg_1', 0)).toBeUndefined();
});

it('keeps nothing of a response that cannot be kept whole', () => {
  const { responses } = temp.store;
  responses.insert(row('r'), items);
  expect(() => responses.insert(row('r', { json: '{"a":1}' }), items)).toThrow(/UNIQUE/);
  expect(() => responses.insert(row('s', { accountId: 'nobody' }), items)).toThrow(/FOREIGN KEY/);
  expect(responses.items('r', 'input')).toHaveLength(2);
  expect(responses.items('s', 'input')).toEqual([]);
});

it('deletes what has expired, with its items, in batches', () => {
  const { responses } = temp.store;
  for (let count = 0; count < 5; count++) responses.insert(row(`r${count}`, { expiresAtMs: count }), items);
  expect(responses.deleteExpired(3, 3)).toBe(3);
  expect(responses.deleteExpired(3, 3)).toBe(1);
  expect(responses.deleteExpired(3, 3)).toBe(0);
  expect(responses.items('r0', 'input')).toEqual([]);
  expect(responses.items('r4', 'input')).toHaveLength(2);
});
