import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemsOf, listenWithAccounts } from '../../support/fakes/admin-service.ts';
import type { AdminService } from '../../support/fakes/admin-service.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { hello } from '../../support/fakes/http-service.ts';
import { dayMs } from '../../unit/accounts/services.ts';

let service: AdminService;
let keyIds: readonly string[];

/** Two keys of alice and one of bob; each call of the fake engine is 7 prompt and 2 completion tokens. */
beforeEach(async () => {
  service = await listenWithAccounts();
  const { accounts, keys, clock } = service;
  const alice = accounts.create({ name: 'alice' }).id;
  const bob = accounts.create({ name: 'bob' }).id;
  const made = [alice, alice, bob].map((accountId, index) =>
    keys.create({ accountId, name: `app ${index}` }),
  );
  keyIds = made.map(({ key }) => key.id);
  const ask = async (index: number, model: string) => {
    const secret = made[index]?.secret;
    expect((await service.send('POST', '/v1/chat/completions', { ...hello, model }, secret)).status).toBe(
      200,
    );
  };
  await ask(0, 'tiny');
  clock.nowMs += 2 * dayMs;
  await ask(0, 'gpt-4o-mini');
  await ask(1, 'org/slashed');
  await ask(2, 'tiny');
});
afterEach(() => service.close());

const usage = async (query: string) => service.ask('GET', `/admin/v1/usage${query}`);
const requestsBy = async (query: string): Promise<(readonly [string, unknown])[]> =>
  itemsOf(await usage(query)).map(({ label, requests }) => [String(label), requests] as const);

it('sums up each day or hour, at most 3000 of them', async () => {
  const today = Math.floor(service.clock.nowMs / dayMs) * 86_400;
  const days = itemsOf(await usage('?by=account&step=day')).map(({ start, label, requests }) => [
    start,
    label,
    requests,
  ]);
  expect(days).toEqual([
    [today - 2 * 86_400, 'alice', 1],
    [today, 'alice', 2],
    [today, 'bob', 1],
  ]);
  expect((await usage('?step=hour'))['step']).toBe('hour');
  await expectError(
    await service.send('GET', '/admin/v1/usage?step=hour&since=365d'),
    'invalid_value',
    'since',
  );
  await expectError(await service.send('GET', '/admin/v1/usage?step=week'), 'invalid_value', 'step');
});

it('sums up by key, in the words of the wire', async () => {
  const answer = await usage('');
  expect(answer).toMatchObject({
    object: 'list',
    by: 'key',
    since: (service.clock.nowMs - 7 * dayMs) / 1000,
    until: null,
  });
  const [first] = itemsOf(answer).filter(({ group }) => group === keyIds[0]);
  expect(first).toEqual({
    object: 'usage',
    start: null,
    group: keyIds[0],
    label: expect.stringMatching(/^alice: app 0 hk-/) as string,
    requests: 2,
    refunded_requests: 0,
    failed_requests: 0,
    refused_requests: 0,
    prompt_tokens: 14,
    cached_tokens: 0,
    completion_tokens: 4,
    audio_seconds: 0,
  });
});

it('has units where something had a price, for the operator and for the key itself', async () => {
  const { plans, clock, accounts, keys } = service;
  expect(itemsOf(await usage('')).some((sum) => 'units' in sum)).toBe(false);
  plans.replace(plans.plans, clock.nowMs, { tiny: { inputTokens: 3, outputTokens: 10.5, requests: 0.25 } });
  const { key, secret } = keys.create({
    accountId: accounts.get('bob').id,
    budgets: { units: { month: 0.75 } },
  });
  const ask = (model: string) => service.send('POST', '/v1/chat/completions', { ...hello, model }, secret);
  // 7 tokens in and 2 out.
  const cost = 0.25 + (7 * 3 + 2 * 10.5) / 1e6;
  for (let count = 0; count < 3; count += 1) expect((await ask('tiny')).status).toBe(200);
  const refused = await ask('tiny');
  expect(refused.status).toBe(402);
  expect(await expectError(refused, 'insufficient_quota')).toContain('0.75 units per month');
  expect((await ask('org/slashed')).status).toBe(200);
  const own = await (await service.send('GET', '/v1/usage', undefined, secret)).json();
  expect(own).toMatchObject({
    data: [
      { group: 'org/slashed', units: 0 },
      { group: 'tiny', units: 3 * cost },
    ],
  });
  expect(itemsOf(await usage('?by=account&account=bob&step=day'))).toMatchObject([{ units: 3 * cost }]);
  const limits = await (await service.send('GET', '/v1/limits', undefined, secret)).json();
  expect(limits).toMatchObject({
    budgets: [{ measure: 'units', limit: 0.75, used: 3 * cost, left: Number((0.75 - 3 * cost).toFixed(6)) }],
  });
  const changed = await service.ask('PATCH', `/admin/v1/keys/${key.id}`, {
    budgets: { units: { month: 1.5 } },
  });
  expect(changed['budgets']).toMatchObject([{ measure: 'units', limit: 1.5, used: 3 * cost }]);
  await expectError(
    await service.send('PATCH', '/admin/v1/accounts/bob', { budgets: { units: { day: 0 } } }),
    'invalid_value',
    'budgets.units.day',
  );
});

