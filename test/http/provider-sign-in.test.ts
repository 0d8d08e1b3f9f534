import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { toProvider, oidcSchema } from '../../src/config/file/oidc-entry.ts';
import { signInFindings } from '../../src/cli/doctor/examine.ts';
import type { Config } from '../../src/config/types.ts';
import { hello } from '../support/fakes/http-service.ts';
import { itemsOf, listenWithAccounts, type AdminService } from '../support/fakes/admin-service.ts';
import {
  Browser,
  callbackUrl,
  clientSecret,
  oidcFor,
  openForger,
  openIdentityProvider,
  pageUrl,
  type IdentityProviderBench,
} from '../support/sign-in/identity-provider.ts';

const startUrl = `${pageUrl}page/oidc`;
const isPage = (address: string) => address.startsWith(`${pageUrl}#`);
const settingsFor = (issuer: string, more: object = {}) =>
  toProvider(oidcSchema.parse({ ...oidcFor(issuer), ...more }), (file) => file);

let house: IdentityProviderBench;
let service: AdminService;
let browser: Browser;

beforeAll(async () => {
  house = await openIdentityProvider();
});
beforeEach(async () => {
  service = await listenWithAccounts(settingsFor(house.issuer));
  service.clock.nowMs = Date.now();
  browser = new Browser(service.http.origin);
});
afterEach(() => service.close());
afterAll(() => house.close());

/** The key of the session to which the page's address leads; undefined: it leads to none. */
async function keyAt(address: string): Promise<string | undefined> {
  const code = /#code=(.+)$/.exec(address)?.[1];
  if (code === undefined) return undefined;
  const session = await service.ask('POST', '/page/session', { code });
  expect(Object.keys(session)).toEqual(['user']);
  return String(session['user']);
}

const signIn = async () => await browser.follow(startUrl, isPage);
const accountNamed = async (name: string) =>
  itemsOf(await service.ask('GET', '/admin/v1/accounts')).find((account) => account['name'] === name);

it('makes an account by issuer and subject, and finds it again under another name', async () => {
  expect(await (await fetch(`${service.http.origin}/page/session`)).json()).toEqual({
    object: 'sign_in',
    provider: { name: 'the school', address: startUrl },
  });
  house.lets('ada-1', { preferred_username: 'ada', groups: ['pupils'] });
  const key = await keyAt(await signIn());
  expect((await service.send('GET', '/v1/models', undefined, key)).status).toBe(200);
  const account = await accountNamed('ada');
  expect(account).toMatchObject({ plan: 'standard' });
  house.lets('ada-1', { preferred_username: 'lovelace', groups: ['pupils'] });
  await keyAt(await signIn());
  expect(await accountNamed('lovelace')).toBeUndefined();
  const keys = itemsOf(await service.ask('GET', '/admin/v1/keys?account=ada'));
  expect(keys).toMatchObject([{ state: 'active' }, { state: 'active' }]);
  const [made] = itemsOf(await service.ask('GET', '/admin/v1/audit')).filter(
    ({ act }) => act === 'account.create',
  );
  expect(made).toMatchObject({ actor: house.issuer, subject: account?.['id'], after: { name: 'ada' } });
});

it('gives the plan of the groups at each sign-in, and none without a group', async () => {
  house.lets('kim', { preferred_username: 'kim', groups: ['staff', 'pupils', 'teachers'] });
  const key = await keyAt(await signIn());
  expect(await accountNamed('kim')).toMatchObject({ plan: 'unlimited' });
  house.lets('kim', { preferred_username: 'kim', groups: 'pupils' });
  await signIn();
  expect(await accountNamed('kim')).toMatchObject({ plan: 'standard' });
  const changes = itemsOf(await service.ask('GET', '/admin/v1/audit')).filter(
    ({ act }) => act === 'account.change',
  );
  expect(changes).toMatchObject([
    { actor: house.issuer, before: { plan: 'unlimited' }, after: { plan: 'standard' } },
  ]);
  house.lets('kim', { preferred_username: 'kim', groups: ['Pupils'] });
  expect(await signIn()).toBe(`${pageUrl}#sign-in=refused`);
  // The keys of somebody who is not let in any more open nothing.
  expect((await service.send('GET', '/v1/models', undefined, key)).status).toBe(401);
  house.lets('stranger', { preferred_username: 'stranger' });
  expect(await signIn()).toBe(`${pageUrl}#sign-in=refused`);
  expect(await accountNamed('stranger')).toBeUndefined();
});

