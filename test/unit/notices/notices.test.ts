import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { Notices, type Fact } from '../../../src/notices/notices.ts';
import { toSecretBytes, webhookProblem, type Webhook } from '../../../src/notices/webhook.ts';
import { listenForWebhooks, webhookSecret } from '../../support/server/webhook-receiver.ts';
import { planOf } from '../limits/fixture.ts';
import { openTempStore } from '../store/temp-store.ts';

let temp: ReturnType<typeof openTempStore>;
let clock: { nowMs: number };
let logged: Record<string, unknown>[];
let running: Notices[];
beforeEach(() => {
  temp = openTempStore();
  clock = { nowMs: Date.UTC(2026, 10, 27) };
  logged = [];
  running = [];
});
afterEach(async () => {
  for (const notices of running) await notices.stop();
  temp.dispose();
});

const fact = (message: string, accountId?: string): Fact => ({
  kind: 'model.failed',
  message,
  data: { model: message },
  accountId,
});

const log = {
  warn: (fields: unknown, message?: string) => logged.push({ ...(fields as object), message }),
  error: (fields: unknown) => logged.push({ ...(fields as object) }),
};

/** Notices on the store as it is, as after a start of the server. */
function start(url: string | undefined, network?: object): Notices {
  const secret = toSecretBytes(webhookSecret) ?? Buffer.alloc(0);
  const operator: Webhook | undefined =
    url === undefined ? undefined : { url: new URL(url), secret, mayBeLocal: true };
  const notices = new Notices({
    store: temp.store,
    now: () => clock.nowMs,
    log,
    operator,
    ...(network && { network }),
  });
  running.push(notices);
  notices.start();
  return notices;
}

const waiting = () => temp.store.notices.due(clock.nowMs + 1e9, 0, 2000).length;

