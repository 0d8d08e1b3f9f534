import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError, invalidValue } from '../../errors/errors.ts';
import type { JsonObject } from '../env.ts';
import { tooLarge } from '../middleware/body/body-limit.ts';
import { UploadedFile } from './uploaded-file.ts';

const maxFields = 128;
const maxFieldBytes = 16 * 1024;
const maxNameBytes = 100;
/** Most bytes that the fields and the lines between the parts may add to those of the file. */
export const maxOverheadBytes = 256 * 1024;
const fileField = 'file';

export interface FormOptions {
  readonly contentType: string;
  /** Where the file is written. It must not exist yet. */
  readonly filePath: string;
  readonly maxFileBytes: number;
}

/** The fields of the form in `source`, whose `file` is written to disk meanwhile. Throws AppError, and may leave it. */
export async function readForm(
  source: AsyncIterable<Uint8Array>,
  { contentType, filePath, maxFileBytes }: FormOptions,
): Promise<JsonObject> {
  const parser = openParser(contentType, maxFileBytes);
  const form = new FormCollector(parser, filePath, maxFileBytes);
  try {
    let receivedBytes = 0;
    for await (const chunk of source) {
      receivedBytes += chunk.byteLength;
      if (receivedBytes > maxFileBytes + maxOverheadBytes) throw tooLarge(maxFileBytes);
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), form.failed]);
      form.throwIfFailed();
    }
    const parsed = once(parser, 'finish');
    parser.end();
    await Promise.race([parsed, form.failed]);
    return await form.finish();
  } finally {
    await form.close();
  }
}

function openParser(contentType: string, maxFileBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: {
        fieldNameSize: maxNameBytes,
        fieldSize: maxFieldBytes,
        fields: maxFields,
        files: maxFields,
        fileSize: maxFileBytes,
        headerPairs: 16,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    throw malformed('its Content-Type names no boundary');
  }
}

class FormCollector {
  readonly #fields = new Map<string, unknown>();
  readonly #failure = Promise.withResolvers<never>();
  #error: Error | undefined;
  #writer: WriteStream | undefined;

  constructor(parser: BusboyInstance, filePath: string, maxFileBytes: number) {
    // Without this an error that comes while nobody waits for it would be an unhandled rejection.
    this.#failure.promise.catch(() => undefined);
    const tooMany = (): void => this.#fail(malformed(`it has more than ${maxFields} fields`));
    parser.on('fieldsLimit', tooMany).on('filesLimit', tooMany).on('partsLimit', tooMany);
    parser.on('error', () => this.#fail(malformed('it ends too early or is damaged')));
    // A part may have no name, which the parser's types do not say.
    parser.on('field', (name: string | undefined, value, nameTruncated, valueTruncated) => {
      if (name === undefined) this.#fail(malformed('a part of it has no name'));
      else if (nameTruncated)
        this.#fail(malformed(`the name of a field is longer than ${maxNameBytes} bytes`));
      else if (name === fileField) this.#fail(notAFile());
      else if (valueTruncated) this.#fail(tooLong(name));
      else this.#addField(name, value);
    });
    parser.on('file', (name: string | undefined, content, filename) => {
      content.on('limit', () => this.#fail(tooLarge(maxFileBytes)));
      // The parser reports the same error, which is handled above.
      content.on('error', () => undefined);
      if (name === undefined) this.#fail(malformed('a part of it has no name'));
      const isNew = name !== undefined && this.#setOnce(name, new UploadedFile(filePath, filename));
      if (isNew && name === fileField) this.#writeFile(content, filePath);
      else content.resume();
    });
  }

  /** Rejects with the first error; never resolves. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  throwIfFailed(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /** The whole form, once its file is on disk. */
  async finish(): Promise<JsonObject> {
    this.throwIfFailed();
    if (this.#writer !== undefined) await Promise.race([finished(this.#writer), this.failed]);
    this.throwIfFailed();
    return Object.fromEntries(this.#fields);
  }

  /** Stops writing the file. */
  async close(): Promise<void> {
    if (this.#writer === undefined) return;
    this.#writer.destroy();
    await finished(this.#writer).catch(() => undefined);
  }

  #writeFile(content: BusboyFileStream, filePath: string): void {
    const writer = createWriteStream(filePath, { flags: 'wx', mode: 0o600 });
    this.#writer = writer;
    writer.on('error', (cause) => this.#fail(new Error('an upload could not be written', { cause })));
    content.pipe(writer);
  }

  /** Adds a field. Lists come as `include[]`, objects as `chunking_strategy[type]`. Empty fields are ignored. */
  #addField(name: string, value: string): void {
    if (value === '') return;
    const base = /^([^[]+)\[[^\]]*\]/.exec(name)?.[1];
    if (base === undefined) return void this.#setOnce(name, value);
    const values = this.#fields.get(base) ?? [];
    if (Array.isArray(values)) this.#fields.set(base, [...(values as unknown[]), value]);
    else this.#fail(givenTwice(base));
  }

  #setOnce(name: string, value: unknown): boolean {
    if (this.#fields.has(name)) {
      this.#fail(givenTwice(name));
      return false;
    }
    this.#fields.set(name, value);
    return true;
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#failure.reject(this.#error);
  }
}

function malformed(what: string): AppError {
  return new AppError(
    'invalid_value',
    `The request body is no valid multipart form: ${what}. Send a multipart/form-data body with the fields of this route.`,
  );
}

function notAFile(): AppError {
  const message = "'file' must be a file: send it as a part with a file name, such as speech.mp3.";
  return new AppError('invalid_type', message, { param: fileField });
}

function tooLong(name: string): AppError {
  return invalidValue(name, `'${name}' must have at most ${maxFieldBytes} bytes.`);
}

function givenTwice(name: string): AppError {
  return invalidValue(name, `'${name}' must be given once, not several times.`);
}
