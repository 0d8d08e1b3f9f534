import type { SlotMemory } from '../slots/slot-memory.ts';
import type { BatchPart, Step } from './batch.ts';

const noTokens = new Uint32Array();

/** The step that began by itself when the last one had ended: it computes the tokens that were drawn there. */
export class FollowingStep implements Step {
  /** The parts of those sequences that go on by the token that they drew, and by nothing else. */
  readonly parts: BatchPart[];
  readonly tokens: number;
  readonly #all: readonly BatchPart[];

  /** `last` has been settled. */
  constructor(last: Step) {
    this.#all = last.parts.map(({ slot, sampled }) => {
      const { token = 0 } = sampled?.[0] ?? {};
      return { slot, tokens: Uint32Array.of(token), draft: noTokens, draws: true };
    });
    this.parts = this.#all.filter(({ slot, tokens }) => slot.running?.goesOnBy(tokens[0] ?? 0) === true);
    this.tokens = this.#all.length;
  }

  /** All sequences of the last step go on. */
  get isWhole(): boolean {
    return this.parts.length === this.#all.length;
  }

  /** As `Step` has it. What was computed of those who do not go on is taken back. */
  async compute(
    memory: SlotMemory,
    isFollowed = false,
  ): Promise<ReadonlyMap<BatchPart, unknown> | undefined> {
    const { context } = memory;
    const drawn = await context.ahead?.decodeNext(isFollowed).catch(() => undefined);
    const failures = new Map<BatchPart, unknown>();
    for (const [at, part] of this.#all.entries()) {
      const { slot, tokens } = part;
      const { running } = slot;
      if (drawn === undefined) {
        await memory.rewind(slot, slot.length);
        continue;
      }
      slot.append(tokens);
      try {
        part.sampled = await running?.sampler.sample(context, at, drawn[at]);
        if (this.parts.includes(part)) continue;
        running?.sampler.takeBack(1);
        running?.constrain();
      } catch (failure) {
        failures.set(part, failure);
        if (!this.parts.includes(part)) this.parts.push(part);
      }
      memory.cutDraft(slot, 1);
    }
    return drawn && failures;
  }
}
