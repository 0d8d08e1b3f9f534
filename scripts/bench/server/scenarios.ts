import { createHash } from 'node:crypto';
import { RandomStream } from '../../make/random-stream.ts';
import { streamChat } from './chat-request.ts';
import type { BenchMessage, ChatResult } from './chat-request.ts';
import type { PromptWriter } from './prompt-writer.ts';
import type { Target } from './target.ts';

export const scenarioKinds = ['chat', 'prefix', 'multiturn', 'long-prefill'] as const;
export type ScenarioKind = (typeof scenarioKinds)[number];

export interface Scenario {
  readonly kind: ScenarioKind;
  readonly clients: number;
  /** Whole prompt for chat, shared system prompt for prefix, each user turn for multiturn, the long one else. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly requestsPerClient: number;
}

/** One line that names a scenario in reports. */
export function describeScenario({ kind, clients, promptTokens, outputTokens }: Scenario): string {
  return `${kind} ${promptTokens}+${outputTokens} ×${clients}`;
}

/**
 * The results of each request of one run. The prompts depend on the scenario, the seed and the repetition only, so
 * that two servers get the same ones. In long-prefill the decoders come first and the long prompt is last.
 */
export async function runScenario(
  scenario: Scenario,
  target: Target,
  writer: PromptWriter,
  seed: string,
): Promise<ChatResult[]> {
  const digest = createHash('sha256')
    .update(`${seed}/${describeScenario(scenario)}`)
    .digest();
  const random = new RandomStream(digest.readUInt32LE());
  switch (scenario.kind) {
    case 'chat':
      return runChat(scenario, target, writer, random);
    case 'prefix':
      return runPrefix(scenario, target, writer, random);
    case 'multiturn':
      return runMultiturn(scenario, target, writer, random);
    case 'long-prefill':
      return runLongPrefill(scenario, target, writer, random);
    default:
      return scenario.kind satisfies never;
  }
}

type Runner = (
  scenario: Scenario,
  target: Target,
  writer: PromptWriter,
  random: RandomStream,
) => Promise<ChatResult[]>;

/** Independent prompts of one length. */
const runChat: Runner = async (scenario, target, writer, random) => {
  const conversations = times(requestCount(scenario), () => [
    user(writer.wholePrompt(scenario.promptTokens, random)),
  ]);
  return runPool(scenario.clients, conversations, (messages) =>
    streamChat(target, messages, scenario.outputTokens),
  );
};

/** One long system prompt that all requests share, each with a short question of its own. */
const runPrefix: Runner = async (scenario, target, writer, random) => {
  const system: BenchMessage = { role: 'system', content: writer.text(scenario.promptTokens, random) };
  const conversations = times(requestCount(scenario), () => [system, user(writer.text(40, random))]);
  return runPool(scenario.clients, conversations, (messages) =>
    streamChat(target, messages, scenario.outputTokens),
  );
};

/** Conversations that grow by the server's own answers; each client holds one, of the scenario's number of turns. */
const runMultiturn: Runner = async (scenario, target, writer, random) => {
  const system: BenchMessage = { role: 'system', content: writer.text(200, random) };
  const conversations = times(scenario.clients, () =>
    times(scenario.requestsPerClient, () => user(writer.text(scenario.promptTokens, random))),
  );
  const results = await runPool(scenario.clients, conversations, async (turns) => {
    const messages: BenchMessage[] = [system];
    const answers: ChatResult[] = [];
    for (const turn of turns) {
      messages.push(turn);
      const answer = await streamChat(target, messages, scenario.outputTokens);
      answers.push(answer);
      messages.push({ role: 'assistant', content: answer.text });
    }
    return answers;
  });
  return results.flat();
};

/** Clients that decode, and one long prompt that comes in while all of them do. */
const runLongPrefill: Runner = async (scenario, target, writer, random) => {
  const decoders = times(scenario.clients, () => {
    const messages = [user(writer.wholePrompt(32, random))];
    const { promise: started, resolve: onFirstText } = Promise.withResolvers<void>();
    return { started, result: streamChat(target, messages, scenario.outputTokens, onFirstText) };
  });
  const longPrompt = [user(writer.wholePrompt(scenario.promptTokens, random))];
  // A decoder that fails never starts; its result tells that, and the others need not wait for it.
  await Promise.all(decoders.map(({ started, result }) => Promise.race([started, result])));
  const long = await streamChat(target, longPrompt, 8);
  return [...(await Promise.all(decoders.map(({ result }) => result))), long];
};

function requestCount({ clients, requestsPerClient }: Scenario): number {
  return Math.max(3, clients * requestsPerClient);
}

function user(content: string): BenchMessage {
  return { role: 'user', content };
}

function times<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make);
}

/** Results in the order of the jobs, at most `clients` of which run at a time. */
async function runPool<Job, Result>(
  clients: number,
  jobs: readonly Job[],
  run: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const queue = jobs.entries();
  const results: Result[] = [];
  const work = async (): Promise<void> => {
    for (const [index, job] of queue) results[index] = await run(job);
  };
  await Promise.all(times(Math.min(clients, jobs.length), work));
  return results;
}
