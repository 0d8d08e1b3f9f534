import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const randomChars = 24;

/** A new id such as `call_…`: the prefix, and 24 random letters and digits. */
export function createWireId(prefix: string): string {
  let id = `${prefix}_`;
  for (let count = 0; count < randomChars; count++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}
