import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { scenarioKinds } from './scenarios.ts';
import type { Scenario, ScenarioKind } from './scenarios.ts';

export const help = `Puts load on one OpenAI-style server and measures it, or on two in turns and compares them.

Usage: node scripts/bench/server.ts --url URL [--url URL] [options]

Servers; give an option twice to set it for both, once to set it for all
  --url URL             base URL, such as http://127.0.0.1:8080/v1; the second is compared with the first
  --model ID            model to ask for (the first that the server lists)
  --key KEY             API key (HEARTH_API_KEY; none where that is unset)
  --pid PID             process of the server on this machine: adds memory and CPU time
  --name TEXT           its name in the report (A, B)

Load
  --scenario KIND       chat, prefix, multiturn, long-prefill; repeatable (chat)
                          chat          independent prompts
                          prefix        one long system prompt that all requests share
                          multiturn     conversations that grow by the server's own answers
                          long-prefill  one long prompt beside the decoding clients
  --clients LIST        clients at once (1,4,8,16; long-prefill: 3)
  --prompt-tokens LIST  length of prompts, the shared system prompt, a turn or the long prompt
                        (chat 64,512; prefix 1500; multiturn 80; long-prefill 2000)
  --output-tokens N     tokens of each answer (64; prefix 32; multiturn 48; long-prefill 160)
  --requests N          requests of each client in a run: turns for multiturn (2; prefix 3; multiturn 5)
  --repetitions N       runs of each scenario on each server (3)
  --seed TEXT           makes the prompts; a used one meets warm caches (a new one each time)
  --own-prompts         other prompts of the same lengths for the second server: where both URLs lead to one
                        server, it would otherwise answer them from its cache

Care
  --max-foreign SHARE   runs in which other processes used more of the machine's CPU are repeated, 0 to 1 (0.15)
  --retries N           how often a run is repeated for that before it is kept with a warning (2)

Output
  --json FILE           writes everything as JSON too; - writes it to stdout instead of the table
                        Progress and warnings go to stderr. The exit status is 1 when a request failed.
  --help                this text

With two servers each repetition runs A, B and the next B, A, with the same prompts unless --own-prompts is given, and
never both at once. Ratios are B over A of the same repetition; what is shown is their median [least–greatest].
Differences under 5 % mean nothing. Gaps between tokens are measured between pieces of streamed text.
`;

/** The options of the command line: one value per server, or one for all. */
export interface BenchArguments {
  readonly urls: readonly string[];
  readonly models: readonly string[];
  readonly keys: readonly string[];
  readonly pids: readonly number[];
  readonly names: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly repetitions: number;
  readonly seed: string;
  /** Each server gets prompts that the other one does not get. */
  readonly hasOwnPrompts: boolean;
  readonly maxForeignShare: number;
  readonly retries: number;
  readonly jsonPath: string | undefined;
}

/** A mistake in the command line, to be shown without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The parsed command line, or 'help'; throws UsageError. */
export function parseArguments(argv: readonly string[]): BenchArguments | 'help' {
  const { values } = parseStrictly(argv);
  if (values.help === true) return 'help';
  const urls = (values.url ?? []).map((url) => url.replace(/\/+$/, ''));
  if (urls.length < 1 || urls.length > 2) throw new UsageError('give --url once or twice');
  for (const url of urls) if (!URL.canParse(url)) throw new UsageError(`--url: ${url} is not a URL`);
  const kinds = (values.scenario ?? ['chat']).map(toScenarioKind);
  const pids = (values.pid ?? []).map((pid) => toCount('pid', pid));
  if (pids.length === 1 && urls.length === 2) throw new UsageError('give --pid for both servers or for none');
  return {
    urls,
    models: values.model ?? [],
    keys: values.key ?? (process.env['HEARTH_API_KEY'] === undefined ? [] : [process.env['HEARTH_API_KEY']]),
    pids,
    names: values.name ?? [],
    scenarios: kinds.flatMap((kind) => expandScenario(kind, values)),
    repetitions: toCount('repetitions', values.repetitions ?? '3'),
    seed: values.seed ?? randomUUID(),
    hasOwnPrompts: values['own-prompts'] ?? false,
    maxForeignShare: toShare('max-foreign', values['max-foreign'] ?? '0.15'),
    retries: toCount('retries', values.retries ?? '2', 0),
    jsonPath: values.json,
  };
}

function parseStrictly(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        url: { type: 'string', multiple: true },
        model: { type: 'string', multiple: true },
        key: { type: 'string', multiple: true },
        pid: { type: 'string', multiple: true },
        name: { type: 'string', multiple: true },
        scenario: { type: 'string', multiple: true },
        clients: { type: 'string' },
        'prompt-tokens': { type: 'string' },
        'output-tokens': { type: 'string' },
        requests: { type: 'string' },
        repetitions: { type: 'string' },
        seed: { type: 'string' },
        'own-prompts': { type: 'boolean' },
        'max-foreign': { type: 'string' },
        retries: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface ScenarioDefaults {
  readonly clients: string;
  readonly promptTokens: string;
  readonly outputTokens: string;
  readonly requests: string;
}

const scenarioDefaults: Record<ScenarioKind, ScenarioDefaults> = {
  chat: { clients: '1,4,8,16', promptTokens: '64,512', outputTokens: '64', requests: '2' },
  prefix: { clients: '1,4,8,16', promptTokens: '1500', outputTokens: '32', requests: '3' },
  multiturn: { clients: '1,4,8,16', promptTokens: '80', outputTokens: '48', requests: '5' },
  'long-prefill': { clients: '3', promptTokens: '2000', outputTokens: '160', requests: '1' },
};

type ScenarioValues = ReturnType<typeof parseStrictly>['values'];

/** Every combination of the asked lengths and numbers of clients. */
function expandScenario(kind: ScenarioKind, values: ScenarioValues): Scenario[] {
  const defaults = scenarioDefaults[kind];
  const lengths = toCounts('prompt-tokens', values['prompt-tokens'] ?? defaults.promptTokens);
  const clientCounts = toCounts('clients', values.clients ?? defaults.clients);
  const outputTokens = toCount('output-tokens', values['output-tokens'] ?? defaults.outputTokens);
  const requestsPerClient = toCount('requests', values.requests ?? defaults.requests);
  return lengths.flatMap((promptTokens) =>
    clientCounts.map((clients) => ({ kind, clients, promptTokens, outputTokens, requestsPerClient })),
  );
}

function toScenarioKind(text: string): ScenarioKind {
  const kind = scenarioKinds.find((candidate) => candidate === text);
  if (kind === undefined) throw new UsageError(`--scenario: ${text} is none of ${scenarioKinds.join(', ')}`);
  return kind;
}

function toCounts(flag: string, text: string): number[] {
  return text.split(',').map((part) => toCount(flag, part));
}

function toCount(flag: string, text: string, least = 1): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) {
    throw new UsageError(`--${flag}: ${text} is not a whole number of at least ${least}`);
  }
  return value;
}

function toShare(flag: string, text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new UsageError(`--${flag}: ${text} is not in 0 to 1`);
  return value;
}
