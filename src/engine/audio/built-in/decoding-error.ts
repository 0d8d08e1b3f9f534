/** The file is at fault; the message completes the sentence "The file cannot be decoded: …". */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
}

/** How the decoding process ends for such a file: sysexits' EX_DATAERR. Anything else is no judgement on the file. */
export const fileAtFaultExitCode = 65;
