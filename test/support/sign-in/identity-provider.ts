import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The parts of oidc-provider that the tests use, which brings no types. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options: { readonly mergeWithLastSubmission: boolean },
  ): Promise<void>;
  readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

interface Interaction {
  readonly prompt: { readonly name: string };
  readonly params: Readonly<Record<string, string>>;
  readonly session?: { readonly accountId: string };
}

type ProviderClass = new (issuer: string, configuration: object) => Provider;

export const clientId = 'hearth';
export const clientSecret = 'the-secret-of-hearth-at-its-provider';

/** Where tests have the page; browsers of tests know where that is. */
export const pageUrl = 'http://hearth.test/';
export const callbackUrl = `${pageUrl}page/oidc/callback`;

export type Claims = Readonly<Record<string, unknown>>;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signingJwk = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };

/** The settings of hearth for a provider. */
export const oidcFor = (issuer: string) => ({
  issuer,
  url: pageUrl,
  name: 'the school',
  clientId,
  clientSecret: { env: 'OIDC_SECRET' },
  groups: [
    { name: 'teachers', plan: 'unlimited' },
    { name: 'pupils', plan: 'standard' },
  ],
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A provider whose ID tokens have claims that `forge` makes of the right ones, signed with its key or another. */
export async function openForger() {
  const forged: { change: (claims: Claims) => Claims; key: typeof privateKey } = {
    change: (claims) => claims,
    key: privateKey,
  };
  let nonce = '';
  const server = createServer((request, response) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      sub: 'eve',
      aud: clientId,
      iat: seconds,
      exp: seconds + 300,
      nonce,
      groups: ['pupils'],
    };
    const signed = `${part({ alg: 'RS256', kid: 'test' })}.${part(forged.change(claims))}`;
    const signature = createSign('RSA-SHA256').update(signed).sign(forged.key, 'base64url');
    const { n, e, kty } = signingJwk as Claims;
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      },
      '/jwks': { keys: [{ n, e, kty, kid: 'test', alg: 'RS256', use: 'sig' }] },
      '/token': { access_token: 'a', token_type: 'Bearer', id_token: `${signed}.${signature}` },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
  const issuer = await listening(server);
  return {
    issuer,
    /** The change of the next ID token, for the sign-in that began at `address`. */
    forge(address: string, change: (claims: Claims) => Claims, isSignedByOther = false): string {
      const { searchParams } = new URL(address);
      nonce = searchParams.get('nonce') ?? '';
      forged.change = change;
      forged.key = isSignedByOther ? otherKey : privateKey;
      const state = searchParams.get('state') ?? '';
      return `${callbackUrl}?${new URLSearchParams({ code: 'any', state, iss: issuer }).toString()}`;
    },
    close: () => closed(server),
  };
}

/**
 * A real provider of OpenID Connect, oidc-provider, on a free port. It lets in whoever `next` names, without a question;
 * null: it refuses.
 */
export async function openIdentityProvider() {
  const name: string = 'oidc-provider';
  const { Provider: Class } = (await import(name)) as { readonly Provider: ProviderClass };
  const server = createServer();
  const issuer = await listening(server);
  const people = new Map<string, Claims>();
  const state: { next: string | null } = { next: null };
  const provider = new Class(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callbackUrl] }],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/enter' },
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [signingJwk] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
  const answer = provider.callback();
  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const merged = { mergeWithLastSubmission: true };
    if (state.next === null)
      return await provider.interactionFinished(request, response, { error: 'access_denied' }, merged);
    if (prompt.name === 'login')
      return await provider.interactionFinished(
        request,
        response,
        { login: { accountId: state.next } },
        merged,
      );
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params['client_id'] });
    grant.addOIDCScope(params['scope'] ?? '');
    await provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save() } },
      merged,
    );
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/enter') === true) void enter(request, response);
    else answer(request, response);
  });
  return {
    issuer,
    /** Lets the person with these claims in from now on, or nobody. */
    lets(subject: string | null, claims: Claims = {}): void {
      if (subject !== null) people.set(subject, claims);
      state.next = subject;
    },
    close: () => closed(server),
  };
}

export type IdentityProviderBench = Awaited<ReturnType<typeof openIdentityProvider>>;

/** A browser's cookies and redirects between two servers, of which `pageUrl` is at `origin`. */
export class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, Map<string, { readonly value: string; readonly path: string }>>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** One request, whose redirect is not followed. */
  async get(address: string): Promise<Response> {
    const { host, pathname } = new URL(address);
    const own = this.#cookies.get(host) ?? new Map();
    this.#cookies.set(host, own);
    const cookie = [...own]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(address.replace(pageUrl, `${this.#origin}/`), {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) own.delete(name);
      else own.set(name, { value, path });
    }
    return response;
  }

  /** Follows redirects until `isEnd` holds for an address, which is not asked any more. */
  async follow(address: string, isEnd: (address: string) => boolean): Promise<string> {
    let at = address;
    for (let hops = 0; hops < 20 && !isEnd(at); hops += 1) {
      const response = await this.get(at);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${at}: ${response.status} ${await response.text()}`);
      at = new URL(location, at).href;
    }
    return at;
  }

  /** A browser with the same cookies. */
  copy(): Browser {
    const twin = new Browser(this.#origin);
    for (const [host, cookies] of this.#cookies) twin.#cookies.set(host, new Map(cookies));
    return twin;
  }
}
