/**
 * How long answers take that can be guessed in part, on servers that are asked in turns.
 *
 *   node scripts/bench/drafts.ts --url http://127.0.0.1:8080/v1 --model a --url http://127.0.0.1:9000/v1 --model b
 *
 * --scenario KIND (repeatable; all), --clients LIST (1), --repetitions N (3), --key KEY (HEARTH_API_KEY).
 * Times are of all answers of a run, the median of its repetitions, and beside it how many times faster the server is than
 * the first one: the median of the ratios of each repetition. The servers are asked once before anything is measured, and must
 * have their models in memory by then or load them within a minute.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { quantile } from '../../src/cli/bench/statistics.ts';

const scenarios = ['json', 'call', 'prediction', 'changed', 'loop', 'plain'] as const;
type Scenario = (typeof scenarios)[number];

interface Target {
  readonly url: string;
  readonly model: string;
}

interface Answer {
  readonly text: string;
  readonly tokens: number;
}

const { values } = parseArgs({
  options: {
    url: { type: 'string', multiple: true },
    model: { type: 'string', multiple: true },
    scenario: { type: 'string', multiple: true },
    clients: { type: 'string', default: '1' },
    repetitions: { type: 'string', default: '3' },
    key: { type: 'string', default: process.env['HEARTH_API_KEY'] ?? '' },
  },
});
/** llama.cpp's server spins after a step, which slows down who is asked next. */
const restMs = 400;
const keys =
  'manufacturer measurement1 measurement2 weatherPhase destinations temperatures serialNumber warehouseRow orderedItems lastCustomer';
const schema = {
  type: 'object',
  properties: Object.fromEntries(
    keys
      .split(' ')
      .map((key, at) => [
        key,
        at % 3 === 0
          ? { type: 'string', maxLength: 6 }
          : at % 3 === 1
            ? { type: 'integer', minimum: 0, maximum: 999 }
            : { enum: ['available', 'unavailable', 'discontinued'] },
      ]),
  ),
  required: keys.split(' '),
  additionalProperties: false,
};
const endless = { temperature: 0, ignore_eos: true, max_tokens: 200 };

/** Parameters besides the messages. `known`: the answer of an earlier run. */
function bodyOf(scenario: Scenario, known: string, seed: number): object {
  switch (scenario) {
    case 'json':
      return {
        temperature: 0,
        max_tokens: 600,
        response_format: { type: 'json_schema', json_schema: { name: 'item', strict: true, schema } },
      };
    case 'call':
      return {
        temperature: 0,
        max_tokens: 600,
        tools: [{ type: 'function', function: { name: 'store_item', parameters: schema } }],
        tool_choice: 'required',
      };
    case 'prediction':
      return { ...endless, prediction: { type: 'content', content: known } };
    case 'changed':
      return { ...endless, prediction: { type: 'content', content: everyTwentiethChanged(known) } };
    case 'loop':
      return endless;
    case 'plain':
      return { ...endless, temperature: 1, seed };
  }
}

const everyTwentiethChanged = (text: string) =>
  text
    .split(' ')
    .map((word, at) => (at % 20 === 19 ? 'changed' : word))
    .join(' ');

async function ask({ url, model }: Target, content: string, more: object): Promise<Answer> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${values.key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }], ...more }),
  });
  const body = (await response.json()) as {
    readonly choices?: readonly { readonly message: { readonly content: string | null } }[];
    readonly usage?: { readonly completion_tokens: number };
  };
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(body)}`);
  return { text: body.choices?.[0]?.message.content ?? '', tokens: body.usage?.completion_tokens ?? 0 };
}

/** Milliseconds and tokens of one answer for each of `clients` at once. */
async function measure(target: Target, scenario: Scenario, clients: number, seed: string) {
  const questions = Array.from({ length: clients }, (_, client) => `${seed}${client}: tell me about it.`);
  const isPredicted = scenario === 'prediction' || scenario === 'changed';
  const known: string[] = [];
  for (const question of questions)
    known.push(
      isPredicted
        ? (await ask(target, question, endless)).text
        : (await ask(target, question, { max_tokens: 1 })).text,
    );
  await sleep(restMs);
  const beginMs = performance.now();
  const answers = await Promise.all(
    questions.map((question, client) => ask(target, question, bodyOf(scenario, known[client] ?? '', client))),
  );
  return {
    ms: performance.now() - beginMs,
    tokens: answers.reduce((total, { tokens }) => total + tokens, 0),
  };
}

const targets = (values.url ?? []).map((url, at) => ({ url, model: values.model?.[at] ?? '' }));
const asked = scenarios.filter((scenario) => values.scenario?.includes(scenario) ?? true);
for (const target of targets) await ask(target, 'Hello', { max_tokens: 8 });
for (const clients of values.clients.split(',').map(Number))
  for (const scenario of asked) {
    const runs = targets.map(() => [] as Awaited<ReturnType<typeof measure>>[]);
    for (let repetition = 0; repetition < Number(values.repetitions); repetition++) {
      const seed = randomUUID();
      const order = repetition % 2 === 0 ? [...targets.keys()] : [...targets.keys()].reverse();
      for (const at of order) {
        const target = targets[at];
        if (target !== undefined) runs[at]?.push(await measure(target, scenario, clients, seed));
      }
    }
    console.log(`${scenario} ×${clients}`);
    for (const [at, own] of runs.entries()) {
      const median = (of: readonly number[]) => quantile(of, 0.5) ?? Number.NaN;
      const ratios = own.map(({ ms }, run) => (runs[0]?.[run]?.ms ?? Number.NaN) / ms);
      const ms = median(own.map((run) => run.ms))
        .toFixed(0)
        .padStart(7);
      const tokens = median(own.map((run) => run.tokens))
        .toFixed(0)
        .padStart(5);
      console.log(
        `${ms} ms ${tokens} tokens  × ${median(ratios).toFixed(2)}  ${targets[at]?.model} ${targets[at]?.url}`,
      );
    }
  }
