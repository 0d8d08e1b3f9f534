import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TerminalKey, terminalKeyName } from '../../../src/accounts/terminal-key.ts';
import { openServices } from './services.ts';

let services: ReturnType<typeof openServices>;
beforeEach(() => {
  services = openServices();
});
afterEach(() => services.temp.dispose());

const open = () => new TerminalKey({ ...services, now: () => services.clock.nowMs });
const opens = (secret: string) => services.authenticator.authenticate(secret);
const madeKeys = () => services.keys.list().filter(({ name }) => name === terminalKeyName);

describe('the key of the terminal', () => {
  it('opens the account of the owner for five minutes, each secret until the next one', () => {
    const key = open();
    const first = key.renew();
    expect(opens(first)).toMatchObject({ accountName: 'local', kind: 'user', allowedModels: null });
    const second = key.renew();
    expect(opens(first)).toBeUndefined();
    services.clock.nowMs += 5 * 60_000 - 1;
    expect(opens(second)).toBeDefined();
    services.clock.nowMs += 1;
    expect(opens(second)).toBeUndefined();
    expect(opens(key.renew())).toBeDefined();
    expect(madeKeys()).toHaveLength(1);
  });

  it('is of no use after its release, and the same one for the next command', () => {
    const first = open();
    const secret = first.renew();
    first.release();
    first.release();
    expect(opens(secret)).toBeUndefined();
    const keyId = opens(open().renew())?.keyId;
    expect(madeKeys().map(({ id }) => id)).toEqual([keyId]);
  });

  it('is one for each command that runs, and never that of another', () => {
    const [one, other] = [open(), open()];
    const secrets = [one.renew(), other.renew()];
    expect(madeKeys()).toHaveLength(2);
    expect(new Set(secrets.map((secret) => opens(secret)?.keyId)).size).toBe(2);
    // After 10 minutes without a renewal the first command's key is the third's.
    services.clock.nowMs += 10 * 60_000;
    const third = open().renew();
    one.release();
    expect(opens(third)).toBeDefined();
    const again = one.renew();
    expect(opens(third)).toBeDefined();
    expect(opens(again)?.keyId).not.toBe(opens(third)?.keyId);
    expect(madeKeys()).toHaveLength(2);
  });

  it('takes over no key that was revoked, is for others, or has another name', () => {
    const { accounts, keys, clock } = services;
    const accountId = accounts.create({ name: 'local' }).id;
    const strangerId = accounts.create({ name: 'stranger' }).id;
    const expiresAtMs = clock.nowMs + 1000;
    const others = [
      keys.create({ accountId, name: 'laptop', expiresAtMs }),
      keys.create({ accountId: strangerId, name: terminalKeyName, expiresAtMs }),
      keys.create({ accountId, name: terminalKeyName, expiresAtMs, allowedModels: ['tiny'] }),
      keys.create({ accountId, name: terminalKeyName, expiresAtMs, kind: 'admin' }),
    ].map(({ key }) => key.id);
    others.push(keys.revoke(keys.create({ accountId, name: terminalKeyName }).key.id).id);
    clock.nowMs += 2000;
    expect(others).not.toContain(opens(open().renew())?.keyId);
  });
});
