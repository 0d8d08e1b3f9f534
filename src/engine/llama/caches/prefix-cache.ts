import type { NativeContext } from '../native/context.ts';
import { wholeMedia } from '../media/medium-ids.ts';
import { commonPrefix, type Slot } from '../steps/slot.ts';
import { worthwhilePrefix } from '../steps/tiles.ts';

/** By how many tokens a prefix in another cache must be longer to be worth copying or waiting for. */
const leastGainTokens = 64;
/**
 * Copying moves the whole capacity of the source's cache, filled or not. At most so many tokens are copied for each one
 * gained: hundreds of tokens are copied in the time in which one is computed.
 */
const mostCopiedPerGained = 128;

/** Shortens the slot's cache to its first `length` tokens, or to nothing where the model cannot forget only a part. */
export function rewind(context: NativeContext, slot: Slot, length: number): void {
  if (length > 0 && shorten(context, slot, length)) return;
  slot.truncate(0);
  context.disposeSequence(slot.index);
}

/** False, and nothing is done, where the model cannot forget only a part. */
function shorten(context: NativeContext, slot: Slot, length: number): boolean {
  const isShorter = context.removeTokenCellsFromSequence(slot.index, slot.positionAt(length), -1);
  if (isShorter) slot.truncate(length);
  return isShorter;
}

/**
 * True once the slot holds the longest prefix of its prompt that a slot of the same account has computed, copied where
 * that is another one. False: another slot is computing a longer prefix now, so ask again after the next step.
 */
export async function claimPrefix(
  context: NativeContext,
  slots: readonly Slot[],
  slot: Slot,
): Promise<boolean> {
  const sequence = slot.running;
  if (sequence === undefined) return true;
  const { promptTokens: prompt, request } = sequence.prepared;
  const { accountId } = request;
  const others = slots.filter((other) => other !== slot && other.accountId === accountId);
  let best = slot.length;
  let source: Slot | undefined;
  for (const other of others) {
    const computed = other.sharedPrefix(prompt);
    const gain = computed - slot.length;
    if (computed <= best || gain < leastGainTokens || other.capacity > mostCopiedPerGained * gain) continue;
    best = computed;
    source = other;
  }
  // A sequence waits only for one whose prefill has begun, so there is always one that computes.
  for (const { running } of others) {
    if (running === undefined || !running.prefilling || running.nextTokens !== undefined) continue;
    if (commonPrefix(running.prepared.promptTokens, prompt) >= best + leastGainTokens) return false;
  }
  // At least one token is left to compute: the next one is drawn from its logits.
  const prefix = prompt.subarray(0, Math.min(best, prompt.length - 1));
  if (source !== undefined) await copyPrefix(context, source, slot, prefix);
  const worthwhile = wholeMedia(prompt, worthwhilePrefix(slot.length, prompt.length));
  if (worthwhile < slot.length) shorten(context, slot, worthwhile);
  sequence.cachedTokens = slot.length;
  return true;
}

async function copyPrefix(
  context: NativeContext,
  source: Slot,
  target: Slot,
  prefix: Uint32Array,
): Promise<void> {
  target.truncate(0);
  try {
    await context.copySequenceStateFromOtherSequence(target.index, source.index);
    target.append(prefix);
  } catch {
    // A failed copy costs only time: the prefix is computed instead.
  }
  rewind(context, target, target.length);
}
