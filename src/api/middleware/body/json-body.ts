import { isAscii, isUtf8 } from 'node:buffer';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../../errors/errors.ts';
import { nextTurn } from '../../../timing/next-turn.ts';
import { bodyLimitBytes, type BodyDeps } from '../../attachments/body-limit.ts';
import type { AppContext, AppEnv, JsonObject } from '../../env.ts';
import { hasMoreJsonParts } from '../../../json-parts.ts';
import { checkDeclaredLength, readBoundedBody, refuseEncoded } from './body-limit.ts';
import { BodyMemory, type BodyRoom } from './body-memory.ts';

const byteOrderMark = '\uFEFF';
/** Most objects, arrays and fields of a body: more take long to parse, and no sensible request comes near. */
const maxParts = 100_000;
/** Most elements of arrays: a million numbers take 60 ms to parse, and prompts of tokens have far fewer. */
const maxElements = 1_000_000;

/** Number of bodies of the largest size that may be in memory at the same time; with pictures they are far larger. */
const largeBodies = 16;
const pictureBodies = 4;
/** Bodies up to this size are not counted and never wait. */
const smallBytes = 64 * 1024;
const waitMs = 60_000;
/** The work on bodies beyond this size is done in several turns of the event loop. */
const slowBytes = 1024 * 1024;

interface JsonBodyOptions {
  readonly orForm?: boolean;
  /** Most objects, arrays and fields; default: 100,000. */
  readonly mostParts?: number;
}

/** The memory for the bodies of all routes with the limit `limitBytes`. */
export function createBodyMemory(limitBytes: number, bodies = largeBodies): BodyMemory {
  return new BodyMemory({ bytes: bodies * limitBytes, waitMs });
}

/** As `read`, but bodies that may hold pictures have a limit and a memory of their own where a model sees or hears. */
export function pictureBody(read: ReturnType<typeof jsonBody>, deps: BodyDeps, options?: JsonBodyOptions) {
  const { jsonBodyLimitBytes, imageBodyLimitBytes } = deps.settings;
  const readLarge = jsonBody(
    imageBodyLimitBytes,
    createBodyMemory(imageBodyLimitBytes, pictureBodies),
    options,
  );
  return createMiddleware<AppEnv>((c, next) => {
    const isLarge = Number(c.req.header('content-length') ?? imageBodyLimitBytes) > jsonBodyLimitBytes;
    return (isLarge && bodyLimitBytes(deps) > jsonBodyLimitBytes ? readLarge : read)(c, next);
  });
}

/** Bodies of the size that those with pictures may have, for routes that compute nothing. */
export const largeBody = ({ imageBodyLimitBytes: bytes }: BodyDeps['settings']) =>
  jsonBody(bytes, createBodyMemory(bytes, pictureBodies));

/**
 * Puts the request's JSON object into the context. Checks in this order: announced size, type, size, JSON. A large
 * body takes its share of `memory` until its request is answered or its stream begins. With `orForm` the type may
 * also be that of a form or missing: curl says so where nothing else was set.
 */
export function jsonBody(limitBytes: number, memory: BodyMemory, options: JsonBodyOptions = {}) {
  const { orForm = false, mostParts = maxParts } = options;
  return createMiddleware<AppEnv>(async (c, next) => {
    checkDeclaredLength(c, limitBytes);
    checkJsonContentType(c, orForm);
    const declaredBytes = Number(c.req.header('content-length') ?? limitBytes);
    let room: BodyRoom | undefined;
    const claimOnce = async () => {
      room ??= await memory.claim(c.get('principal'), declaredBytes, c.req.raw.signal);
    };
    try {
      if (declaredBytes > smallBytes && c.req.header('content-length') !== undefined) await claimOnce();
      const bytes = await readBoundedBody(c, limitBytes, (receivedBytes) =>
        receivedBytes > smallBytes ? claimOnce() : undefined,
      );
      room?.shrink(bytes.byteLength);
      // Hundreds of small bodies that arrive together block the event loop for a while, and so does each step of a large
      // one: of 20 MiB of picture the parts take 10 ms to count, the text 20 ms to make and 30 ms to parse.
      const pause = () => (bytes.byteLength > slowBytes ? nextTurn() : undefined);
      await nextTurn();
      checkParts(bytes, mostParts);
      await pause();
      const text = decodeJson(bytes);
      await pause();
      c.set('body', parseJsonObject(text));
      await pause();
      await next();
    } finally {
      room?.release();
    }
  });
}

/** The same as `read`, except that a missing body counts as an empty object. */
export function optionalJsonBody(read: ReturnType<typeof jsonBody>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const hasBody =
      Number(c.req.header('content-length') ?? 0) > 0 || c.req.header('transfer-encoding') !== undefined;
    if (hasBody) return read(c, next);
    c.set('body', {});
    await next();
  });
}

const formTypes: ReadonlySet<string> = new Set(['', 'application/x-www-form-urlencoded']);

function checkJsonContentType(c: AppContext, orForm: boolean): void {
  const mediaType = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isAccepted = mediaType === 'application/json' || (orForm && formTypes.has(mediaType));
  if (!isAccepted && !/^application\/[\w.-]+\+json$/.test(mediaType)) {
    throw new AppError(
      'unsupported_media_type',
      "The body must be JSON. Send it with the header 'Content-Type: application/json'.",
    );
  }
  refuseEncoded(c);
}

/** Throws invalid_value where a body takes too long to parse. */
function checkParts(bytes: Uint8Array, mostParts: number): void {
  if (hasMoreJsonParts(bytes, mostParts, maxElements))
    throw new AppError(
      'invalid_value',
      `The request body has more than ${mostParts} objects, arrays and fields, or more than ${maxElements} elements in its arrays. Send less.`,
    );
}

function decodeJson(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A tenth of the time that reading it as UTF-8 takes, which for 20 MiB of picture in base64 is 40 ms.
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) throw notJson();
  const text = buffer.toString();
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function parseJsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notJson(cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_type', 'The request body must be a JSON object such as {"model": …}.');
  }
  return value as JsonObject;
}

/** `cause`: the parser's error; undefined: the body is no text. */
function notJson(cause?: unknown): AppError {
  return new AppError(
    'invalid_json',
    `The request body is not valid JSON${position(cause)}. Send one JSON object.`,
  );
}

/** The position at which parsing stopped. The parser's own message would quote the body. */
function position(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return ': it is not UTF-8';
  const at = /at position (\d+)/.exec(cause.message)?.[1];
  return at === undefined ? '; it ends too early or has a stray character' : `: see character ${at}`;
}
