import type { Slot } from '../../../src/engine/llama/slots/slot.ts';
import { drawGreedy, type NativeFixture } from '../models/native-model.ts';

/** Tokens that differ from conversation to conversation. */
export const conversationTokens = (seed: number, length: number) =>
  Uint32Array.from({ length }, (_, index) => 10 + ((index * (seed + 3) + seed) % 200));

/** Computes the rest of `tokens` in the slot; the likeliest token that follows. */
export async function computeInto(
  fixture: NativeFixture,
  slot: Slot,
  accountId: string,
  tokens: Uint32Array,
): Promise<number> {
  const rest = tokens.subarray(slot.length);
  const token = await drawGreedy(fixture, slot.index, slot.length, rest);
  slot.append(rest);
  slot.accountId = accountId;
  return token;
}
