import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const randomChars = 24;

/** The beginning of an id, before 24 random letters and digits. */
export type WireIdPrefix =
  | 'call'
  | 'rerank'
  | 'resp'
  | 'msg'
  | 'rs'
  | 'fc'
  | 'fco'
  | 'ctc'
  | 'ctco'
  | 'tsc'
  | 'tso'
  | 'at'
  | 'cmp'
  | 'mcp'
  | 'mcpl'
  | 'mcpr'
  | 'mcpa'
  | 'toolu';

/** A new id such as `call_…`. */
export function createWireId(prefix: WireIdPrefix): string {
  let id = `${prefix}_`;
  for (let count = 0; count < randomChars; count++) id += alphabet.charAt(randomInt(alphabet.length));
  return id;
}
