/** The file is at fault; the message completes the sentence "The file cannot be decoded: …". */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
}

/** The file lasts longer than is allowed. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/**
 * How the decoding process exits for a DecodingError (EX_DATAERR of sysexits.h) and for a TooLongError. Any other code
 * is no judgement on the file.
 */
export const decodingExitCodes = { fileAtFault: 65, tooLong: 64 } as const;
