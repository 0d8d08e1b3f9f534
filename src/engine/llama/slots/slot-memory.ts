import { stillCells } from '../media/medium-ids.ts';
import type { NativeContext } from '../native/context/context.ts';
import type { SavedConversation } from './checkpoints.ts';
import type { Slot } from './slot.ts';

/** Within an answer a checkpoint is saved every 1,024 tokens. */
const answerSpacingTokens = 1024;

/**
 * Cuts, copies, saves and restores slots in the context's memory. Where that memory cannot be cut, a slot has
 * checkpoints, and goes back to the nearest one.
 */
export class SlotMemory {
  readonly context: NativeContext;

  constructor(context: NativeContext) {
    this.context = context;
  }

  /** Slots share all cells. */
  get isPool(): boolean {
    return this.context.cells.shape.isUnified;
  }

  /** A copy takes no cells. */
  get sharesPrefixes(): boolean {
    return this.isPool && !this.context.needsStates;
  }

  /** Tokens that a slot can hold as the context is now. */
  get mostTokens(): number {
    const { cells, sequences } = this.context;
    return this.isPool ? cells.shape.cells : cells.shape.cells / sequences;
  }

  /** How many of the slot's first `length` tokens need not be computed again once it is cut there. */
  reach(slot: Slot, length: number): number {
    if (length >= slot.length) return slot.length;
    if (!this.context.needsStates || this.context.canCut(slot.index, slot.positionAt(length))) return length;
    return slot.checkpoints.before(length)?.length ?? 0;
  }

  /** The same of a saved conversation that is brought back. */
  reachOfSaved({ tokens, checkpoints }: SavedConversation, length: number): number {
    if (length >= tokens.length) return tokens.length;
    if (!this.context.needsStates) return length;
    return Math.max(0, ...checkpoints.map((saved) => saved.length).filter((saved) => saved <= length));
  }

  /** Shortens the slot to its first `length` tokens, or where that cannot be done to those in `reach`. */
  async rewind(slot: Slot, length: number): Promise<void> {
    const most = Math.min(length, slot.length);
    if (most > 0 && this.context.cut(slot.index, slot.positionAt(most))) slot.truncate(most);
    else if (!(await this.#restoreCheckpoint(slot, most))) this.clear(slot);
  }

  clear(slot: Slot): void {
    slot.truncate(0);
    this.context.cut(slot.index, 0);
  }

  /** Cuts the slot where that needs no checkpoint; otherwise leaves it as it is. */
  cutIfPossible(slot: Slot, length: number): void {
    if (length < slot.length && this.context.cut(slot.index, slot.positionAt(length))) slot.truncate(length);
  }

  /** Takes the last `count` tokens, which were computed in the last step, out of the slot. Throws where that fails. */
  cutDraft(slot: Slot, count: number): void {
    const length = slot.length - count;
    this.cutIfPossible(slot, length);
    if (slot.length > length) throw new Error('A draft was computed that cannot be taken back');
  }

  /** The target then holds the first `length` tokens of the source, or those in `reach`; nothing if it fails. */
  async copyPrefix(source: Slot, target: Slot, length: number): Promise<void> {
    target.truncate(0);
    try {
      await this.context.copySequence(source.index, target.index);
    } catch {
      // A failed copy costs only time: the prefix is computed instead.
      return this.clear(target);
    }
    target.append(source.tokens);
    if (this.sharesPrefixes) target.runs.share(source.runs);
    for (const checkpoint of source.checkpoints.list()) target.checkpoints.add(checkpoint);
    await this.rewind(target, length);
  }

  /**
   * Saves a checkpoint of the slot after a step, where one is due, unless it takes too much memory. One that fails
   * costs only time.
   */
  async checkpointIfDue(slot: Slot): Promise<void> {
    if (isCheckpointDue(slot) && this.#holdsCheckpoint(slot)) await this.#saveCheckpoint(slot);
  }

  /** Cuts the slot to its first `length` tokens and saves a checkpoint there. False: that cannot be done, and it is whole. */
  async goBackToCheckpoint(slot: Slot, length: number): Promise<boolean> {
    if (this.#holdsCheckpoint(slot)) this.cutIfPossible(slot, length);
    if (slot.length > length) return false;
    await this.#saveCheckpoint(slot);
    return true;
  }

  #holdsCheckpoint({ index, checkpoints }: Slot): boolean {
    return checkpoints.holds(this.context.states.bytes(index, true));
  }

  async #saveCheckpoint({ index, length, checkpoints }: Slot): Promise<void> {
    const state = await this.context.states.save(index, true).catch(() => undefined);
    if (state !== undefined) checkpoints.add({ length, state });
  }

  /** A copy of the slot's conversation; undefined where it cannot be saved. */
  async save(slot: Slot): Promise<SavedConversation | undefined> {
    const { accountId } = slot;
    const tokens = slot.tokens.slice();
    if (accountId === undefined || tokens.length === 0) return undefined;
    const state = await this.context.states.save(slot.index, false).catch(() => undefined);
    return state && { accountId, tokens, state, checkpoints: [...slot.checkpoints.list()] };
  }

  /** Brings the first `length` tokens of a conversation, or as many as can be had, to a slot. False: it is empty. */
  async restore(saved: SavedConversation, slot: Slot, length = saved.tokens.length): Promise<boolean> {
    const { accountId, tokens, state, checkpoints } = saved;
    const end = tokens.length - stillCells(tokens);
    this.clear(slot);
    if (!(await this.#bringBack(slot, false, state, end))) return false;
    slot.append(tokens);
    slot.accountId = accountId;
    for (const checkpoint of checkpoints) slot.checkpoints.add(checkpoint);
    if (length < slot.length) await this.rewind(slot, length);
    return slot.length > 0;
  }

  async #restoreCheckpoint(slot: Slot, length: number): Promise<boolean> {
    const checkpoint = slot.checkpoints.before(length);
    if (checkpoint === undefined) return false;
    const isBack = await this.#bringBack(slot, true, checkpoint.state, slot.positionAt(checkpoint.length));
    if (isBack) slot.truncate(checkpoint.length);
    return isBack;
  }

  #bringBack(slot: Slot, isPartial: boolean, state: Uint8Array, position: number) {
    return this.context.states.restore(slot.index, isPartial, state, position).catch(() => false);
  }
}

function isCheckpointDue({ running, length, checkpoints }: Slot): boolean {
  if (running?.places === undefined) return false;
  if (running.state.name !== 'decoding') return running.places.includes(length);
  return length - (checkpoints.list().at(-1)?.length ?? 0) >= answerSpacingTokens;
}
