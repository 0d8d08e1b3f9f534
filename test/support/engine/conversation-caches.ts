import type { Slot } from '../../../src/engine/llama/steps/slot.ts';
import { decode, type NativeFixture } from '../models/native-model.ts';

/** Tokens that differ from conversation to conversation. */
export const conversationTokens = (seed: number, length: number) =>
  Uint32Array.from({ length }, (_, index) => 10 + ((index * (seed + 3) + seed) % 200));

/** Computes what the slot lacks of `tokens`; the likeliest token that follows. */
export async function computeInto(
  { native, samplers }: NativeFixture,
  slot: Slot,
  accountId: string,
  tokens: Uint32Array,
): Promise<number> {
  const rest = tokens.subarray(slot.length);
  const index = await decode(native, slot.index, slot.length, rest);
  slot.append(rest);
  slot.accountId = accountId;
  const sampler = samplers.take({ temperature: 0, seed: 1, topP: 1, minP: 0 });
  const token = await native.sampleToken(index, sampler);
  samplers.giveBack(sampler);
  return token;
}
