import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RemoteSettings } from '../engine/remote/remote-engine.ts';
import {
  remoteEngineNames,
  remoteEngines,
  type RemoteEngineName,
  type RemotePlace,
} from '../engine/remote/remote-engines.ts';
import type { SecretSetting, SettingForm } from '../engine/remote/setting-forms.ts';
import type { Environment } from './paths.ts';

const mostAddresses = 64;
const addressRule = 'must be the base address of an API such as http://10.0.0.5:8000/v1';

const text = z.string().min(1);
const url = z.string().refine(isBaseUrl, { error: `${addressRule}, without a user, a query or a #` });
const addresses = z
  .union([url, z.array(url).min(1).max(mostAddresses)], {
    error: `${addressRule}, or a list of such addresses`,
  })
  .transform((urls) => [...new Set([urls].flat().map((address) => address.replace(/\/+$/, '')))]);
const secretSource = z.union([z.strictObject({ env: text }), z.strictObject({ file: text })], {
  error: 'must be { env: NAME } or { file: PATH }, so that the key itself does not stand here',
});

type EngineShape = Record<RemoteEngineName, z.ZodOptional<z.ZodObject<Record<string, z.ZodType>>>>;

/** The keys of a model that runs elsewhere, one for each engine; `duration` is the schema of a time that ends. */
export function remoteShape(duration: z.ZodType<number>): EngineShape {
  const shapes = remoteEngineNames.map((name) => {
    const forms = Object.entries(remoteEngines[name].settings);
    const shape = Object.fromEntries(forms.map(([key, form]) => [key, schemaOf(form, duration)]));
    return [name, z.strictObject(shape).optional()];
  });
  return Object.fromEntries(shapes) as EngineShape;
}

function schemaOf(form: SettingForm, duration: z.ZodType<number>): z.ZodType {
  switch (form.form) {
    case 'addresses':
      return addresses;
    case 'text':
      return text.optional();
    case 'secret':
      return secretSource.optional();
    case 'count':
      return z.int().min(1).max(form.most).default(form.default);
    case 'duration':
      return duration.default(form.defaultMs);
    default:
      return form satisfies never;
  }
}

/** What a model of the file has below the names of engines. */
export type RemoteEntry = {
  readonly [Name in RemoteEngineName]?: Readonly<Record<string, unknown>> | undefined;
};

/** The engine that the entry names; undefined: it is of a model with a file. */
export function remoteEngineOf(entry: RemoteEntry): RemoteEngineName | undefined {
  return remoteEngineNames.find((name) => entry[name] !== undefined);
}

/** Where the model of the entry runs; undefined: here. Files become absolute by `resolve`. */
export function toRemotePlace(
  entry: RemoteEntry,
  resolve: (file: string) => string,
  env: Environment,
): RemotePlace | undefined {
  const engine = remoteEngineOf(entry);
  if (engine === undefined) return undefined;
  const secrets: SecretSetting[] = [];
  const values = Object.entries(remoteEngines[engine].settings).map(([key, { form }]) => {
    const value = entry[engine]?.[key];
    if (form !== 'secret' || value === undefined) return [key, value];
    const secret = toSecret(value as z.output<typeof secretSource>, resolve, env);
    secrets.push(secret);
    return [key, secret];
  });
  // The schema of each form has made its value.
  const settings = Object.fromEntries(values) as RemoteSettings;
  return {
    engine,
    settings,
    version() {
      const hash = createHash('sha256').update(JSON.stringify(settings));
      for (const secret of secrets) hash.update(`\0${secret.read() ?? ''}`);
      return hash.digest('hex');
    },
  };
}

function toSecret(
  source: z.output<typeof secretSource>,
  resolve: (file: string) => string,
  env: Environment,
): SecretSetting {
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
