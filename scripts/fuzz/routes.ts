/**
 * Sends every operation of the API's own document bodies and queries that its schemas allow, most of them with one value
 * changed, to a real server, and prints whatever is answered with 500 or not at all.
 *
 *   node scripts/fuzz/routes.ts [--seconds 120] [--seed 1] [--only /admin]
 */
import { parseArgs } from 'node:util';
import { tinyModel } from '../../test/support/models/tiny-model.ts';
import { hearthCli } from '../../test/support/server/hearth-cli.ts';
import { startServer } from '../../test/support/server/start-server.ts';
import { RandomStream } from '../make/random-stream.ts';
import { SchemaValues, type JsonSchema } from './routes/schema-values.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '/' },
  },
});

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

await using stack = new AsyncDisposableStack();
const server = await startServer({
  modelsDirs: [],
  config: { demo: false, models: [{ id: 'tiny', source: await tinyModel(), threads: 1 }] },
});
stack.defer(async () => void (await server.stop()));
/** A new key; the requests may take it back or let it end. */
const makeKey = async (...flags: string[]) =>
  (await hearthCli<{ secret: string }>(server, 'keys', 'create', '--account', 'local', ...flags)).secret;
const keys = { admin: await makeKey('--admin'), user: server.apiKey };
const origin = new URL(server.baseUrl).origin;
const document = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
const random = new RandomStream(Number(values.seed));
const schemaValues = new SchemaValues(document.components.schemas, random);

/** Loads from the network, and a stream without an end. */
const left = /\/pull|\/blobs|\/events/;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const tried = operations.filter(({ path }) => path.startsWith(values.only) && !left.test(path));
const endsAtMs = Date.now() + Number(values.seconds) * 1000;
const statuses = new Map<number, number>();
const found = new Set<string>();
/** Ids that answers named: paths with them reach further than paths with random ones. */
const ids: string[] = ['tiny', 'local'];

while (Date.now() < endsAtMs) {
  const { path, method, operation } = schemaValues.pick(tried);
  const request = requestOf(path, method, operation);
  const startedMs = performance.now();
  const response = await fetch(request.url, { ...request.init, signal: AbortSignal.timeout(30_000) }).catch(
    (error: unknown) => String(error),
  );
  const status = typeof response === 'string' ? 0 : response.status;
  const text = typeof response === 'string' ? response : await response.text().catch(String);
  const tookMs = performance.now() - startedMs;
  if (tookMs > 2000) console.log(`${tookMs.toFixed(0)} ms, ${status}: ${request.told.slice(0, 300)}`);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  // An admin key may end the others, and the requests of users mean little without one.
  if (status === 401) keys[kindOf(path)] = await makeKey(...(kindOf(path) === 'admin' ? ['--admin'] : []));
  for (const [, id = ''] of text.matchAll(/"id":\s?"([\w-]{3,80})"/g)) if (ids.length < 400) ids.push(id);
  if (status !== 0 && status !== 500) continue;
  const kind = `${status} ${method.toUpperCase()} ${path}`;
  if (!found.has(kind)) console.log(`${kind}\n  ${request.told.slice(0, 600)}\n  ${text.slice(0, 300)}`);
  found.add(kind);
}
console.log(
  [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
);
if (found.size > 0) process.exitCode = 1;

function kindOf(path: string): keyof typeof keys {
  return path.startsWith('/admin') ? 'admin' : 'user';
}

function requestOf(path: string, method: string, { parameters = [], requestBody }: Operation) {
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const filled = path.replaceAll(/\{(\w+)\}/g, () =>
    encodeURIComponent(random.uniform() < 0.8 ? schemaValues.pick(ids) : 'no such'),
  );
  const query = new URLSearchParams(
    of('query')
      .filter(() => random.uniform() < 0.4)
      .map(({ name, schema }): [string, string] => [name, String(schemaValues.changed(schema))]),
  );
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema && JSON.stringify(schemaValues.changed(schema));
  const url = `${origin}${filled}?${query.toString()}`;
  const authorization = `Bearer ${keys[kindOf(path)]}`;
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
  return {
    url,
    told: `${url} ${body ?? ''}`,
    init: { method: method.toUpperCase(), headers, ...(body && { body }) },
  };
}
