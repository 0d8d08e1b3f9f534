import { StepInterrupted } from '../native/context/context.ts';
import { takesTooLong } from '../native/stepper.ts';
import type { SlotMemory } from '../slots/slot-memory.ts';
import type { Slot } from '../slots/slot.ts';
import type { SampledToken } from '../sampling/token-sampler.ts';

/** One slot's share of a step. */
export interface BatchPart {
  readonly slot: Slot;
  /** In a run, those of its last step. */
  tokens: Uint32Array;
  /** Guesses of the tokens drawn after them, computed in the same step. Wrong ones leave the cache. */
  readonly draft: Uint32Array;
  /** The logits of the last one of `tokens` are wanted: a new token is drawn from them. */
  readonly draws: boolean;
  /** The new token, and those of the draft that follow it; undefined where none was drawn yet. */
  sampled?: readonly SampledToken[] | undefined;
  /** Brings the new token where its draw takes too long for the step. Looks at nothing that a next step overwrites. */
  sampledLater?: Promise<readonly SampledToken[]> | undefined;
  /** Tokens that a run drew after its sequence had ended, or needed something else than the next token; undefined: it goes on. */
  dropped?: number | undefined;
}

/** Steps that follow a step by themselves, each of the tokens that were drawn in the last one. */
export interface Following {
  /** At most, the step itself included. */
  readonly steps: number;
  /** Settles a step that is not the last. */
  settle(failures: ReadonlyMap<BatchPart, unknown>, elapsedMs: number): void;
  /** Others are wanted after the one that is being computed. */
  mayGoOn(): boolean;
}

/** Work that the engine computes in one go, after which it plans the next step. */
export interface Step {
  readonly parts: readonly BatchPart[];
  /** Of all parts. */
  readonly tokens: number;
  /**
   * The parts that failed in the last step, each with its error; undefined: that was not computed, and the slots are as
   * they were.
   */
  compute(memory: SlotMemory, following?: Following): Promise<ReadonlyMap<BatchPart, unknown> | undefined>;
}

/** A step that computes tokens. */
export class Batch implements Step {
  readonly parts: BatchPart[] = [];
  tokens = 0;

  add(slot: Slot, tokens: Uint32Array, draws: boolean, draft: Uint32Array = new Uint32Array()): void {
    this.parts.push({ slot, tokens, draws, draft });
    this.tokens += tokens.length + draft.length;
  }

  /**
   * As `Step` has it. Computes all parts, appends their tokens to their slots' caches and
   * draws the next tokens. When the batch fails as a whole, each part is tried again by itself, unless its slot could
   * not be brought back to where it was.
   */
  async compute(
    memory: SlotMemory,
    following?: Following,
  ): Promise<ReadonlyMap<BatchPart, unknown> | undefined> {
    // llama.cpp computes sequences together only where their ids ascend without a gap.
    this.parts.sort((a, b) => a.slot.index - b.slot.index);
    const failures = new Map<BatchPart, unknown>();
    try {
      await computeParts(memory, this.parts, failures, { following });
    } catch (interruption) {
      if (interruption instanceof StepInterrupted) return undefined;
      throw interruption;
    }
    return failures;
  }
}

/** Throws StepInterrupted when all has been brought back to where it was. */
async function computeParts(
  memory: SlotMemory,
  parts: readonly BatchPart[],
  failures: Map<BatchPart, unknown>,
  { isRetry = false, following }: { isRetry?: boolean; following?: Following | undefined } = {},
): Promise<void> {
  let computed: readonly ComputedPart[];
  try {
    computed = await decode(memory, parts, following);
  } catch (failure) {
    const intact = new Set<BatchPart>();
    for (const part of parts) {
      const { length } = part.slot;
      await memory.rewind(part.slot, length);
      if (part.slot.length === length) intact.add(part);
    }
    if (failure instanceof StepInterrupted) {
      if (!isRetry) throw failure;
      // Other parts of the step have been computed by themselves, so this one is, too.
      return computeParts(memory, parts, failures, { isRetry });
    }
    for (const part of parts) {
      if (parts.length > 1 && intact.has(part))
        await computeParts(memory, [part], failures, { isRetry: true });
      else failures.set(part, failure);
    }
    return;
  }
  // All that looks at the logits must have ended before the next decode overwrites them, even when some of it fails.
  await Promise.all(
    computed.map(async ({ part, indexes, drawn }) => {
      const { slot, tokens, draws, draft } = part;
      try {
        if (slot.running?.isScored === true)
          await slot.running.scorePrompt(indexes, slot.length - tokens.length);
        const { sampler } = slot.running ?? {};
        if (!draws || sampler === undefined) return;
        if (drawn?.[0] === takesTooLong) {
          memory.cutDraft(slot, draft.length);
          part.sampledLater = sampler.readLater();
          // Whoever reads it handles its failure, but not before the other parts are done.
          part.sampledLater.catch(() => undefined);
        } else {
          part.sampled = sampler.read(drawn);
          memory.cutDraft(slot, draft.length + 1 - part.sampled.length);
        }
      } catch (failure) {
        failures.set(part, failure);
      }
    }),
  );
}

