import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const randomChars = 24;

/** A fresh id for a call: `call_` and 24 random letters and digits. */
export function createToolCallId(): string {
  let id = 'call_';
  for (let count = 0; count < randomChars; count++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}
