import type { PromptMedium } from '../media/media.ts';
import type { BatchPart, Step } from './batch.ts';
import type { Slot } from '../slots/slot.ts';

/** A step that computes a picture or recording of one prompt: encodes some of it, or decodes an encoded part. */
export class MediumStep implements Step {
  readonly parts: readonly BatchPart[];
  readonly tokens: number;
  readonly #slot: Slot;
  readonly #part: PromptMedium;
  readonly #mostMs: number;
  readonly #begin: number;

  /** `begin`: where in the prompt the medium begins. It is encoded for at most `mostMs`, or up to `room` cells decoded. */
  constructor(
    slot: Slot,
    part: PromptMedium,
    begin: number,
    { mostMs, room }: { mostMs: number; room: number },
  ) {
    const { medium, isEncoded } = part;
    const lacking = begin + medium.cells - slot.length;
    const count = medium.isWhole ? lacking : Math.min(lacking, room);
    const promptTokens = slot.running?.tokens ?? new Uint32Array();
    const ids = isEncoded ? promptTokens.slice(slot.length, slot.length + count) : new Uint32Array();
    this.#slot = slot;
    this.#part = part;
    this.#mostMs = mostMs;
    this.#begin = begin;
    this.tokens = ids.length;
    this.parts = [{ slot, tokens: ids, draws: false, draft: new Uint32Array() }];
  }

  async compute(): Promise<ReadonlyMap<BatchPart, unknown>> {
    const [own] = this.parts;
    if (own === undefined) return new Map();
    const { medium, projector, isEncoded } = this.#part;
    const slot = this.#slot;
    try {
      if (isEncoded) {
        const offset = slot.length - this.#begin;
        await projector.decode(medium, slot.index, slot.positionAt(this.#begin), offset, own.tokens.length);
        slot.append(own.tokens);
      } else {
        this.#part.isBegun = true;
        this.#part.isEncoded = await projector.encode(medium, this.#mostMs);
      }
      return new Map();
    } catch (failure) {
      return new Map([[own, failure]]);
    }
  }
}
