import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlanBook, defaultPlans } from '../../../../src/accounts/plans.ts';
import { registerAccountsCommand } from '../../../../src/cli/accounts/accounts.ts';
import { registerKeysCommand } from '../../../../src/cli/accounts/keys.ts';
import { registerUsageCommand } from '../../../../src/cli/accounts/reports.ts';
import { StoredLimiter } from '../../../../src/limits/limiter.ts';
import { openStore } from '../../../../src/store/store.ts';
import { requestOf, settlementOf } from '../../limits/fixture.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'hearth-cli-'));
});
afterEach(() => {
  process.exitCode = 0;
  rmSync(dataDir, { recursive: true });
});

/** Runs `hearth` with these arguments in this process. */
async function hearth(...args: string[]) {
  const program = new Command('hearth').exitOverride();
  registerAccountsCommand(program);
  registerKeysCommand(program);
  registerUsageCommand(program);
  const texts = { out: '', err: '' };
  const out = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => Boolean((texts.out += String(text))));
  const err = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => Boolean((texts.err += String(text))));
  try {
    process.exitCode = 0;
    await program.parseAsync([...args, '--data-dir', dataDir], { from: 'user' });
    return { ...texts, exitCode: process.exitCode };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** The one JSON document that a command prints with --json. */
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await hearth(...args, '--json')).out);

it('prints a table, or one JSON document', async () => {
  expect((await hearth('accounts', 'list')).out).toContain('no accounts yet');
  expect(await json('accounts', 'list')).toEqual([]);
  await hearth('accounts', 'create', 'alice', '--plan', 'standard');
  const [titles, row, ...rest] = (await hearth('accounts', 'list')).out.split('\n');
  expect(titles).toMatch(/^NAME +ID +PLAN +TRIAL ENDS +CREATED$/);
  expect(row).toMatch(/^alice +acct_[0-9a-f]{16} +standard +- +\d{4}-\d\d-\d\d \d\d:\d\dZ$/);
  expect(rest).toEqual(['']);
  expect(await json('accounts', 'list')).toMatchObject([{ name: 'alice', planInForce: 'standard' }]);
});

it('sets plans and names', async () => {
  await hearth('accounts', 'create', 'bob');
  expect(await json('accounts', 'set-plan', 'bob', 'unlimited')).toMatchObject({ plan: 'unlimited' });
  expect(await json('accounts', 'set', 'bob', '--name', 'Bob B.')).toMatchObject({ name: 'Bob B.' });
});

describe('keys', () => {
  beforeEach(async () => void (await hearth('accounts', 'create', 'alice')));

  it('are shown in full once', async () => {
    const { out } = await hearth('keys', 'create', '--account', 'alice', '--name', 'app');
    const secret = /hk-[\w-]{43}/.exec(out)?.[0] ?? 'none';
    expect(out).toContain('only this once');
    expect((await hearth('keys', 'list')).out).not.toContain(secret);
  });

  it('take every right from the flags', async () => {
    const args = [
      'keys',
      'create',
      '--account',
      'alice',
      '--expires',
      '90d',
      '--models',
      'hearth-demo, hearth-demo-ears',
      '--admin',
    ];
    const key = (await json(...args)) as { createdAtMs: number; expiresAtMs: number };
    expect(key).toMatchObject({
      kind: 'admin',
      allowedModels: ['hearth-demo', 'hearth-demo-ears'],
      secret: expect.stringMatching(/^hk-admin-/),
    });
    expect((key.expiresAtMs - key.createdAtMs) / 86_400_000).toBeCloseTo(90, 3);
  });

  it('are not made for models that do not exist', async () => {
    const { err, exitCode } = await hearth('keys', 'create', '--account', 'alice', '--models', 'hearth-demp');
    expect({ err, exitCode }).toEqual({
      err: "hearth: There is no model 'hearth-demp'. Did you mean 'hearth-demo'?\n",
      exitCode: 1,
    });
    expect((await hearth('keys', 'list')).out).toContain('no keys yet');
  });

  it('are revoked and rotated by id', async () => {
    const { id } = (await json('keys', 'create', '--account', 'alice')) as { id: string };
    expect(await json('keys', 'rotate', id, '--overlap', '1h')).toMatchObject({ accountName: 'alice' });
    expect(await json('keys', 'revoke', id)).toMatchObject({ state: 'revoked' });
    expect(await json('keys', 'list', '--account', 'alice')).toHaveLength(2);
  });
});

it('shows usage', async () => {
  await hearth('accounts', 'create', 'alice');
  const store = openStore(path.join(dataDir, 'hearth.db'));
  const plans = new PlanBook(defaultPlans, 0);
  const limiter = new StoredLimiter({ store, plans, now: Date.now });
  limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 1234, completionTokens: 5 }));
  store.close();
  expect(await json('usage', '--by', 'model')).toMatchObject([
    { group: 'model', promptTokens: 1234, requests: 1 },
  ]);
  expect((await hearth('usage', '--since', '-1', '--by', 'day')).out).toMatch(
    /DAY +REQUESTS.*\n\d{4}-\d\d-\d\d +1 +0 +0 +1234 /,
  );
  expect((await hearth('usage', '--account', 'alice')).out).toContain('nothing was used');
  expect((await hearth('usage', '--csv')).out).not.toContain('units');
});

it('shows units where models have prices, and sets budgets of them', async () => {
  const config = path.join(dataDir, 'hearth.yaml');
  writeFileSync(
    config,
    "prices: { '*': { outputTokens: 0.5 } }\nplans: { p: { limits: {}, account: { units: { week: 7 } } } }\n",
  );
  const args = ['--plan', 'p', '--budget', 'units=4.50/month', '--config', config];
  expect((await hearth('accounts', 'create', 'alice', ...args)).out).toContain(
    'units 4.5 of 4.5/month; units 7 of 7/week',
  );
  const store = openStore(path.join(dataDir, 'hearth.db'));
  const plans = new PlanBook(defaultPlans, 0, undefined, { model: { outputTokens: 0.5 } });
  const limiter = new StoredLimiter({ store, plans, now: Date.now });
  limiter.admit(requestOf()).settle(settlementOf({ completionTokens: 5 }));
  limiter.admit(requestOf({ modelId: 'other' })).settle(settlementOf({ completionTokens: 5 }));
  store.close();
  expect((await hearth('usage', '--by', 'model', '--csv')).out).toMatch(
    /,units\r?\nmodel,.*,0\.000003\r?\nother,.*,0\r?\n$/,
  );
  expect((await hearth('usage', '--by', 'model')).out).toMatch(/ UNITS\nmodel .* 0\.000003\n/);
  for (const wrong of ['units=0', 'units=1.1234567/day', 'tokens=1.5', 'units=9999999999'])
    expect((await hearth('accounts', 'set', 'alice', '--budget', wrong)).err).toContain('is no budget');
});

it.each([
  [['accounts', 'create', ''], 'An account name has'],
  [['accounts', 'set-plan', 'nobody', 'standard'], 'There is no account "nobody".'],
  [['keys', 'revoke', 'key_x'], 'There is no key "key_x".'],
  [['usage', '--since', '7'], '--since: "7" is not a time such as'],
  [['accounts', 'list', '--config', '/nowhere.yaml'], '(ENOENT) (check --config)'],
])('says in one line what is wrong with %j, and exits with 1', async (args, message) => {
  const { out, err, exitCode } = await hearth(...args);
  expect(err).toMatch(/^hearth: [^\n]+\n$/);
  expect(err).toContain(message);
  expect(out).toBe('');
  expect(exitCode).toBe(1);
});