describe('the operator', () => {
  it('is told of each occasion once, signed, also after a restart', async () => {
    await using hook = await listenForWebhooks();
    const notices = start(hook.url);
    for (const message of ['a', 'b', 'a']) notices.tell(message, fact(message));
    await expect.poll(waiting).toBe(0);
    await notices.stop();
    start(hook.url).tell('a', fact('a'));
    await expect.poll(() => hook.received.length).toBe(2);
    expect(hook.problems).toEqual([]);
    expect(hook.received.map(({ type, data }) => [type, data['message']])).toEqual(
      expect.arrayContaining([
        ['model.failed', 'a'],
        ['model.failed', 'b'],
      ]),
    );
    expect(new Set(hook.received.map(({ id }) => id)).size).toBe(2);
  });

  it('gets again what was not taken, after waits that grow, by the same id', async () => {
    await using hook = await listenForWebhooks();
    hook.answers.status = 302;
    hook.answers.headers = { location: 'http://127.0.0.1:1/' };
    start(hook.url).tell('first', fact('first'));
    let tries = 0;
    for (const waitMs of [5000, 15_000, 45_000]) {
      await expect.poll(() => logged.length).toBe(++tries);
      // One millisecond too early nothing is sent; a start of the server makes no difference.
      clock.nowMs += waitMs - 1;
      await running.at(-1)?.stop();
      start(hook.url);
      expect(temp.store.notices.due(clock.nowMs, 1e9, 9)).toEqual([]);
      clock.nowMs += 1;
      if (tries === 3) hook.answers.status = 200;
      await running.at(-1)?.stop();
      start(hook.url);
    }
    await expect.poll(waiting).toBe(0);
    expect(hook.received).toHaveLength(4);
    expect(new Set(hook.received.map(({ id }) => id)).size).toBe(1);
    expect(logged).toMatchObject([1, 2, 3].map((count) => ({ tries: count, reason: 'it answers 302' })));
    expect(JSON.stringify(logged)).not.toContain('secret-path');
  });

  it('is tried twelve times, and of more than a thousand notices misses the oldest', async () => {
    await using hook = await listenForWebhooks();
    hook.answers.status = 500;
    start(hook.url).tell('dead', fact('dead'));
    for (let tries = 1; tries <= 12; tries += 1) {
      await expect.poll(() => logged.length).toBe(tries);
      clock.nowMs += 12 * 3_600_000;
      await running.at(-1)?.stop();
      start(hook.url);
    }
    expect(logged.at(-1)).toMatchObject({ message: 'a notice was given up', tries: 12 });
    expect(waiting()).toBe(0);
    await running.at(-1)?.stop();
    const notices = new Notices({
      store: temp.store,
      now: () => clock.nowMs,
      log,
      operator: webhookTo(hook.url),
    });
    temp.store.immediate(() => {
      for (let index = 0; index < 1005; index += 1) {
        clock.nowMs += 1;
        notices.note(`many ${index}`, () => fact(`many ${index}`));
      }
    });
    const kept = temp.store.notices.due(clock.nowMs, 0, 2000).map(({ message }) => message);
    expect(kept).toHaveLength(1000);
    expect(kept).not.toContain('many 4');
    expect(kept).toContain('many 5');
    expect(notices.list({ limit: 2 }).map(({ message }) => message)).toEqual(['many 1004', 'many 1003']);
  });

  it('is told at once although nothing can be written, and not once more when it can', async () => {
    await using hook = await listenForWebhooks();
    const notices = start(hook.url);
    temp.store.serve();
    const other = new Sqlite(temp.file);
    other.exec('BEGIN EXCLUSIVE');
    notices.tell('full', fact('the disk is full'));
    notices.tell('full', fact('the disk is full'));
    await expect.poll(() => hook.received.length).toBe(1);
    other.exec('ROLLBACK');
    other.close();
    notices.tell('next', fact('there is room'));
    await expect.poll(() => hook.received.length).toBe(2);
    await expect.poll(waiting).toBe(0);
    expect(
      notices
        .list({})
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(hook.received.map(({ id }) => id).toSorted());
  });

  it('gets what was postponed by a clock that was wrong', async () => {
    await using hook = await listenForWebhooks();
    hook.answers.status = 503;
    clock.nowMs += 365 * 86_400_000;
    start(hook.url).tell('late', fact('late'));
    await expect.poll(() => logged.length).toBe(1);
    clock.nowMs -= 365 * 86_400_000;
    hook.answers.status = 200;
    await running.at(-1)?.stop();
    start(hook.url);
    await expect.poll(() => hook.received.length).toBe(2);
  });
});

const webhookTo = (url: string): Webhook => ({
  url: new URL(url),
  secret: Buffer.alloc(32),
  mayBeLocal: true,
});

describe('an account', () => {
  const openAccounts = () =>
    new Accounts({
      store: temp.store,
      plans: new PlanBook(new Map([['plan', planOf({})]]), clock.nowMs),
      now: () => clock.nowMs,
    });

  it('is told of what concerns it, under a secret of its own', async () => {
    const accounts = openAccounts();
    let secret = '';
    await using hook = await listenForWebhooks(() => secret);
    const alice = accounts.create({ name: 'alice', plan: 'plan', webhook: hook.url });
    secret = accounts.webhookSecret(alice) ?? '';
    const bob = accounts.create({ name: 'bob', plan: 'plan' });
    const notices = start(undefined, { publicOnly: false });
    notices.tell('of alice', fact('of alice', alice.id));
    notices.tell('of bob', fact('of bob', bob.id));
    notices.tell('of nobody', fact('of nobody'));
    await expect.poll(() => hook.received.map(({ data }) => data['message'])).toEqual(['of alice']);
    expect(hook.problems).toEqual([]);
    await expect.poll(waiting).toBe(0);
    expect(accounts.webhookSecret(accounts.change('alice', { webhook: `${hook.url}2` }))).not.toBe(secret);
    expect(accounts.webhookSecret(accounts.change('alice', { webhook: null }))).toBeUndefined();
  });

  it('has nothing sent into the network of this machine, whatever its address is looked up as', async () => {
    await using hook = await listenForWebhooks();
    const port = new URL(hook.url).port;
    const { id } = openAccounts().create({
      name: 'eve',
      plan: 'plan',
      webhook: `http://rebound.example:${port}/`,
    });
    const lookup = (_: string, __: object, callback: (error: null, addresses: object[]) => void) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    start(undefined, { lookup, env: {} }).tell('of eve', fact('of eve', id));
    await expect.poll(() => logged.length).toBe(1);
    expect(logged[0]).toMatchObject({ reason: expect.stringContaining('inside this machine') as string });
    expect(hook.received).toEqual([]);
  });
});

it.each([
  ['http://hooks.example/x', 'https://'],
  ['https://127.0.0.1/x', 'inside this machine'],
  ['https://[::1]/x', 'inside this machine'],
  ['https://localhost./x', 'inside this machine'],
  ['https://10.1.2.3/', 'inside this machine'],
  ['https://user:word@hooks.example/', 'an address such as'],
  ['ftp://hooks.example/', 'an address such as'],
  ['hooks.example', 'an address such as'],
  [`https://hooks.example/${'x'.repeat(2048)}`, 'an address such as'],
])('%s is no address of an account', (address, problem) => {
  expect(webhookProblem(address)).toContain(problem);
});

it('is https, or what the operator allows', () => {
  expect(webhookProblem('https://hooks.example/x?y')).toBeUndefined();
  expect(webhookProblem('http://127.0.0.1:9/x', true)).toBeUndefined();
  expect(webhookProblem('file:///etc/passwd', true)).toBeDefined();
  expect(toSecretBytes('whsec_c2hvcnQ=')).toBeUndefined();
  expect(toSecretBytes('secret')).toBeUndefined();
});
