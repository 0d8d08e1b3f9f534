import { afterEach, beforeEach, expect, it } from 'vitest';
import { SignInCodes } from '../../src/accounts/sign-in/sign-in-codes.ts';
import { itemsOf, listenWithAccounts, type AdminService } from '../support/fakes/admin-service.ts';
import { expectError } from '../support/wire/error-envelope.ts';
import { hello } from '../support/fakes/http-service.ts';

let service: AdminService;

beforeEach(async () => {
  service = await listenWithAccounts();
});
afterEach(() => service.close());

async function* eventsOf(response: Response): AsyncGenerator<{ type: string; data: unknown }> {
  let rest = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as { type: string; data: unknown };
  }
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

it('shows browsers the page, which may load nothing from elsewhere; others get not_found', async () => {
  const response = await fetch(`${service.http.origin}/`, { headers: browser });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  const etag = response.headers.get('etag') ?? '';
  const again = await fetch(`${service.http.origin}/`, { headers: { ...browser, 'if-none-match': etag } });
  expect(again.status).toBe(304);
  await expectError(
    await fetch(`${service.http.origin}/`, { headers: { accept: 'application/json' } }),
    'not_found',
  );
  const text = await (await fetch(`${service.http.origin}/`, { headers: { accept: '*/*' } })).text();
  expect(text.split('\n')).toHaveLength(4);
  for (const path of ['/v1', '/docs/pages', '/readyz']) expect(text).toContain(service.http.origin + path);
});

it.each(['nothing.js', '..%2F..%2Fpackage.json', '%2e%2e%2findex.html', 'x.br', 'a%00.js'])(
  'has no file %s',
  async (name) => {
    await expectError(await fetch(`${service.http.origin}/assets/${name}`), 'not_found');
  },
);

it('has scripts that clients may keep for ever, compressed for those who take that', async () => {
  const html = await (await fetch(`${service.http.origin}/`, { headers: browser })).text();
  const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(html) ?? [];
  const response = await fetch(`${service.http.origin}/${script}`, { headers: { 'accept-encoding': 'br' } });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const plain = await fetch(`${service.http.origin}/${script}`, { headers: { 'accept-encoding': 'gzip' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.text()).toBe(await response.text());
});

it('takes at most 60 kB at the first visit, until one can write', async () => {
  const get = (path: string) =>
    fetch(`${service.http.origin}/${path}`, { headers: { ...browser, 'accept-encoding': 'br' } });
  const html = await (await get('')).text();
  const parts = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path = '']) => path);
  const styles = await (await get(parts.find((path) => path.endsWith('.css')) ?? '')).text();
  // The first font has all that English takes.
  const font = /url\(\.\/([^)]+\.woff2)\)/.exec(styles)?.[1] ?? '';
  const sizes = await Promise.all(
    ['', ...parts, `assets/${font}`].map(async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      const headers = [...response.headers].join('\r\n').length;
      return Number(response.headers.get('content-length')) + headers;
    }),
  );
  expect(sizes.length).toBeGreaterThan(4);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
});

it('can be installed as an app, which begins at the page, with a picture for every system', async () => {
  const html = await (await fetch(`${service.http.origin}/`, { headers: browser })).text();
  const place = new URL(/rel="manifest" href="([^"]+)"/.exec(html)?.[1] ?? '', service.http.origin);
  const response = await fetch(place);
  expect(response.headers.get('content-type')).toBe('application/manifest+json');
  const { start_url, scope, display, icons } = (await response.json()) as {
    start_url: string;
    scope: string;
    display: string;
    icons: { src: string; type: string }[];
  };
  expect([start_url, scope].map((path) => new URL(path, place).pathname)).toEqual(['/', '/']);
  expect([display, icons.map(({ type }) => type)]).toEqual(['standalone', ['image/svg+xml', 'image/png']]);
  for (const { src, type } of icons)
    expect((await fetch(new URL(src, place))).headers.get('content-type')).toBe(type);
});

