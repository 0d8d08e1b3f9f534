/** A document is not taken. The message goes on behind its name: `is encrypted`. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
