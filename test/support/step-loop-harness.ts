import { GenerationChannel } from '../../src/engine/generation-channel.ts';
import type { SequenceRequest } from '../../src/engine/llama/steps/running-sequence.ts';
import { StepLoop, type StepLoopOptions } from '../../src/engine/llama/steps/step-loop.ts';
import { TokenSampler } from '../../src/engine/llama/sampling/token-sampler.ts';
import type { GenerationEnd, SamplingOptions } from '../../src/engine/types.ts';
import {
  FakeNativeContext,
  fakeNextToken,
  FakeSamplers,
  fakeVocabulary,
  type FakeContextOptions,
} from './fake-native-context.ts';

const contextTokens = 1024;

export const greedy: SamplingOptions = {
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  seed: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repeatPenalty: 1,
  logitBias: new Map(),
};

/** One request and what became of it. */
export interface Run {
  readonly channel: GenerationChannel;
  readonly caller: AbortController;
  /** All text that was shown, and the end; waits for it. */
  result(): Promise<{ readonly text: string; readonly end: GenerationEnd }>;
}

/** What the fake model says after `prompt` when it is asked alone. */
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
  const samplers = new FakeSamplers();
  const loop = new StepLoop({
    context,
    vocabulary: fakeVocabulary,
    createSampler: (request) =>
      new TokenSampler({
        samplers: samplers.asPool(),
        vocabulary: fakeVocabulary,
        sampling: request.sampling,
        prompt: request.prompt,
        contextTokens,
        minTokens: 0,
        topLogprobs: undefined,
      }),
    slots: options.sequences,
    contextTokens,
    batchTokens: 512,
    targetGapMs: 100,
    queueTimeoutMs: 10_000,
    ...loopOptions,
  });
  const send = (
    prompt: readonly number[],
    request: Partial<SequenceRequest> = {},
    signal?: AbortSignal,
  ): Run => {
    const caller = new AbortController();
    const channel = new GenerationChannel(signal ?? caller.signal);
    const accountId = request.accountId ?? 'account';
    loop.submit(
      {
        accountId,
        keyId: accountId,
        prompt: Uint32Array.from(prompt),
        sampling: greedy,
        stop: [],
        maxTokens: 5,
        minTokens: 0,
        ignoreEos: false,
        topLogprobs: undefined,
        ...request,
      },
      channel,
    );
    const reading = readText(channel);
    return {
      channel,
      caller,
      result: async () => ({ text: await reading, end: await channel.generation.ended }),
    };
  };
  return { context, samplers, loop, send };
}

async function readText(channel: GenerationChannel): Promise<string> {
  let text = '';
  try {
    for await (const event of channel.generation.events) if (event.type === 'text') text += event.text;
  } catch {
    // The end tells the error too.
  }
  return text;
}
