/** A pattern that is outside the supported subset; the message says which part of it, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}
