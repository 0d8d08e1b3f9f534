import type { NativeContext } from './native.ts';
import { commonPrefix, type Slot } from './slot.ts';

/** A prefix must be this much longer elsewhere to be worth copying or waiting for. */
const leastGainTokens = 64;
/** Copying moves the whole source cache: it must not hold more than so many times what is gained. */
const mostCopiedPerGained = 16;

/** Makes the slot's cache forget all but its first `length` tokens. */
export function rewind(context: NativeContext, slot: Slot, length: number): void {
  if (length > 0 && context.removeTokenCellsFromSequence(slot.index, length, -1)) {
    slot.truncate(length);
    return;
  }
  context.disposeSequence(slot.index);
  slot.truncate(0);
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
  let best = slot.length + leastGainTokens - 1;
  let source: Slot | undefined;
  for (const other of slots) {
    if (other === slot || other.accountId !== accountId) continue;
    const computed = other.sharedPrefix(prompt);
    if (computed > best && other.length <= mostCopiedPerGained * (computed - slot.length)) {
      best = computed;
      source = other;
    }
    const theirs = other.running;
    if (theirs === undefined || !theirs.prefilling || theirs.nextToken !== undefined) continue;
    if (commonPrefix(theirs.request.prompt, prompt) > Math.max(best, computed)) return false;
  }
  if (source !== undefined) {
    await context.copySequenceStateFromOtherSequence(slot.index, source.index);
    slot.truncate(0);
    slot.append(prompt.subarray(0, source.sharedPrefix(prompt)));
    rewind(context, slot, Math.min(best, prompt.length - 1));
  }
  sequence.cachedTokens = slot.length;
  return true;
}
