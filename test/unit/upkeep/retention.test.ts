import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRetention } from '../../../src/upkeep/retention.ts';
import { openTempStore, type TempStore } from '../store/temp-store.ts';

let temp: TempStore;
beforeEach(() => {
  temp = openTempStore();
  temp.store.accounts.insert({ id: 'a', name: 'a', plan: 'unlimited', planSetAtMs: 0, createdAtMs: 0 });
});
afterEach(() => temp.dispose());

const insert = (id: string, expiresAtMs: number): void =>
  temp.store.responses.insert(
    {
      id,
      accountId: 'a',
      previousId: null,
      createdAtMs: 0,
      expiresAtMs,
      itemCount: 0,
      itemBytes: 0,
      json: '{}',
    },
    { input: [], output: [] },
  );

it('deletes expired responses at once, more than a batch of them, whatever the ledger keeps', async () => {
  for (let count = 0; count < 120; count++) insert(`old-${count}`, 10);
  insert('new', 11);
  const stop = startRetention({
    store: temp.store,
    files: { deleteExpired: () => 0 },
    ledgerRetentionMs: undefined,
    now: () => 10,
    onError: (error) => expect.unreachable(String(error)),
  });
  const isLeft = (id: string) => temp.store.responses.find('a', id, 0) !== undefined;
  await expect.poll(() => isLeft('old-119') || isLeft('old-0')).toBe(false);
  expect(isLeft('new')).toBe(true);
  stop();
}); // prettier-ignore

it('tells what goes wrong and goes on', () => {
  const errors: unknown[] = [];
  temp.store.close();
  const stop = startRetention({
    store: temp.store,
    files: { deleteExpired: () => 0 },
    ledgerRetentionMs: 0,
    now: () => 10,
    onError: (error) => errors.push(error),
  });
  stop();
  expect(errors).toHaveLength(1);
  temp.reopen();
});
