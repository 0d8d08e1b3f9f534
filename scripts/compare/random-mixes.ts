/**
 * Random mixes of requests to a model whose context grows, is shared and parks answers, and to one with a large fixed
 * context: greedy texts and their usage have to be equal. Some requests begin alike, some leave in the middle. Batches of
 * other sizes add numbers up in another order, so a text may part from the other where two tokens are nearly as likely.
 * A second model with a fixed context is the control: where log-probabilities differ by so much between the two fixed
 * ones, a text may part at a lead of twice that. Exits with 1 where an answer parts elsewhere, has another usage, or fails.
 *
 *   node scripts/compare/random-mixes.ts [--mixes 1000] [--seed 1] [--cells 3000]
 */
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { startServer, type RunningServer } from '../../test/support/server/start-server.ts';

const { values } = parseArgs({
  options: {
    mixes: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** Tokens for which the growing server has memory, of all requests together. */
    cells: { type: 'string', default: '3000' },
  },
});
const source = fileURLToPath(new URL('../../models/hearth-demo.gguf', import.meta.url));
const parallel = 8;
const contextTokens = 2048;
const words =
  'the sea was calm and small boats came home late with fish for an old town by a hill near seven green fields'.split(
    ' ',
  );

let state = Number(values.seed);
/** A number from 0 to below `end`; the same ones for the same seed. */
function draw(end: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * end);
}
const text = (length: number, seed: number) =>
  Array.from({ length }, (_, at) => words[(at * (seed + 2) + seed * 5) % words.length]).join(' ');

interface Asked {
  readonly content: string;
  readonly maxTokens: number;
  /** Tokens after which the client leaves; undefined: it stays. */
  readonly leavesAfter: number | undefined;
}

function drawMix(): readonly Asked[] {
  const shared = text(draw(300), draw(50));
  return Array.from({ length: 1 + draw(10) }, () => ({
    content: `${draw(2) === 0 ? `${shared} ` : ''}${text(1 + draw(draw(4) === 0 ? 500 : 60), draw(50))}`,
    maxTokens: 1 + draw(draw(4) === 0 ? 200 : 40),
    leavesAfter: draw(6) === 0 ? 1 + draw(20) : undefined,
  }));
}

interface Answer {
  readonly tokens: readonly string[];
  /** By how much each token was likelier than the next one, in log-probability. */
  readonly leads: readonly number[];
  /** Log-probability of each token. */
  readonly logprobs: readonly number[];
  readonly usage: string | undefined;
}

async function ask({ baseUrl, apiKey }: RunningServer, asked: Asked): Promise<Answer> {
  const caller = new AbortController();
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    signal: caller.signal,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'demo',
      messages: [{ role: 'user', content: asked.content }],
      max_tokens: asked.maxTokens,
      temperature: 0,
      ignore_eos: true,
      stream: true,
      stream_options: { include_usage: true },
      logprobs: true,
      top_logprobs: 5,
    }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  let body = '';
  let answer: Answer = { tokens: [], leads: [], logprobs: [], usage: undefined };
  for await (const bytes of response.body ?? []) {
    body += new TextDecoder().decode(bytes);
    const events = body.split('\n\n');
    body = events.pop() ?? '';
    for (const event of events) answer = withEvent(answer, event);
    if (asked.leavesAfter !== undefined && answer.tokens.length >= asked.leavesAfter) break;
  }
  caller.abort();
  return answer;
}

interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs: readonly { readonly logprob: number }[];
}
/**
 * Beyond the next one that could have been drawn: a likelier one than a greedy token ends the turn, which is ignored.
 */
const leadOf = ({ logprob: drawn, top_logprobs: top }: TokenLogprob): number =>
  drawn - Math.max(...top.map(({ logprob }) => logprob).filter((logprob) => logprob < drawn));