/** The logits and draws that one decode computed for a part. */
interface ComputedPart {
  readonly part: BatchPart;
  /** Of its logits: those after all of its tokens where its prompt is scored, else after its last where it draws. */
  readonly indexes: Uint32Array;
  /** The tokens drawn for it in the same step, as `Stepper.step` has them. */
  readonly drawn: Float64Array | undefined;
}

/** The results of the last step, of parts that go on. Throws StepInterrupted where it is not the first, and failed. */
async function decode(
  memory: SlotMemory,
  parts: readonly BatchPart[],
  following: Following | undefined,
): Promise<ComputedPart[]> {
  const { context } = memory;
  context.initBatch(parts.reduce((total, { tokens, draft }) => total + tokens.length + draft.length, 0));
  const prepared = parts.map((part) => {
    const { slot, tokens, draws, draft } = part;
    const all = computedOf(part);
    const first = slot.running?.isScored === true ? 0 : draws ? tokens.length - 1 : tokens.length;
    const wanted = Uint32Array.from({ length: all.length - first }, (_, index) => first + index);
    const indexes = context.addToBatch(slot.index, slot.position, all, wanted);
    const index = indexes.at(-1 - draft.length) ?? 0;
    const draw = draws ? slot.running?.sampler.drawInStep(index, draft) : undefined;
    return { part, indexes, draw };
  });
  const draws = prepared.flatMap(({ draw }) => draw ?? []);
  const drawn = await context.decodeBatch(
    draws,
    following && {
      steps: following.steps,
      onStep(told, elapsedMs) {
        tell(parts, told, following, elapsedMs);
        if (parts.some(({ dropped }) => dropped !== undefined) || !following.mayGoOn()) context.hold?.();
      },
    },
  );
  for (const [at, { slot, dropped }] of parts.entries()) {
    if (dropped === undefined) continue;
    const [last = -1] = drawn[at] ?? [];
    slot.running?.sampler.drop(last < 0 ? dropped : dropped + 1);
    await memory.rewind(slot, slot.length);
  }
  if (drawn.length < draws.length) throw new StepInterrupted();
  const inOrder = drawn.values();
  return prepared.flatMap(({ part, indexes, draw }) => {
    const told = draw && inOrder.next().value;
    if (part.dropped !== undefined) return [];
    part.slot.append(computedOf(part));
    return { part, indexes, drawn: told };
  });
}

/** Settles a step of a run that is not the last. */
function tell(
  parts: readonly BatchPart[],
  drawn: readonly Float64Array[],
  following: Following,
  elapsedMs: number,
): void {
  const failures = new Map<BatchPart, unknown>();
  for (const [at, part] of parts.entries()) {
    const { slot, dropped, tokens } = part;
    part.sampled = undefined;
    if (dropped !== undefined) {
      part.dropped = dropped + 1;
      continue;
    }
    slot.append(tokens);
    try {
      part.sampled = slot.running?.sampler.read(drawn[at]);
    } catch (failure) {
      failures.set(part, failure);
    }
  }
  following.settle(failures, elapsedMs);
  for (const part of parts) {
    const { token = -1 } = part.sampled?.[0] ?? {};
    if (part.slot.running?.goesOnBy(token) === true) part.tokens = Uint32Array.of(token);
    else part.dropped ??= 0;
  }
}

function computedOf({ tokens, draft }: BatchPart): Uint32Array {
  return draft.length === 0 ? tokens : Uint32Array.of(...tokens, ...draft);
}
