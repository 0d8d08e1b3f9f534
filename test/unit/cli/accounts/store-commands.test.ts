import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlanBook } from '../../../../src/accounts/plan-book.ts';
import { registerAccountsCommand } from '../../../../src/cli/accounts/accounts.ts';
import { registerKeysCommand } from '../../../../src/cli/accounts/keys.ts';
import { registerUsageCommand } from '../../../../src/cli/accounts/usage.ts';
import { defaultPlans } from '../../../../src/accounts/plans.ts';
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
function hearth(...args: string[]) {
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
    program.parse([...args, '--data-dir', dataDir], { from: 'user' });
    return { ...texts, exitCode: process.exitCode };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** The one JSON document that a command prints with --json. */
const json = (...args: string[]): unknown => JSON.parse(hearth(...args, '--json').out);

it('prints a table, or one JSON document', () => {
  expect(hearth('accounts', 'list').out).toContain('no accounts yet');
  expect(json('accounts', 'list')).toEqual([]);
  hearth('accounts', 'create', 'alice', '--plan', 'standard');
  const [titles, row, ...rest] = hearth('accounts', 'list').out.split('\n');
  expect(titles).toMatch(/^NAME +ID +PLAN +TRIAL ENDS +CREATED$/);
  expect(row).toMatch(/^alice +acct_[0-9a-f]{16} +standard +- +\d{4}-\d\d-\d\d \d\d:\d\dZ$/);
  expect(rest).toEqual(['']);
  expect(json('accounts', 'list')).toMatchObject([{ name: 'alice', planInForce: 'standard' }]);
});

it('sets plans', () => {
  hearth('accounts', 'create', 'bob');
  expect(json('accounts', 'set-plan', 'bob', 'unlimited')).toMatchObject({ plan: 'unlimited' });
});

describe('keys', () => {
  beforeEach(() => void hearth('accounts', 'create', 'alice'));

  it('are shown in full once', () => {
    const { out } = hearth('keys', 'create', '--account', 'alice', '--name', 'app');
    const secret = /hk-[\w-]{43}/.exec(out)?.[0] ?? 'none';
    expect(out).toContain('only this once');
    expect(hearth('keys', 'list').out).not.toContain(secret);
  });

  it('take every right from the flags', () => {
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
    const key = json(...args) as { createdAtMs: number; expiresAtMs: number };
    expect(key).toMatchObject({
      kind: 'admin',
      allowedModels: ['hearth-demo', 'hearth-demo-ears'],
      secret: expect.stringMatching(/^hk-admin-/),
    });
    expect((key.expiresAtMs - key.createdAtMs) / 86_400_000).toBeCloseTo(90, 3);
  });

  it('are not made for models that do not exist', () => {
    const { err, exitCode } = hearth('keys', 'create', '--account', 'alice', '--models', 'hearth-demp');
    expect({ err, exitCode }).toEqual({
      err: "hearth: There is no model 'hearth-demp'. Did you mean 'hearth-demo'?\n",
      exitCode: 1,
    });
    expect(hearth('keys', 'list').out).toContain('no keys yet');
  });

  it('are revoked and rotated by id', () => {
    const { id } = json('keys', 'create', '--account', 'alice') as { id: string };
    expect(json('keys', 'rotate', id, '--overlap', '1h')).toMatchObject({ accountName: 'alice' });
    expect(json('keys', 'revoke', id)).toMatchObject({ state: 'revoked' });
    expect(json('keys', 'list', '--account', 'alice')).toHaveLength(2);
  });
});

it('shows usage', () => {
  hearth('accounts', 'create', 'alice');
  const store = openStore(path.join(dataDir, 'hearth.db'));
  const plans = new PlanBook(defaultPlans, 0);
  const limiter = new StoredLimiter({ store, plans, now: Date.now });
  limiter.admit(requestOf()).settle(settlementOf({ promptTokens: 1234, completionTokens: 5 }));
  store.close();
  expect(json('usage', '--by', 'model')).toMatchObject([{ group: 'model', promptTokens: 1234, requests: 1 }]);
  expect(hearth('usage', '--since', '-1', '--by', 'day').out).toMatch(
    /DAY +REQUESTS.*\n\d{4}-\d\d-\d\d +1 +0 +1234 /,
  );
  expect(hearth('usage', '--account', 'alice').out).toContain('nothing was used');
});

it.each([
  [['accounts', 'create', ''], 'An account name has'],
  [['accounts', 'set-plan', 'nobody', 'standard'], 'There is no account "nobody".'],
  [['keys', 'revoke', 'key_x'], 'There is no key "key_x".'],
  [['usage', '--since', '7'], '--since: "7" is not a time such as'],
  [['accounts', 'list', '--config', '/nowhere.yaml'], '(ENOENT) (check --config)'],
])('says in one line what is wrong with %j, and exits with 1', (args, message) => {
  const { out, err, exitCode } = hearth(...args);
  expect(err).toMatch(/^hearth: [^\n]+\n$/);
  expect(err).toContain(message);
  expect(out).toBe('');
  expect(exitCode).toBe(1);
});
