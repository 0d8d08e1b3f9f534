import { createHash } from 'node:crypto';

export type ModelSource =
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'hf';
      readonly owner: string;
      readonly repository: string;
      readonly revision: string;
      /** A quantisation such as `Q8_0` or a file of the repository; null: the best that is there. */
      readonly selector: string | null;
    }
  | { readonly kind: 'url'; readonly url: URL };

/** A source that cannot be used; the message is for the person who wrote it. */
export class ModelSourceError extends Error {
  override readonly name = 'ModelSourceError';
}

/** One piece of an untrusted path that cannot lead out of a folder. */
export const safeNamePattern = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}$/;

export const modelIdPattern = /^[\w.][\w.:@+/-]{0,199}$/;
export const modelIdRule = 'must be 1 to 200 letters, digits or . _ : @ + / -';

const hfPattern = /^hf:([^/:@]+)\/([^/:@]+)(?:@([^:]+))?(?:[:/](.+))?$/;

/** `text` with `hf:` in place of the address of Hugging Face, as people know it from Ollama; a file's URL stays one. */
export const withHf = (text: string): string =>
  text.replace(/^(?:https?:\/\/)?(?:hf\.co|huggingface\.co)\/(?!.*\/resolve\/)/i, 'hf:');

/** `text` as a source: `hf:Owner/Repo[@revision][:QUANT-or-file]`, an http(s) URL, or else a path. */
export function parseModelSource(text: string): ModelSource {
  if (text.startsWith('hf:')) return parseHfSource(text);
  if (/^https?:\/\//i.test(text)) {
    if (!URL.canParse(text)) throw new ModelSourceError(`"${text}" is not a valid URL`);
    return { kind: 'url', url: new URL(text) };
  }
  if (text === '') throw new ModelSourceError('a source cannot be empty');
  return { kind: 'path', path: text };
}

function parseHfSource(text: string): ModelSource {
  const match = hfPattern.exec(text);
  const [, owner, repository, revision = 'main', selector = null] = match ?? [];
  if (owner === undefined || repository === undefined) {
    throw new ModelSourceError(`"${text}" is not of the form hf:Owner/Repository:QUANT`);
  }
  const pieces = [owner, repository, ...(selector?.split('/') ?? [])];
  if (!pieces.every((piece) => safeNamePattern.test(piece)) || !/^[\w./-]{1,100}$/.test(revision)) {
    throw new ModelSourceError(`"${text}" holds characters that no Hugging Face name has`);
  }
  return { kind: 'hf', owner, repository, revision, selector };
}

/** One text for all spellings of a source, by which the record of a pull names its sources. */
export function sourceKey(source: ModelSource): string {
  if (source.kind === 'path') return source.path;
  if (source.kind === 'url') {
    const bare = new URL(source.url);
    bare.username = '';
    bare.password = '';
    bare.hash = '';
    // A query may hold a signature, which must not be stored: only its digest is kept.
    bare.search =
      bare.search === '' ? '' : createHash('sha256').update(bare.search).digest('hex').slice(0, 16);
    return bare.href;
  }
  const { owner, repository, revision, selector } = source;
  const at = revision === 'main' ? '' : `@${revision}`;
  return `hf:${owner}/${repository}${at}${selector === null ? '' : `:${selector.toLowerCase()}`}`;
}
