/** A model could not be tried because of the machine, not because of its file: worth another try later. */
export class MachineTroubleError extends Error {
  override readonly name = 'MachineTroubleError';
}

/** What C++ and V8 say when they get no memory. */
export const memoryTrouble = /out of memory|bad_alloc/i;
