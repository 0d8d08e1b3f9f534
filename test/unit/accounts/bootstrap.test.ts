import { afterEach, beforeEach, expect, it } from 'vitest';
import { listActs } from '../../../src/accounts/audit.ts';
import { ensureBootstrap, ensureKeylessKey } from '../../../src/accounts/bootstrap.ts';
import { Secret } from '../../../src/accounts/secrets.ts';
import { TerminalKey, terminalKeyName } from '../../../src/accounts/terminal-key.ts';
import { openServices } from './services.ts';

let services: ReturnType<typeof openServices>;
beforeEach(() => {
  services = openServices();
});
afterEach(() => services.temp.dispose());

const bootstrap = (apiKey?: string) =>
  ensureBootstrap({ ...services, apiKey: apiKey === undefined ? undefined : new Secret(apiKey) });

it('makes the account local on unlimited with one key, once', () => {
  const first = bootstrap();
  expect(first.outcome).toBe('created');
  const secret = first.outcome === 'created' ? first.secret : '';
  expect(services.authenticator.authenticate(secret)).toMatchObject({
    accountName: 'local',
    planName: 'unlimited',
    kind: 'user',
  });
  expect(bootstrap()).toEqual({ outcome: 'existing', unknownApiKey: false });
  expect(services.keys.list()).toHaveLength(1);
});

it('writes down all keys and accounts that the server and commands make for themselves', () => {
  bootstrap();
  ensureKeylessKey(services);
  new TerminalKey({ ...services, now: () => services.clock.nowMs }).renew();
  const names = new Map(
    [...services.accounts.list(), ...services.keys.list()].map(({ id, name }) => [id, name]),
  );
  const told = listActs(services.store, {}).toReversed();
  expect(told.map(({ actor, act, subject }) => [actor, act, names.get(subject)])).toEqual([
    ['server', 'account.create', 'local'],
    ['server', 'key.create', 'first key'],
    ['server', 'key.create', expect.stringContaining('--no-key')],
    ['command line', 'key.create', terminalKeyName],
  ]);
});

it('takes the key of the environment and returns no secret', () => {
  expect(bootstrap('a-key-of-my-own')).toEqual({ outcome: 'created-from-environment' });
  expect(services.authenticator.authenticate('a-key-of-my-own')).toMatchObject({ accountName: 'local' });
  expect(bootstrap('a-key-of-my-own')).toEqual({ outcome: 'existing', unknownApiKey: false });
  expect(bootstrap('another-key')).toEqual({ outcome: 'existing', unknownApiKey: true });
  expect(services.authenticator.authenticate('another-key')).toBeUndefined();
});

it('shows little of a short key', () => {
  bootstrap('12345678');
  expect(services.keys.list()[0]?.redacted).toBe('12…');
});

it.each(['short', 'with space', 'ümlaut-key', 'x'.repeat(257), 'hk-admin-abcdefgh', 'line\nbreak'])(
  'refuses %.20j and leaves the database empty',
  (apiKey) => {
    expect(() => bootstrap(apiKey)).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(/^HEARTH_API_KEY /) }),
    );
    expect(services.accounts.list()).toEqual([]);
  },
);
