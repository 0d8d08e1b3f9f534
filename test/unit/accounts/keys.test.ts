import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { dayMs, openServices, servicesOn } from './services.ts';

let services: ReturnType<typeof openServices>;
let accountId: string;
beforeEach(() => {
  services = openServices();
  accountId = services.accounts.create({ name: 'alice', plan: 'standard' }).id;
});
afterEach(() => services.temp.dispose());

it('creates keys of two kinds that open their account', () => {
  const { keys, authenticator } = services;
  const user = keys.create({ accountId, name: 'app', allowedModels: ['a', 'b/c'] });
  expect(user.secret).toMatch(/^hk-[\w-]{43}$/);
  expect(authenticator.authenticate(user.secret)).toEqual({
    keyId: user.key.id,
    accountId,
    accountName: 'alice',
    scopes: null,
    parallel: null,
    kind: 'user',
    allowedModels: ['a', 'b/c'],
    planName: 'standard',
    planSinceMs: services.clock.nowMs,
    planEndsAtMs: null,
  });
  const admin = keys.create({ accountId, kind: 'admin' });
  expect(admin.secret).toMatch(/^hk-admin-[\w-]{43}$/);
  expect(authenticator.authenticate(admin.secret)).toMatchObject({ kind: 'admin', allowedModels: null });
});

it('keeps the hash of a secret and nothing else of it', () => {
  const { secret, key } = services.keys.create({ accountId });
  services.store.keys.byId(key.id);
  const folder = path.dirname(services.temp.file);
  const bytes = readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));
  const holds = (needle: string | Buffer) => bytes.some((content) => content.includes(needle));
  expect(holds(createHash('sha256').update(secret).digest())).toBe(true);
  expect(holds(secret.slice(6, -5))).toBe(false);
  expect(JSON.stringify(services.keys.list())).not.toContain(secret.slice(6, -5));
  expect(key.redacted).toBe(`${secret.slice(0, 5)}…${secret.slice(-4)}`);
});

it.each(['', 'hk-', 'hk-wrong', 'x'.repeat(100_000), "' OR 1=1 --", '\0'])(
  'opens nothing with %.20j',
  (secret) => {
    services.keys.create({ accountId });
    expect(services.authenticator.authenticate(secret)).toBeUndefined();
  },
);

it('honours what another process did by the next request', () => {
  const { keys, authenticator, clock, temp } = services;
  const { secret, key } = keys.create({ accountId });
  const other = servicesOn(openStore(temp.file), clock);
  expect(authenticator.authenticate(secret)).toMatchObject({ planName: 'standard' });
  other.accounts.change('alice', { plan: 'unlimited' });
  expect(authenticator.authenticate(secret)).toMatchObject({ planName: 'unlimited' });
  expect(other.keys.revoke(key.id).state).toBe('revoked');
  expect(authenticator.authenticate(secret)).toBeUndefined();
  const made = other.keys.create({ accountId });
  expect(authenticator.authenticate(made.secret)).toBeDefined();
  other.store.close();
});

it('ends a key at its time', () => {
  const { keys, authenticator, clock } = services;
  const { secret, key } = keys.create({ accountId, expiresAtMs: clock.nowMs + dayMs });
  clock.nowMs += dayMs - 1;
  expect(authenticator.authenticate(secret)).toBeDefined();
  clock.nowMs += 1;
  expect(authenticator.authenticate(secret)).toBeUndefined();
  expect(keys.get(key.id).state).toBe('expired');
});

it('notes the last use, at most once a minute', () => {
  const { keys, authenticator, clock } = services;
  const { secret, key } = keys.create({ accountId });
  const start = clock.nowMs;
  expect(keys.get(key.id).lastUsedAtMs).toBeNull();
  for (const afterMs of [0, 59_999, 60_000]) {
    clock.nowMs = start + afterMs;
    authenticator.authenticate(secret);
    expect(keys.get(key.id).lastUsedAtMs).toBe(afterMs === 60_000 ? start + 60_000 : start);
  }
});

it('rotates a key with its rights and lifetime, and both use up the same balances', () => {
  const { keys, authenticator, clock, store } = services;
  const old = keys.create({
    accountId,
    name: 'app',
    allowedModels: ['a'],
    expiresAtMs: clock.nowMs + 90 * dayMs,
  });
  clock.nowMs += dayMs;
  const { secret, key } = keys.rotate(old.key.id, 3_600_000);
  expect(key).toMatchObject({ name: 'app', allowedModels: ['a'], expiresAtMs: clock.nowMs + 90 * dayMs });
  expect(store.keys.balanceIdOf(key.id)).toBe(old.key.id);
  expect(store.keys.balanceIdOf(keys.rotate(key.id, dayMs).key.id)).toBe(old.key.id);
  expect(authenticator.authenticate(old.secret)).toBeDefined();
  expect(authenticator.authenticate(secret)).toBeDefined();
  clock.nowMs += 3_600_000;
  expect(authenticator.authenticate(old.secret)).toBeUndefined();
  expect(authenticator.authenticate(secret)).toBeDefined();
});

it('rotates without overlap at once, and never prolongs the old key', () => {
  const { keys, authenticator, clock } = services;
  const first = keys.create({ accountId });
  keys.rotate(first.key.id);
  expect(authenticator.authenticate(first.secret)).toBeUndefined();
  expect(() => keys.rotate(first.key.id)).toThrow(/revoked/);
  const second = keys.create({ accountId, expiresAtMs: clock.nowMs + 1000 });
  keys.rotate(second.key.id, dayMs);
  expect(keys.get(second.key.id).expiresAtMs).toBe(clock.nowMs + 1000);
});

it('says what is wrong', () => {
  const { keys, clock } = services;
  expect(() => keys.revoke('key_x')).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(() => keys.create({ accountId, expiresAtMs: clock.nowMs })).toThrow(/future/);
  const { id } = keys.create({ accountId }).key;
  expect(() => keys.rotate(id, Infinity)).toThrow(expect.objectContaining({ param: 'overlap' }));
  expect(() => keys.create({ accountId, allowedModels: [] })).toThrow(/at least one model/);
  expect(() => keys.create({ accountId, name: 'a\nb' })).toThrow(/printable/);
});

it('lists the keys of one account or of all', () => {
  const { keys, accounts } = services;
  const bob = accounts.create({ name: 'bob' });
  keys.create({ accountId: bob.id, name: 'b' });
  keys.create({ accountId, name: 'a' });
  expect(keys.list().map(({ accountName, name }) => accountName + name)).toEqual(['alicea', 'bobb']);
  expect(keys.list(bob.id)).toHaveLength(1);
});
