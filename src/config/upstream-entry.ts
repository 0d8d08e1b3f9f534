import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RemotePlace } from '../engine/remote-engines.ts';
import type { UpstreamKey } from '../engine/upstream/upstream-spec.ts';
import type { Environment } from './paths.ts';

const defaultConcurrency = 64;
const defaultTimeoutMs = 10 * 60_000;
const mostAddresses = 64;
const keyRule = 'must be { env: NAME } or { file: PATH }, so that the key itself does not stand here';

const text = z.string().min(1);
const url = z.string().refine(isBaseUrl, {
  error: 'must be the base address of an API such as http://10.0.0.5:8000/v1, without a user, a query or a #',
});

/** The keys under `upstream:` of a model; `duration` is the schema of a time that ends. */
export function upstreamSchema(duration: z.ZodType<number>) {
  return z.strictObject({
    url: z.union([url, z.array(url).min(1).max(mostAddresses)], {
      error:
        'must be the base address of an API such as http://10.0.0.5:8000/v1, or a list of such addresses',
    }),
    model: text.optional(),
    apiKey: z
      .union([z.strictObject({ env: text }), z.strictObject({ file: text })], { error: keyRule })
      .optional(),
    concurrency: z.int().min(1).max(10_000).default(defaultConcurrency),
    timeout: duration.default(defaultTimeoutMs),
  });
}

type UpstreamEntry = z.output<ReturnType<typeof upstreamSchema>>;

/** Where the model `id` runs. Files become absolute by `resolve`. */
export function toUpstream(
  id: string,
  { url: urls, model = id, apiKey, timeout: timeoutMs }: UpstreamEntry,
  resolve: (file: string) => string,
  env: Environment,
): RemotePlace {
  const spec = {
    urls: [...new Set([urls].flat().map((address) => address.replace(/\/+$/, '')))],
    model,
    apiKey: apiKey && toKey(apiKey, resolve, env),
    timeoutMs,
  };
  return {
    engine: 'upstream',
    spec,
    version: () =>
      createHash('sha256')
        .update(JSON.stringify(spec))
        .update(spec.apiKey?.read() ?? '')
        .digest('hex'),
  };
}

function toKey(
  source: NonNullable<UpstreamEntry['apiKey']>,
  resolve: (file: string) => string,
  env: Environment,
): UpstreamKey {
  if ('env' in source)
    return { origin: `the environment variable ${source.env}`, read: () => env[source.env] || undefined };
  const file = resolve(source.file);
  return { origin: `the file ${file}`, read: () => readKeyFile(file) };
}

function readKeyFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function isBaseUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