describe('sums up', () => {
  it.each([
    ['?by=account', [['alice', 3], ['bob', 1]]],
    ['?by=model', [['org/slashed', 1], ['tiny', 3]]],
    ['?by=day', [['2026-11-20', 1], ['2026-11-22', 3]]],
    ['?by=day&account=alice', [['2026-11-20', 1], ['2026-11-22', 2]]],
    ['?by=model&account=bob', [['tiny', 1]]],
    ['?by=account&model=gpt-4o-mini', [['alice', 2], ['bob', 1]]],
    ['?by=account&model=gone', []],
    ['?by=model&since=2026-11-21', [['org/slashed', 1], ['tiny', 2]]],
    ['?by=model&since=1d', [['org/slashed', 1], ['tiny', 2]]],
    ['?by=model&until=2026-11-21T02%3A00%3A00%2B02%3A00', [['tiny', 1]]],
    [`?by=model&since=${Date.UTC(2026, 10, 20) / 1000}&until=2026-11-22T00:00:00Z`, [['tiny', 1]]],
    ['?by=model&until=2026-11-20', []],
  ] as const)('%s', async (query, expected) => {
    expect(await requestsBy(query)).toEqual(expected);
  }); // prettier-ignore

  it('one key', async () => {
    expect(await requestsBy(`?by=day&key=${keyIds[0]}`)).toEqual([
      ['2026-11-20', 1],
      ['2026-11-22', 1],
    ]);
  });

  it('the last week when nobody says, and everything when asked for', async () => {
    service.clock.nowMs += 6 * dayMs;
    expect(await requestsBy('?by=day')).toEqual([['2026-11-22', 3]]);
    expect(await requestsBy('?by=day&since=-1')).toHaveLength(2);
    expect((await usage('?since=-1'))['since']).toBeNull();
    expect((await usage('?since=0'))['since']).toBe(0);
  });
});

it.each([
  { query: '?by=moon', code: 'invalid_value', param: 'by' },
  { query: '?since=yesterday', code: 'invalid_value', param: 'since' },
  { query: '?since=2026-11-20T10:00:00', code: 'invalid_value', param: 'since' },
  { query: '?until=2026-13-45', code: 'invalid_value', param: 'until' },
  { query: '?until=-5', code: 'invalid_value', param: 'until' },
  { query: '?until=-1', code: 'invalid_value', param: 'until' },
  { query: '?since=2026-02-30', code: 'invalid_value', param: 'since' },
  { query: '?until=2027-02-29T00:00:00Z', code: 'invalid_value', param: 'until' },
  { query: '?since=2026-11-22&until=2026-11-21', code: 'invalid_value', param: 'until' },
  { query: '?since=1d&until=1d', code: 'invalid_value', param: 'until' },
  { query: '?until=2026-11-01', code: 'invalid_value', param: 'until' },
  { query: '?sinse=1d', code: 'unknown_parameter', param: 'sinse' },
  { query: '?account=carol', code: 'not_found', param: 'account' },
  { query: '?key=key_0', code: 'not_found', param: 'id' },
  { query: '?model=', code: 'invalid_value', param: 'model' },
  { query: '?by=day&by=key', code: 'invalid_value', param: 'by' },
] as const)('$query: $code', async ({ query, code, param }) => {
  await expectError(await service.send('GET', `/admin/v1/usage${query}`), code, param);
});