it('says so where the provider lets somebody not in', async () => {
  house.lets(null);
  expect(await signIn()).toBe(`${pageUrl}#sign-in=refused`);
});

it.each([
  [{ preferred_username: 'ROOT' }, 'ROOT 2'],
  [{ preferred_username: '\u001b[31m\u202eroot\u0000/', name: 'x' }, '31mroot'],
  [{ preferred_username: '\u0007…', name: '', email: 'zoë@example.org' }, 'zoë@example.org'],
  [{ preferred_username: 'acct_0123456789abcdef' }, 'person'],
  [{ preferred_username: { $: 1 }, name: 'n'.repeat(80) }, 'n'.repeat(56)],
])('makes an account of its own for somebody called %j', async (claims, name) => {
  house.lets(`called ${name}`, { ...claims, groups: ['pupils'] });
  const key = await keyAt(await signIn());
  expect((await service.send('GET', '/admin/v1/accounts', undefined, key)).status).toBe(403);
  expect(await accountNamed(name)).toMatchObject({ plan: 'standard' });
});

it('gives no new allowances with another sign-in, and shows what was used in all of them', async () => {
  house.lets('again', { preferred_username: 'again', groups: ['pupils'] });
  const remaining: (string | null)[] = [];
  let key: string | undefined;
  for (let round = 0; round < 3; round += 1) {
    key = await keyAt(await signIn());
    const answer = await service.send('POST', '/v1/chat/completions', hello, key);
    remaining.push(answer.headers.get('x-ratelimit-remaining-requests'));
  }
  expect(remaining).toEqual(['599', '598', '597']);
  const usage = await service.send('GET', '/v1/usage', undefined, key);
  expect(await usage.json()).toMatchObject({ data: [{ requests: 3 }] });
  // A session that is over has its key used again.
  await service.send('DELETE', '/page/session', undefined, key);
  await keyAt(await signIn());
  expect(itemsOf(await service.ask('GET', '/admin/v1/keys?account=again'))).toHaveLength(3);
  const list = await service.send('GET', '/admin/v1/usage?by=account&account=again');
  expect(await list.json()).toMatchObject({ data: [{ label: 'again', requests: 3 }] });
});

it('signs out: the key of the session opens nothing, and others stay', async () => {
  house.lets('eve', { preferred_username: 'eve', groups: ['pupils'] });
  const key = await keyAt(await signIn());
  expect(await (await service.send('DELETE', '/page/session', undefined, key)).json()).toEqual({
    object: 'session',
    ended: true,
  });
  expect((await service.send('GET', '/v1/models', undefined, key)).status).toBe(401);
  expect((await service.send('DELETE', '/page/session', undefined, key)).status).toBe(401);
  const account = await accountNamed('eve');
  const { secret } = service.keys.create({ accountId: String(account?.['id']), name: 'laptop' });
  expect(await (await service.send('DELETE', '/page/session', undefined, secret)).json()).toMatchObject({
    ended: false,
  });
  expect((await service.send('GET', '/v1/models', undefined, secret)).status).toBe(200);
  const asked = (await browser.get(`${startUrl}?anew=true`)).headers.get('location') ?? '';
  expect(new URL(asked).searchParams.get('prompt')).toBe('login');
});

it('takes an answer once, from the browser that began, and leads nowhere but to the page', async () => {
  house.lets('once', { preferred_username: 'once', groups: ['pupils'] });
  const answer = await browser.follow(startUrl, (address) => address.startsWith(callbackUrl));
  const failed = `${pageUrl}#sign-in=failed`;
  const target = async (one: Browser, address: string) => (await one.get(address)).headers.get('location');
  expect(await target(new Browser(service.http.origin), answer)).toBe(failed);
  const [thief, late, other] = [browser.copy(), browser.copy(), browser.copy()];
  expect(await target(other, answer.replace(/state=[^&]+/, 'state=other'))).toBe(failed);
  expect(await target(other.copy(), `${callbackUrl}?code=x`)).toBe(failed);
  service.clock.nowMs += 11 * 60_000;
  expect(await target(late, answer)).toBe(failed);
  service.clock.nowMs -= 11 * 60_000;
  expect(await keyAt((await target(browser, `${answer}&return=https://evil.example`)) ?? '')).toBeDefined();
  expect(await target(thief, answer)).toBe(failed);
  expect(await target(browser, answer)).toBe(failed);
});

