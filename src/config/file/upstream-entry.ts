import { z } from 'zod';
import type { SecretSetting, UpstreamSpec } from '../../engine/upstream/upstream-spec.ts';
import type { Environment } from '../paths.ts';
import { readSetting, secretSource } from '../values/secret-source.ts';

const mostAddresses = 64;
const mostConcurrency = 10_000;
/** As long as a heading of a list is read with one look. */
const mostLabelChars = 60;
const addressRule = 'must be the base address of an API such as http://10.0.0.5:8000/v1';

const text = z.string().min(1);
const url = z.string().refine(isBaseUrl, { error: `${addressRule}, without a user, a query or a #` });
const addresses = z
  .union([url, z.array(url).min(1).max(mostAddresses)], {
    error: `${addressRule}, or a list of such addresses`,
  })
  .transform((urls) => [...new Set([urls].flat().map((address) => address.replace(/\/+$/, '')))]);

/** The schema of `upstream`, for a model that other servers run; `duration` is the schema of a time that ends. */
export const upstreamSchema = (duration: z.ZodType<number>) =>
  z.strictObject({
    url: addresses,
    model: text.optional(),
    label: text.max(mostLabelChars).optional(),
    apiKey: secretSource.optional(),
    // Requests at a time; the others wait in the fair queue.
    concurrency: z.int().min(1).max(mostConcurrency).default(64),
    timeout: duration.default(10 * 60_000),
  });

/** How the model `id` is reached. Files become absolute by `resolve`. */
export function toUpstreamSpec(
  id: string,
  { url: urls, model = id, label, apiKey, timeout: timeoutMs }: z.output<ReturnType<typeof upstreamSchema>>,
  resolve: (file: string) => string,
  env: Environment,
): UpstreamSpec {
  return { urls, model, label, apiKey: apiKey && toSecret(apiKey, resolve, env), timeoutMs };
}

function toSecret(
  source: z.output<typeof secretSource>,
  resolve: (file: string) => string,
  env: Environment,
): SecretSetting {
  if ('env' in source)
    return {
      origin: `the environment variable ${source.env}`,
      variable: source.env,
      read: () => readSetting(source, env),
    };
  const file = resolve(source.file);
  return { origin: `the file ${file}`, read: () => readSetting({ file }, env) };
}

function isBaseUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
