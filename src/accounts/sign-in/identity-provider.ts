import type * as OpenIdClient from 'openid-client';
import { LRUCache } from 'lru-cache';
import type { SettingValue } from '../../mcp/server-spec.ts';

/** Where people sign in, and which plans their groups get: an issuer of OpenID Connect. */
export interface ProviderSettings {
  readonly issuer: string;
  /** On the page's button. */
  readonly name: string;
  /** The page as browsers reach it; ends in a slash. */
  readonly pageUrl: string;
  readonly clientId: string;
  /** undefined: a public client. */
  readonly clientSecret: SettingValue | undefined;
  readonly scopes: readonly string[];
  /** The claim that has a person's groups. */
  readonly groupsClaim: string;
  /** The first that a person is in decides. */
  readonly groups: readonly { readonly name: string; readonly plan: string }[];
  /** The plan of people who are in none of the groups; undefined: they are refused. */
  readonly defaultPlan: string | undefined;
}

/** A person as the provider vouches for them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Names that the account may get, the best first. */
  readonly names: readonly string[];
  readonly groups: readonly string[];
}

/** The secrets that a browser keeps between the start and the end of a sign-in. */
export interface StartedSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly expiresAtMs: number;
}

export class SignInRefused extends Error {}

const answerSeconds = 10;
const clockToleranceSeconds = 60;
/** The provider's own addresses are looked up again after this. */
const knownMs = 3_600_000;
const mostFinished = 10_000;
export const signInMs = 10 * 60_000;

type Found = readonly [typeof OpenIdClient, OpenIdClient.Configuration];

/**
 * Sends browsers to the provider, and reads the answers that they bring back. The provider is first asked when somebody
 * signs in.
 */
export class IdentityProvider {
  readonly settings: ProviderSettings;
  readonly #readSecret: (secret: SettingValue) => string | undefined;
  #found: { readonly untilMs: number; readonly value: Promise<Found> } | undefined;
  readonly #finished = new LRUCache<string, true>({ max: mostFinished, ttl: signInMs });

  constructor(settings: ProviderSettings, readSecret: (secret: SettingValue) => string | undefined) {
    this.settings = settings;
    this.#readSecret = readSecret;
  }

  get callbackUrl(): string {
    return `${this.settings.pageUrl}page/oidc/callback`;
  }

  /** Resolves where the provider answers as it should. */
  async check(): Promise<void> {
    await this.#find();
  }

  /**
   * Where to send a browser, and the sign-in that it has to keep. `asksAnew`: the provider asks who it is, even if it
   * knows.
   */
  async start(
    nowMs: number,
    asksAnew: boolean,
  ): Promise<{ readonly address: string; readonly kept: StartedSignIn }> {
    const [client, configuration] = await this.#find();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const verifier = client.randomPKCECodeVerifier();
    const { href } = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl,
      scope: this.settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(asksAnew && { prompt: 'login' }),
    });
    return { address: href, kept: { state, nonce, verifier, expiresAtMs: nowMs + signInMs } };
  }

  /**
   * Who came back with the query `search`, for a sign-in that can be finished once. Throws SignInRefused where the
   * provider did not let them in, and other errors where the query is not its answer to this start.
   */
  async finish(search: string, { state, nonce, verifier }: StartedSignIn): Promise<Identity> {
    if (this.#finished.has(state)) throw new Error('this sign-in was finished before');
    const [client, configuration] = await this.#find();
    const url = new URL(this.callbackUrl);
    url.search = search;
    if (url.searchParams.get('state') === state) this.#finished.set(state, true);
    const tokens = await client
      .authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        const isRefusal = error instanceof client.AuthorizationResponseError;
        throw isRefusal && error.error === 'access_denied' ? new SignInRefused(error.error) : error;
      });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider sent no ID token');
    const more =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const all: Readonly<Record<string, unknown>> = { ...claims, ...more };
    return {
      issuer: claims.iss,
      subject: claims.sub,
      names: textsIn([all['preferred_username'], all['name'], all['email']]),
      groups: textsIn([all[this.settings.groupsClaim]].flat()),
    };
  }

  async #find(): Promise<Found> {
    const nowMs = performance.now();
    if (this.#found !== undefined && nowMs < this.#found.untilMs) return await this.#found.value;
    const value = this.#discover();
    const found = { value, untilMs: nowMs + knownMs };
    this.#found = found;
    value.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return await value;
  }

  /** The library is loaded where it is needed: few servers have a provider. */
  async #discover(): Promise<Found> {
    const { issuer, clientId, clientSecret } = this.settings;
    const client = await import('openid-client');
    const secret = clientSecret && this.#readSecret(clientSecret);
    if (clientSecret !== undefined && secret === undefined)
      throw new Error('the clientSecret of oidc is nowhere');
    const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
    const { protocol } = new URL(issuer);
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      authentication,
      {
        timeout: answerSeconds,
        execute: [
          client.enableNonRepudiationChecks,
          // The settings allow plain HTTP on this machine only.
          ...(protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    return [client, configuration];
  }
}

const textsIn = (values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');