it('holds nothing of hundreds of starts that nobody finishes', async () => {
  house.lets('patient', { preferred_username: 'patient', groups: ['pupils'] });
  const first = await browser.follow(startUrl, (address) => address.startsWith(callbackUrl));
  for (let count = 0; count < 300; count += 1) await new Browser(service.http.origin).get(startUrl);
  expect(await keyAt((await browser.get(first)).headers.get('location') ?? '')).toBeDefined();
});

it('takes no ID token that is not for this client, this issuer, this start and this time', async () => {
  const forger = await openForger();
  const forged = await listenWithAccounts(settingsFor(forger.issuer, { defaultPlan: 'trial' }));
  forged.clock.nowMs = Date.now();
  const seconds = Math.floor(Date.now() / 1000);
  const isTaken = async (change: object, otherSignature = false, query = '') => {
    const own = new Browser(forged.http.origin);
    const address = (await own.get(startUrl)).headers.get('location') ?? '';
    const answer = forger.forge(address, (claims) => ({ ...claims, ...change }), otherSignature);
    const { search } = new URL(`${answer}${query}`);
    const parameters = new URLSearchParams(search);
    if (query !== '') parameters.set('iss', query);
    const location = (await own.get(`${callbackUrl}?${parameters.toString()}`)).headers.get('location') ?? '';
    return location.includes('#code=');
  };
  try {
    expect(await isTaken({})).toBe(true);
    // Clocks differ by a minute at most.
    expect(await isTaken({ iat: seconds + 30, exp: seconds + 300 })).toBe(true);
    expect(await isTaken({ exp: seconds - 30 })).toBe(true);
    expect(await isTaken({ exp: seconds - 300 })).toBe(false);
    expect(await isTaken({ iat: seconds + 600, nbf: seconds + 600 })).toBe(false);
    expect(await isTaken({ aud: 'another client' })).toBe(false);
    expect(await isTaken({ aud: ['hearth', 'another'], azp: 'another' })).toBe(false);
    expect(await isTaken({ iss: 'https://elsewhere.example' })).toBe(false);
    expect(await isTaken({ nonce: 'of another start' })).toBe(false);
    expect(await isTaken({ nonce: undefined })).toBe(false);
    expect(await isTaken({}, true)).toBe(false);
    expect(await isTaken({}, false, 'https://elsewhere.example')).toBe(false);
  } finally {
    await forger.close();
    await forged.close();
  }
});

it('says that a provider does not answer, and is not there without the setting', async () => {
  const alone = await listenWithAccounts(settingsFor('http://127.0.0.1:9'));
  const answer = await new Browser(alone.http.origin).get(startUrl);
  expect(answer.headers.get('location')).toBe(`${pageUrl}#sign-in=unavailable`);
  await alone.close();
  const plain = await listenWithAccounts();
  expect((await fetch(`${plain.http.origin}/page/oidc`)).status).toBe(404);
  expect((await fetch(`${plain.http.origin}/page/oidc/callback`)).status).toBe(404);
  expect(await (await fetch(`${plain.http.origin}/page/session`)).json()).toMatchObject({ provider: null });
  await plain.close();
});

it('lets the doctor say whether the provider answers, and which plans are missing', async () => {
  const { plans } = service.plans;
  const told = async (issuer: string, more: object = {}) =>
    await signInFindings({ oidc: settingsFor(issuer, more) } as Config, plans);
  process.env['OIDC_SECRET'] = clientSecret;
  expect(await told(house.issuer)).toMatchObject([
    { ok: true, finding: expect.stringContaining(callbackUrl) },
  ]);
  expect(await told(house.issuer, { clientSecret: { env: 'NOWHERE' } })).toMatchObject([{ ok: false }]);
  expect(await told('http://127.0.0.1:9')).toMatchObject([{ ok: false }]);
  expect(await told(house.issuer, { defaultPlan: 'golden' })).toMatchObject([
    { ok: false, finding: expect.stringContaining('golden') },
  ]);
  expect(await signInFindings({ oidc: undefined } as Config, plans)).toEqual([]);
});

it.each([
  [{ issuer: 'http://login.example.org' }, 'https address'],
  [{ url: 'ftp://x' }, 'address of the page'],
  [{ groups: [] }, 'lets nobody in'],
  [{ scopes: ['profile'] }, 'openid'],
  [{ clientSecret: 'itself' }, 'env: NAME'],
  [{ roles: [] }, 'Unrecognized'],
])('refuses the settings %j', (change, why) => {
  const { error } = oidcSchema.safeParse({ ...oidcFor('https://login.example.org'), ...change });
  expect(error?.message).toContain(why);
});
