/**
 * The states of a context's sequences, copied out of it and back. One call at a time, and only between steps. A partial
 * state is what the end of a sequence needs besides cells that can be cut: a recurrent state, or what stands in sliding
 * windows.
 */
export interface SequenceStates {
  /** Bytes of the state that `save` would give. */
  bytes(sequence: number, isPartial: boolean): number;
  /** Rejects where there is no memory for it. */
  save(sequence: number, isPartial: boolean): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Brings back what was saved: all of a sequence, or a partial state, at the place where it was saved, of what the
   * sequence still holds. The sequence then ends before `position`. False: it could not be brought back, and the sequence
   * is empty. llama.cpp believes what a state says: so only bytes that are known to be unchanged may be given to it.
   */
  restore(sequence: number, isPartial: boolean, bytes: Uint8Array, position: number): Promise<boolean>;
}
