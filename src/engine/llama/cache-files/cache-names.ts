import { createHash, createHmac } from 'node:crypto';

const fileName = /^([0-9a-f]{16})-[0-9a-f]{32}\.cache(?:\.part)?$/;

/** The name of the folder that holds the caches of a model. */
export const cacheRoom = (modelId: string): string =>
  createHash('sha256').update(modelId).digest('hex').slice(0, 16);

/** The beginning of the names of all files of an account. Without the secret it says nothing about the account. */
export const ownerTag = (secret: Uint8Array, accountId: string): string =>
  createHmac('sha256', secret).update(`account ${accountId}`).digest('hex').slice(0, 16);

/** The name of the file for the cache of these tokens. Without the secret it says nothing about them. */
export function cacheFileName(secret: Uint8Array, accountId: string, tokens: Uint32Array): string {
  const content = createHmac('sha256', secret).update(`cache ${accountId} `);
  content.update(new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength));
  return `${ownerTag(secret, accountId)}-${content.digest('hex').slice(0, 32)}.cache`;
}

/** The tag of the account that a file belongs to; undefined: no file of a cache has such a name. */
export const ownerInName = (name: string): string | undefined => fileName.exec(name)?.[1];

/** The file under its name is whole: while it is written, its name has another ending. */
export const isWhole = (name: string): boolean => ownerInName(name) !== undefined && !name.endsWith('.part');
