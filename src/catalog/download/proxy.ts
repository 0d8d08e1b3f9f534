export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for `url` (http_proxy, https_proxy, no_proxy, in either case; the
 * lower one wins); undefined: none, or `url` is exempt.
 */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[scheme] ?? env[scheme.toUpperCase()];
  if (proxy === undefined || proxy === '') return undefined;
  const exempt = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return exempt.split(/[\s,]+/).some((rule) => isExempt(url, rule.toLowerCase())) ? undefined : proxy;
}

/** Rules are `*`, a host, a domain with or without a leading dot or `*.`, each with or without a port. */
function isExempt(url: URL, rule: string): boolean {
  if (rule === '') return false;
  if (rule === '*') return true;
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const match = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(rule.replace(/^\[(.*)\]/, '$1'));
  // An IPv6 address holds colons of its own: it is compared as it stands.
  if (rule === host) return true;
  const [, domain = rule, port] = match ?? [];
  const urlPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port !== undefined && port !== urlPort) return false;
  return host === domain || host.endsWith(`.${domain}`);
}
