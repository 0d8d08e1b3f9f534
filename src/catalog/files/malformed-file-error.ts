/** What is wrong with a file that claims to be a model; the message fits in one log line. */
export class MalformedFileError extends Error {
  override readonly name = 'MalformedFileError';
}
