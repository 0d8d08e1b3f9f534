import { GenerationChannel } from '../../../src/engine/generation/generation-channel.ts';
import { neutralSampling } from '../../../src/engine/generation/sampling-options.ts';
import type { PreparedRequest } from '../../../src/engine/llama/prepared-request.ts';
import type { ContextShape } from '../../../src/engine/llama/native/context/context.ts';
import { ShapeCosts } from '../../../src/engine/llama/native/context/shape-costs.ts';
import type { CellGrowth } from '../../../src/engine/llama/slots/cell-room.ts';
import { SlotMemory } from '../../../src/engine/llama/slots/slot-memory.ts';
import { StepLoop, type StepLoopOptions } from '../../../src/engine/llama/steps/step-loop.ts';
import { TokenSampler } from '../../../src/engine/llama/sampling/token-sampler.ts';
import type { GenerationEnd } from '../../../src/engine/generation/generation.ts';
import type { GenerationRequest } from '../../../src/engine/types.ts';
import type { SamplingOptions } from '../../../src/engine/generation/sampling-options.ts';
import {
  FakeNativeContext,
  fakeNextToken,
  fakeVocabulary,
  type FakeContextOptions,
} from '../fakes/fake-native-context.ts';

const contextTokens = 1024;

export const greedy: SamplingOptions = { ...neutralSampling, temperature: 0, seed: 1 };

/** One request and its outcome. */
export interface Run {
  readonly channel: GenerationChannel;
  readonly caller: AbortController;
  /** All text that was shown, and the end; waits for it. */
  result(): Promise<{ readonly text: string; readonly end: GenerationEnd }>;
}

/** The fake model's text after `prompt` when it is asked alone. */
export function expectedText(prompt: readonly number[], maxTokens: number): string {
  const tokens = [...prompt];
  for (let index = 0; index < maxTokens; index++) tokens.push(fakeNextToken(tokens));
  return tokens
    .slice(prompt.length)
    .map((token) => `${token} `)
    .join('');
}

/** A step loop over a fake context, and a way to send requests to it. */
export function setUpLoop(options: FakeContextOptions, loopOptions: Partial<StepLoopOptions> = {}) {
  const context = new FakeNativeContext(options);
  const loop = new StepLoop({
    memory: new SlotMemory(context),
    vocabulary: fakeVocabulary,
    createSampler: (prepared) => new TokenSampler(context.stepper, fakeVocabulary, prepared),
    slots: options.sequences,
    contextTokens,
    batchTokens: 512,
    targetGapMs: 100,
    queueTimeoutMs: 10_000,
    ...loopOptions,
  });
  const send = (
    prompt: readonly number[],
    more: Partial<GenerationRequest> = {},
    signal?: AbortSignal,
  ): Run => {
    const caller = new AbortController();
    const channel = new GenerationChannel(signal ?? caller.signal);
    loop.submit(preparedRequest(prompt, more), channel);
    const reading = readText(channel);
    return {
      channel,
      caller,
      result: async () => ({ text: await reading, end: await channel.generation.ended }),
    };
  };
  return { context, loop, send };
}

/** A context that has few cells and may grow up to `mostCells`, each of which takes a byte. */
export async function growthUpTo(mostCells: number, least: ContextShape): Promise<CellGrowth> {
  const memory = (ramBytes: number) => ({ ramBytes, vramBytes: 0 });
  const costs = await ShapeCosts.measure(256, 256, async ({ cells }) => memory(cells));
  let taken = least.cells;
  return {
    least,
    costs,
    mostForStreams: memory(mostCells / 2),
    contextTokens: 512,
    claim: async ({ ramBytes }) => {
      if (ramBytes > 0 && taken + ramBytes > mostCells) return undefined;
      taken = ramBytes > 0 ? taken + ramBytes : least.cells;
      return () => undefined;
    },
  };
}

/** A request that is ready for the step loop, its prompt these tokens. */
export function preparedRequest(
  tokens: ArrayLike<number>,
  more: Partial<GenerationRequest> = {},
): PreparedRequest {
  const accountId = more.accountId ?? 'account';
  const request: GenerationRequest = {
    modelId: 'model',
    accountId,
    keyId: accountId,
    prompt: { kind: 'tokens', tokens: Array.from(tokens) },
    sampling: greedy,
    stop: [],
    maxTokens: 5,
    minTokens: 0,
    ignoreEos: false,
    topLogprobs: undefined,
    ...more,
  };
  const promptTokens = Uint32Array.from(tokens);
  const echoText = request.echo === true ? 'the prompt' : undefined;
  return { request, promptTokens, media: new Map(), echoText, maxTokens: request.maxTokens ?? 5 };
}

async function readText(channel: GenerationChannel): Promise<string> {
  let text = '';
  try {
    for await (const event of channel.generation.events) if (event.type === 'delta') text += event.text;
  } catch {
    // The end tells the error too.
  }
  return text;
}