it('tells what a key may still use of each model, and takes nothing for that', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { key, secret } = service.keys.create({ accountId, allowedModels: ['tiny'] });
  const asked = await service.send('POST', '/v1/chat/completions', { ...hello, model: 'tiny' }, secret);
  expect(asked.status).toBe(200);
  const own = (await (await service.send('GET', '/v1/limits', undefined, secret)).json()) as object;
  const perMinute = { object: 'limit', model: 'tiny', measure: 'requests', window: 'minute' };
  expect(itemsOf(own as never)).toContainEqual({
    ...perMinute,
    limit: 60,
    remaining: 59,
    full_in_seconds: 1,
  });
  expect(own).toMatchObject({ account: 'alice' });
  expect(await service.ask('GET', `/admin/v1/keys/${key.id}/limits`)).toEqual(own);
  await expectError(await service.send('GET', '/admin/v1/keys/key_x/limits'), 'not_found', 'id');
});

it('tells of each model what its requests are charged by, and nothing else', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { secret } = service.keys.create({ accountId });
  const own = (await (await service.send('GET', '/v1/limits', undefined, secret)).json()) as never;
  const ofModel = (id: string) => {
    const limits = itemsOf(own).filter(({ model }) => model === id);
    return new Set(limits.map(({ measure }) => measure));
  };
  expect(ofModel('tiny')).toEqual(new Set(['requests', 'input_tokens', 'output_tokens']));
  expect(ofModel('ears')).toEqual(new Set(['requests', 'audio_seconds']));
});

it('tells a key when its trial ends, and what holds then', async () => {
  const { id: accountId, trialEndsAtMs } = service.accounts.create({ name: 'alice', plan: 'trial' });
  const { secret } = service.keys.create({ accountId });
  const limits = async () =>
    (await (await service.send('GET', '/v1/limits', undefined, secret)).json()) as object;
  expect(trialEndsAtMs).not.toBeNull();
  const endMs = trialEndsAtMs ?? 0;
  expect(await limits()).toMatchObject({ plan: 'trial', plan_ends_at: Math.floor(endMs / 1000) });
  service.clock.nowMs = endMs;
  expect(await limits()).toMatchObject({ plan: 'reduced', plan_ends_at: null });
});

it('tells a key what it has used itself, and nothing of others', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const [mine = '', other = ''] = [0, 1].map(() => service.keys.create({ accountId }).secret);
  for (const secret of [mine, other, other])
    await service.send('POST', '/v1/chat/completions', { ...hello, model: 'tiny' }, secret);
  const usage = (await (await service.send('GET', '/v1/usage?step=day', undefined, mine)).json()) as object;
  expect(usage).toMatchObject({
    by: 'model',
    step: 'day',
    data: [{ group: 'tiny', requests: 1, completion_tokens: 2 }],
  });
  const foreign = await service.send('GET', '/v1/usage?key=key_x', undefined, mine);
  expect(itemsOf((await foreign.json()) as never)).toMatchObject([{ requests: 1 }]);
});

it('tells operators what happens as it happens, without prompts', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { secret } = service.keys.create({ accountId });
  const response = await service.send('GET', '/admin/v1/events');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  expect(JSON.parse(first?.value?.slice('data: '.length) ?? '')).toMatchObject({ type: 'models' });
  await (await service.send('POST', '/v1/chat/completions', { ...hello, model: 'tiny' }, secret)).text();
  const next = await reader?.read();
  expect(next?.value).not.toContain('Hello');
  expect(JSON.parse(next?.value?.slice('data: '.length) ?? '')).toMatchObject({
    type: 'requests',
    data: [{ route: '/v1/chat/completions', status: 200, model: 'tiny', completion_tokens: 2 }],
  });
  await reader?.cancel();
});

