import { perSecond } from '../../api/generation/stopwatch.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { messageOf } from '../../words/describe-error.ts';
import type { ServerConnection } from '../server-connection.ts';
import { randomWords } from './random-words.ts';
import { quantile } from './statistics.ts';

export interface Load {
  readonly model: string;
  readonly promptWords: number;
  readonly outputTokens: number;
  /** Whether each answer gets all of these; a model that cannot be told so may end before. */
  readonly isExact: boolean;
  readonly seconds: number;
}

/** The figures of a number of clients at once; those of several rounds are medians. */
export interface Figures {
  readonly clients: number;
  readonly requests: number;
  /** Of one prompt. */
  readonly promptTokens: number;
  /** Of all clients together, until the last of them has its first token. */
  readonly promptTokensPerSecond: number;
  readonly firstTokenMs: number;
  readonly slowestFirstTokenMs: number;
  /** Of all clients together, from the first one's first token on. */
  readonly outputTokensPerSecond: number;
}

const mostRounds = 3;

/** The statistics of an answer as Ollama's API has them: durations in nanoseconds. */
interface Answered {
  readonly total_duration: number;
  readonly prompt_eval_count: number;
  readonly eval_count: number;
  readonly eval_duration: number;
}

async function ask(
  server: ServerConnection,
  { model, promptWords, outputTokens: tokens, isExact }: Omit<Load, 'seconds'>,
  signal: AbortSignal,
) {
  const messages = [{ role: 'user', content: randomWords(promptWords, Math.random) }];
  const length = isExact ? { min_tokens: tokens, ignore_eos: true } : {};
  const options = { num_predict: tokens, ...length, temperature: 0 };
  const answer = await server.ask('POST', '/api/chat', { model, messages, options, stream: false }, signal);
  const { total_duration: total, eval_duration: writing, ...counts } = answer as Answered;
  return {
    promptTokens: counts.prompt_eval_count,
    outputTokens: counts.eval_count,
    firstTokenMs: (total - writing) / 1e6,
    totalMs: total / 1e6,
  };
}

/** By two short prompts, which also bring the model into memory: its tokens per word, and whether answers get exact lengths. */
export async function tryModel(server: ServerConnection, model: string, signal: AbortSignal) {
  const [few, many] = [16, 80];
  let isExact = true;
  const count = async (promptWords: number) =>
    (await ask(server, { model, promptWords, outputTokens: 1, isExact }, signal)).promptTokens;
  const fewTokens = await count(few).catch((error: unknown) => {
    if (!/'(?:min_tokens|ignore_eos)'/.test(messageOf(error))) throw error;
    isExact = false;
    return count(few);
  });
  return { tokensPerWord: Math.max(0.5, ((await count(many)) - fewTokens) / (many - few)), isExact };
}

/** The figures of up to three rounds, in each of which all clients ask at once. Throws CliError where not even one ends in time. */
export async function measure(
  server: ServerConnection,
  clients: number,
  load: Load,
  signal: AbortSignal,
): Promise<Figures> {
  const beganMs = performance.now();
  const late = AbortSignal.timeout(load.seconds * 1000);
  const rounds: Round[] = [];
  const hasTime = () => performance.now() - beganMs < (load.seconds * 1000) / 2;
  try {
    do
      rounds.push(
        await Promise.all(
          Array.from({ length: clients }, () => ask(server, load, AbortSignal.any([signal, late]))),
        ),
      );
    while (rounds.length < mostRounds && hasTime());
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    if (rounds.length === 0)
      throw new CliError(
        `${clients} at once were not answered within ${load.seconds} s`,
        'ask for less with --prompt-tokens and --output-tokens, or give it more --seconds',
      );
  }
  const all = rounds.flat();
  const firsts = all.map(({ firstTokenMs }) => firstTokenMs);
  return {
    clients,
    requests: all.length,
    promptTokens: Math.round(median(all.map(({ promptTokens }) => promptTokens))),
    promptTokensPerSecond: median(rounds.map(promptSpeed)),
    firstTokenMs: median(firsts),
    slowestFirstTokenMs: Math.max(...firsts),
    outputTokensPerSecond: median(rounds.map(outputSpeed)),
  };
}

type Round = readonly Awaited<ReturnType<typeof ask>>[];

const promptSpeed = (round: Round) =>
  perSecond(sum(round.map((one) => one.promptTokens)), Math.max(...round.map((one) => one.firstTokenMs)));

/** Without the first token of each, which belongs to its prompt. */
function outputSpeed(round: Round): number {
  const beganMs = Math.min(...round.map((one) => one.firstTokenMs));
  const endedMs = Math.max(...round.map((one) => one.totalMs));
  return perSecond(sum(round.map((one) => one.outputTokens - 1)), endedMs - beganMs);
}

const median = (values: readonly number[]) => quantile(values, 0.5) ?? 0;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
