import { lookup as dnsLookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isExplicitlyPrivate, privateTargetError, publicOnly } from './address-policy.ts';
import { DownloadError, toDownloadError } from '../download-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Network {
  readonly env: Environment;
  /** A connection that brings nothing for this long is given up. */
  readonly stallTimeoutMs: number;
  /** Names to addresses; default: the system's. */
  readonly lookup?: LookupFunction | undefined;
  /** Refuses every address inside this machine or its network, also one that the caller named. */
  readonly publicOnly?: boolean | undefined;
}

export interface HttpRequest {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent to the host of the first request only, never along a redirect to another one. */
  readonly authorization?: string | undefined;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  /** Where the last redirect led. */
  readonly url: URL;
  /** To be read to its end or destroyed. */
  readonly body: IncomingMessage;
}

/** A POST of `body` as it stands. */
export interface HttpPost extends HttpRequest {
  readonly body: string;
}

const maxRedirects = 5;
const userAgent = 'hearth';

/**
 * The response to a GET, redirects followed. Refused are redirects from https to http, and redirects to a private
 * address unless `url` itself has a private one. Rejects with DownloadError; `signal`'s reason on abort.
 */
export async function httpGet(url: URL, request: HttpRequest, network: Network): Promise<HttpResponse> {
  let target = url;
  for (let hops = 0; ; hops++) {
    const isElsewhere = target.host !== url.host;
    const mustBePublic = network.publicOnly === true || (isElsewhere && !isExplicitlyPrivate(url));
    if (mustBePublic && isExplicitlyPrivate(target)) throw privateTargetError(target.host);
    const authorization = isElsewhere ? undefined : request.authorization;
    const response = await send(target, { ...request, authorization }, network, mustBePublic);
    const { headers, statusCode = 0 } = response.body;
    const { location } = headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return response;
    response.body.destroy();
    if (hops >= maxRedirects)
      throw new DownloadError(`${url.host} redirects more than ${maxRedirects} times`);
    target = redirectTarget(location, target);
  }
}

/** The response to a POST, as it comes. Rejects as `httpGet`. */
export async function httpPost(url: URL, request: HttpPost, network: Network): Promise<HttpResponse> {
  const mustBePublic = network.publicOnly === true;
  if (mustBePublic && isExplicitlyPrivate(url)) throw privateTargetError(url.host);
  return await send(url, request, network, mustBePublic);
}

function redirectTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new DownloadError(`${from.host} redirects to something that is no URL`);
  const target = new URL(location, from);
  if (target.protocol !== 'https:' && target.protocol !== from.protocol) {
    throw new DownloadError(`${from.host} redirects from ${from.protocol}// to ${target.protocol}//`);
  }
  return target;
}

function send(
  url: URL,
  { headers, authorization, signal, body: sent }: HttpRequest & Partial<HttpPost>,
  { env, stallTimeoutMs, lookup = dnsLookup }: Network,
  mustBePublic: boolean,
): Promise<HttpResponse> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return Promise.reject(new DownloadError(`${url.protocol}// cannot be downloaded from`));
  }
  signal.throwIfAborted();
  const module = url.protocol === 'https:' ? https : http;
  const proxy = proxyFor(url, env);
  // A proxy resolves the names itself, so their addresses cannot be checked here.
  const connection =
    proxy === undefined
      ? { agent: new module.Agent(), lookup: mustBePublic ? publicOnly(lookup) : lookup }
      : { agent: new module.Agent({ proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }) };
  return new Promise((resolve, reject) => {
    const request = module.request(url, {
      method: sent === undefined ? 'GET' : 'POST',
      ...connection,
      signal,
      headers: {
        'user-agent': userAgent,
        // Ranges, lengths and hashes apply to the file itself, not to a compressed form of it.
        'accept-encoding': 'identity',
        ...headers,
        ...(authorization !== undefined && { authorization }),
      },
    });
    let response: IncomingMessage | undefined;
    // Once there is a response, it is destroyed instead: otherwise the reader of the body would get another error.
    request.setTimeout(stallTimeoutMs, () => {
      const seconds = Math.max(1, Math.round(stallTimeoutMs / 1000));
      const stalled = new DownloadError(`${url.host} sent nothing for ${seconds} s`, { retryable: true });
      (response ?? request).destroy(stalled);
    });
    request.on('error', (error) => reject(toDownloadError(error, url, signal)));
    request.on('response', (body) => {
      response = body;
      const encoding = body.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity' && sent === undefined) {
        body.destroy();
        reject(new DownloadError(`${url.host} insists on sending the file compressed (${encoding})`));
        return;
      }
      resolve({ url, body });
    });
    request.end(sent);
  });
}

/** The proxy that the environment names for `url`; undefined: none. Throws DownloadError when it cannot be used. */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const variable = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[variable] ?? env[variable.toUpperCase()];
  if (proxy === undefined || proxy === '') return undefined;
  const exempt = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  if (exempt.split(/[\s,]+/).some((rule) => isExempt(url, rule.toLowerCase()))) return undefined;
  const proxyUrl = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (URL.canParse(proxyUrl) && /^https?:/i.test(proxyUrl)) return proxyUrl;
  // The value may hold a password: it is not shown.
  throw new DownloadError(`${variable} names no proxy that can be used`, {
    hint: 'write http://host:port; other protocols than http and https are not spoken',
  });
}

/** Rules are `*`, a host, a domain with or without a leading dot or `*.`, each with or without a port. */
function isExempt(url: URL, rule: string): boolean {
  if (rule === '') return false;
  if (rule === '*') return true;
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const match = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(rule.replace(/^\[(.*)\]/, '$1'));
  // An IPv6 address contains colons, which do not begin a port: it is compared as a whole.
  if (rule === host) return true;
  const [, domain = rule, port] = match ?? [];
  const urlPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port !== undefined && port !== urlPort) return false;
  return host === domain || host.endsWith(`.${domain}`);
}