it('tells operators that a client left or stopped its stream, and which model a refused request named', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { secret } = service.keys.create({ accountId });
  const ask = (body: object, signal?: AbortSignal, name?: string) =>
    fetch(`${service.http.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        ...(name !== undefined && { 'x-conversation-id': name }),
      },
      body: JSON.stringify({ ...hello, model: 'tiny', ...body }),
      signal: signal ?? null,
    });
  expect((await ask({ max_tokens: -1 })).status).toBe(400);
  service.http.engine.script = { steps: [{ text: 'Hello' }, { waitMs: 20_000 }] };
  const leaving = new AbortController();
  const { body } = await ask({ stream: true }, leaving.signal);
  await body?.getReader().read();
  leaving.abort();
  const named = await ask({ stream: true }, undefined, 'named');
  await service.send('DELETE', '/v1/stream/named', undefined, secret);
  await named.text();
  const told: object[] = [];
  for await (const event of eventsOf(await service.send('GET', '/admin/v1/events'))) {
    if (event.type === 'requests') told.push(...(event.data as object[]));
    if (told.length === 3) break;
  }
  expect(told[0]).toMatchObject({ status: 400, model: 'tiny', client_left: false, stopped: false });
  // Two that end at the same time end in any order.
  expect(told).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ status: 200, model: 'tiny', client_left: true, stopped: true }),
      expect.objectContaining({
        client_left: false,
        stopped: true,
        completion_tokens: 1,
        audio_seconds: null,
      }),
    ]),
  );
  const metrics = await service.http.metrics.render();
  expect(metrics).toMatch(/requests_total\{[^}]*model="",status="400"\} 1/);
});

it('tells operators what runs and what waits, as long as it does', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { key, secret } = service.keys.create({ accountId });
  service.http.engine.script = {
    steps: [{ text: 'Hello' }, { text: ' there' }, { waitMs: 1500 }, { text: '!' }],
  };
  const asked = service.send(
    'POST',
    '/v1/chat/completions',
    { ...hello, model: 'tiny', stream: true },
    secret,
  );
  const response = await service.send('GET', '/admin/v1/events');
  const running: unknown[] = [];
  for await (const event of eventsOf(response)) {
    if (event.type !== 'running') continue;
    running.push(event.data);
    if (Array.isArray(event.data) && event.data.length === 0) break;
  }
  await (await asked).text();
  expect(running.at(-1)).toEqual([]);
  expect(running).toContainEqual([
    expect.objectContaining({
      route: '/v1/chat/completions',
      model: 'tiny',
      key_id: key.id,
      state: 'computing',
      output_tokens: 2,
    }),
  ]);
});

it('lets operators stop a request, and writes down whose it was', async () => {
  const { id: accountId } = service.accounts.create({ name: 'alice' });
  const { secret } = service.keys.create({ accountId, name: 'runaway' });
  service.http.engine.script = { steps: [{ text: 'Hello' }, { waitMs: 60_000 }, { text: '!' }] };
  const request = { ...hello, model: 'tiny', stream: true };
  const asked = await service.send('POST', '/v1/chat/completions', request, secret);
  const id = asked.headers.get('x-request-id') ?? '';
  const cancelled = await service.send('POST', `/admin/v1/requests/${id}/cancel`);
  expect(await cancelled.json()).toMatchObject({ id, model: 'tiny', state: 'computing' });
  expect(await asked.text()).toMatch(/Hello.*"code":"request_cancelled"/s);
  const again = await service.send('POST', `/admin/v1/requests/${id}/cancel`);
  await expectError(again, 'not_found');
  const [act] = itemsOf(await service.ask('GET', '/admin/v1/audit'));
  expect(act).toMatchObject({
    act: 'request.cancel',
    subject: id,
    before: { name: 'tiny', key: 'runaway', accountName: 'alice' },
  });
});

it('suggests models for this machine, the best one marked', async () => {
  const suggestions = itemsOf(await service.ask('GET', '/admin/v1/model-suggestions'));
  expect(suggestions.filter(({ best }) => best)).toHaveLength(1);
  expect(suggestions.find(({ fits }) => fits === false)).toBeDefined();
});

it('signs in by a code once, within ten minutes, with keys of their own', async () => {
  const { store, accounts, keys, clock } = service;
  accounts.create({ name: 'local' });
  const codes = new SignInCodes({ store, accounts, keys, now: () => clock.nowMs });
  const code = codes.create();
  const { user, admin } = codes.redeem(code) ?? {};
  expect((await service.send('GET', '/v1/models', undefined, user)).status).toBe(200);
  expect((await service.send('GET', '/admin/v1/keys', undefined, admin)).status).toBe(200);
  expect(codes.redeem(code)).toBeUndefined();
  const late = codes.create();
  clock.nowMs += 10 * 60_000;
  expect(codes.redeem(late)).toBeUndefined();
  clock.nowMs += 12 * 3_600_000;
  expect((await service.send('GET', '/v1/models', undefined, user)).status).toBe(401);
});

it('refuses a code that it does not know', async () => {
  const exchange = (body: object) =>
    fetch(`${service.http.origin}/page/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await expectError(await exchange({ code: 'unknown' }), 'invalid_sign_in_code', 'code');
  await expectError(await exchange({}), 'missing_required_parameter', 'code');
  await expectError(await exchange({ code: 'x'.repeat(5000) }), 'request_too_large');
});
