import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const randomChars = 24;

/** What ids of this server begin with; after it come 24 random letters and digits. */
export type WireIdPrefix = 'call' | 'resp' | 'msg' | 'fc' | 'fco' | 'rs';

/** A fresh id such as `call_…`. */
export function createWireId(prefix: WireIdPrefix): string {
  let id = `${prefix}_`;
  for (let count = 0; count < randomChars; count++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}
