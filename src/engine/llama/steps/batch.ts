import { type NativeContext, StepInterrupted } from '../native/context/context.ts';
import { takesTooLong } from '../native/stepper.ts';
import type { SlotMemory } from '../slots/slot-memory.ts';
import type { Slot } from '../slots/slot.ts';
import type { SampledToken } from '../sampling/token-sampler.ts';

/** One slot's share of a step. */
export interface BatchPart {
  readonly slot: Slot;
  readonly tokens: Uint32Array;
  /** Guesses of the tokens drawn after them, computed in the same step. Wrong ones leave the cache. */
  readonly draft: Uint32Array;
  /** The logits of the last one of `tokens` are wanted: a new token is drawn from them. */
  readonly draws: boolean;
  /** The new token, and those of the draft that follow it; undefined where none was drawn yet. */
  sampled?: readonly SampledToken[] | undefined;
  /** Brings the new token where its draw takes too long for the step. Looks at nothing that a next step overwrites. */
  sampledLater?: Promise<readonly SampledToken[]> | undefined;
}

/** Work that the engine computes in one go, after which it plans the next step. */
export interface Step {
  readonly parts: readonly BatchPart[];
  /** Of all parts. */
  readonly tokens: number;
  /**
   * The parts that failed, each with its error; undefined: the step was not computed, and the slots are as they were.
   * `isFollowed`: a step of the tokens that are drawn begins right after it, of which a `FollowingStep` then has to tell.
   */
  compute(memory: SlotMemory, isFollowed?: boolean): Promise<ReadonlyMap<BatchPart, unknown> | undefined>;
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
    isFollowed = false,
  ): Promise<ReadonlyMap<BatchPart, unknown> | undefined> {
    // llama.cpp computes sequences together only where their ids ascend without a gap.
    this.parts.sort((a, b) => a.slot.index - b.slot.index);
    const failures = new Map<BatchPart, unknown>();
    try {
      await computeParts(memory, this.parts, failures, { isFollowed });
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
  { isRetry = false, isFollowed = false } = {},
): Promise<void> {
  const { context } = memory;
  let computed: readonly ComputedPart[];
  try {
    computed = await decode(context, parts, isFollowed);
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
          await slot.running.scorePrompt(context, indexes, slot.length - tokens.length);
        const sampling = draws
          ? slot.running?.sampler.sample(context, indexes.at(-1 - draft.length) ?? 0, drawn)
          : undefined;
        if (drawn?.[0] !== takesTooLong) {
          part.sampled = await sampling;
          memory.cutDraft(slot, draft.length + 1 - (part.sampled?.length ?? 1));
        } else {
          memory.cutDraft(slot, draft.length);
          part.sampledLater = sampling;
          // Whoever reads it handles its failure, but not before the other parts are done.
          sampling?.catch(() => undefined);
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

async function decode(
  context: NativeContext,
  parts: readonly BatchPart[],
  isFollowed: boolean,
): Promise<ComputedPart[]> {
  const computed = parts.map(({ tokens, draft }) =>
    draft.length === 0 ? tokens : Uint32Array.of(...tokens, ...draft),
  );
  context.initBatch(computed.reduce((total, { length }) => total + length, 0));
  const prepared = parts.map((part, at) => {
    const { slot, tokens, draws, draft } = part;
    const all = computed[at] ?? tokens;
    const first = slot.running?.isScored === true ? 0 : draws ? tokens.length - 1 : tokens.length;
    const wanted = Uint32Array.from({ length: all.length - first }, (_, index) => first + index);
    const indexes = context.addToBatch(slot.index, slot.position, all, wanted);
    const index = indexes.at(-1 - draft.length) ?? 0;
    const draw = draws ? slot.running?.sampler.drawInStep(index, draft) : undefined;
    return { part, indexes, draw };
  });
  const draws = prepared.flatMap(({ draw }) => draw ?? []);
  const drawn = (await context.decodeBatch(draws, isFollowed)).values();
  for (const [at, { slot }] of parts.entries()) slot.append(computed[at] ?? new Uint32Array());
  return prepared.map(({ part, indexes, draw }) => ({
    part,
    indexes,
    drawn: draw && drawn.next().value,
  }));
}
