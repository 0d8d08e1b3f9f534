import type { NativeContext } from '../native/context.ts';
import { commonPrefix, type Slot } from '../steps/slot.ts';

/** A prefix must be this much longer elsewhere to be worth copying or waiting for. */
export const leastGainTokens = 64;
/**
 * Copying moves the source's cache in its full capacity, filled or not: so many tokens of it for each one gained at
 * most. Hundreds of tokens are copied in the time in which one is computed.
 */
const mostCopiedPerGained = 128;

/** Makes the slot's cache forget all but its first `length` tokens; all of them where it cannot forget a part. */
export function rewind(context: NativeContext, slot: Slot, length: number): void {
  if (length > 0 && context.removeTokenCellsFromSequence(slot.index, length, -1)) {
    slot.truncate(length);
    return;
  }
  slot.truncate(0);
  context.disposeSequence(slot.index);
}

/**
 * Gives the slot the longest prefix of its prompt that another slot of the same account has computed.
 * False: another slot is computing a longer one right now; ask again after the next step.
 */
export async function claimPrefix(
  context: NativeContext,
  slots: readonly Slot[],
  slot: Slot,
): Promise<boolean> {
  const sequence = slot.running;
  if (sequence === undefined) return true;
  const { prompt, accountId } = sequence.request;
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
  // Nobody waits for one that waits itself, so that one is always at work.
  for (const { running } of others) {
    if (running === undefined || !running.prefilling || running.nextTokens !== undefined) continue;
    if (commonPrefix(running.request.prompt, prompt) >= best + leastGainTokens) return false;
  }
  // At least one token is left to compute: the next one is drawn from its logits.
  const prefix = prompt.subarray(0, Math.min(best, prompt.length - 1));
  if (source !== undefined) await copyPrefix(context, source, slot, prefix);
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
    // Nothing is lost but time: the prefix is computed instead.
  }
  rewind(context, target, target.length);
}