function withEvent(answer: Answer, event: string): Answer {
  if (!event.startsWith('data: {')) return answer;
  const { choices, usage, error } = JSON.parse(event.slice('data: '.length)) as {
    readonly choices?: readonly {
      readonly logprobs?: { readonly content: readonly TokenLogprob[] } | null;
    }[];
    readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new Error(error.message);
  const drawn = choices?.[0]?.logprobs?.content ?? [];
  return {
    tokens: [...answer.tokens, ...drawn.map(({ token }) => token)],
    leads: [...answer.leads, ...drawn.map(leadOf)],
    logprobs: [...answer.logprobs, ...drawn.map(({ logprob }) => logprob)],
    usage: usage ? `${usage.prompt_tokens}+${usage.completion_tokens}` : answer.usage,
  };
}

await using stack = new AsyncDisposableStack();
async function start(entry: object, memory: string): Promise<RunningServer> {
  const models = [{ id: 'demo', source, parallel, threads: 1, context: contextTokens, ...entry }];
  const server = await startServer({
    modelsDirs: [],
    config: { demo: false, memory, models, cacheMemory: '32MiB' },
  });
  stack.defer(async () => void (await server.stop()));
  return server;
}
/** Bytes of main memory that the model takes, by the log. */
async function memoryOf(entry: object): Promise<number> {
  const server = await start(entry, '2GiB');
  await ask(server, { content: 'Hello', maxTokens: 1, leavesAfter: undefined });
  const line =
    server
      .stderr()
      .split('\n')
      .find((one) => one.includes('"model loaded"')) ?? '{}';
  await server.stop();
  return (JSON.parse(line) as { readonly ramBytes: number }).ramBytes;
}

const [most, least] = [await memoryOf({ reserve: true }), await memoryOf({ reserve: true, context: 512 })];
const cellBytes = (most - least) / (contextTokens - 512) / parallel;
const bytes = Math.ceil(least + (Number(values.cells) - parallel * 512) * cellBytes) + 32 * 2 ** 20;
const fixed = await start({ reserve: true }, '2GiB');
const growing = await start({}, `${bytes}`);
const control = await start({ reserve: true }, '2GiB');

/** Where the text of `found` parts from that of `expected`, and by how much the equal tokens before differ at most. */
function compare(found: Answer, expected: Answer) {
  const length = Math.min(found.tokens.length, expected.tokens.length);
  const parting = expected.tokens.slice(0, length).findIndex((token, at) => token !== found.tokens[at]);
  const equal = expected.logprobs.slice(0, parting < 0 ? length : parting);
  const changes = equal.map((logprob, at) => Math.abs(logprob - (found.logprobs[at] ?? logprob)));
  return {
    parting,
    lead: parting < 0 ? 0 : (expected.leads[parting] ?? Infinity),
    change: Math.max(0, ...changes),
  };
}

let [answers, left, differ, change] = [0, 0, 0, 0];
const partings: { readonly of: string; readonly lead: number }[] = [];
const controlPartings: number[] = [];
for (let mix = 0; mix < Number(values.mixes); mix += 1) {
  const asked = drawMix();
  const [expected, found, again] = await Promise.all(
    [fixed, growing, control].map((server) => Promise.all(asked.map((one) => ask(server, one)))),
  );
  for (const [at, one] of asked.entries()) {
    const [reference, mine, controlled] = [expected?.[at], found?.[at], again?.[at]];
    if (reference === undefined || mine === undefined || controlled === undefined) continue;
    answers += 1;
    if (one.leavesAfter !== undefined) left += 1;
    const beside = compare(controlled, reference);
    change = Math.max(change, beside.change);
    if (beside.parting >= 0) controlPartings.push(beside.lead);
    const { parting, lead } = compare(mine, reference);
    if (parting >= 0) partings.push({ of: `mix ${mix}, request ${at} at ${parting}`, lead });
    if (one.leavesAfter !== undefined || mine.usage === reference.usage) continue;
    differ += 1;
    console.log(`mix ${mix}, request ${at} has the usage ${mine.usage} and ${reference.usage}`);
  }
}
const elsewhere = partings.filter(({ lead }) => lead > 2 * change);
for (const { of, lead } of elsewhere) console.log(`${of} parts at a lead of ${lead}`);
if (differ + elsewhere.length > 0) process.exitCode = 1;
const changes = growing
  .stderr()
  .split('\n')
  .filter((line) => line.includes('"context changed"'));
const pools = changes.filter((line) => line.includes('"isUnified":true')).length;
console.log(
  `${answers} answers in ${values.mixes} mixes, ${left} left early: ${partings.length} part, ${elsewhere.length} of them not by rounding, ${differ} have another usage`,
);
console.log(
  `the control: ${controlPartings.length} part, at leads up to ${Math.max(0, ...controlPartings).toFixed(2)}; log-probabilities of equal tokens differ by up to ${change.toFixed(2)}`,
);
console.log(`the context changed ${changes.length} times, ${pools} times into a pool`);
