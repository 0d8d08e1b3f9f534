import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { readBatchLines } from '../../batches/batch-lines.ts';
import { AppError } from '../../errors/errors.ts';
import type { FileRow } from '../../files/file-library.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { toList } from '../parameters/list-page.ts';
import { idIn, nameIgnored, readBody, readQuery } from '../request/read-parameters.ts';
import { createMiddleware } from 'hono/factory';
import { formBody } from '../upload/form-body.ts';
import { filesQuery, uploadSchema } from './operation.ts';

type FileDeps = Pick<AppDeps, 'files' | 'settings'>;

/** How long a batch's file is kept whose upload names no time, as on the original service. */
const batchFileMs = 30 * 86_400_000;
/** Bounds of the unknown names of a file's lines that an answer lists. */
const [mostNamed, mostNameChars] = [100, 160];

export function fileRoutes(deps: FileDeps): Routes {
  const { files, settings } = deps;
  const form = formBody({ uploadsDir: settings.uploadsDir, maxFileBytes: settings.filesLimitBytes });
  const find = (c: AppContext) => files.get(c.get('principal').accountId, idIn(c));
  return {
    '/v1/files': {
      POST: [reserveRoom(deps), form, (c) => uploadFile(c, deps)],
      GET: (c) => {
        const { after, limit = 10_000, purpose, order = 'desc' } = readQuery(c, filesQuery);
        const { rows, isMore } = files.list(c.get('principal').accountId, purpose, { after, limit, order });
        return c.json(toList(rows.map(toWireFile), isMore));
      },
    },
    '/v1/files/:id': {
      GET: (c) => c.json(toWireFile(find(c))),
      DELETE: async (c) => {
        const { id } = find(c);
        await files.remove(c.get('principal').accountId, id);
        return c.json({ id, object: 'file', deleted: true });
      },
    },
    '/v1/files/:id/content': {
      GET: (c) => {
        const { id, filename } = find(c);
        c.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`);
        return sendFile(c, files, id);
      },
    },
  };
}

/** Most that a form may have around its file: a file of all the room that there is must fit. */
const formBytes = 1024;

/** Keeps room for a file on its way, or refuses it before it is sent. One without a size may take all of the room. */
function reserveRoom({ files }: FileDeps): Middleware {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { accountId } = c.get('principal');
    const length = c.req.header('content-length');
    const bytes =
      length === undefined ? Math.max(1, files.roomOf(accountId)) : Math.max(1, Number(length) - formBytes);
    const release = files.reserve(accountId, bytes);
    const refuse = () => {
      release();
      files.reserve(accountId, bytes + 1)();
    };
    c.set('room', { bytes: length === undefined ? bytes : Number(length), release, refuse });
    try {
      await next();
    } finally {
      release();
    }
  });
}

/** POST /v1/files: checks each line of a file for a batch, so that its mistakes show at once. */
async function uploadFile(c: AppContext, { files }: FileDeps): Promise<Response> {
  const { file, purpose, expires_after: keptSeconds } = readBody(c, uploadSchema);
  if (purpose === 'batch') {
    const unknown = new Set<string>();
    for await (const line of readBatchLines(file.path))
      for (const name of line.unknown)
        if (unknown.size < mostNamed) unknown.add(`file.${name.slice(0, mostNameChars)}`);
    nameIgnored(c, [...unknown]);
  }
  const keptMs =
    keptSeconds === undefined ? (purpose === 'batch' ? batchFileMs : undefined) : keptSeconds * 1000;
  const arrived = { path: file.path, filename: file.name.slice(0, 255), purpose, keptMs };
  return c.json(toWireFile(await files.add(c.get('principal').accountId, arrived, c.get('room')?.release)));
}

/** The content of a file, or a range of it. Throws range_not_satisfiable: the file has no byte of the range. */
export function sendFile(
  c: AppContext,
  files: AppDeps['files'],
  id: string,
  mediaType = 'application/octet-stream',
): Response {
  const { bytes } = files.get(c.get('principal').accountId, id);
  const { start, end, isPart } = rangeOf(c.req.header('range'), bytes);
  c.header('content-type', mediaType);
  c.header('x-content-type-options', 'nosniff');
  c.header('accept-ranges', 'bytes');
  c.header('content-length', String(end - start + 1));
  if (isPart) c.header('content-range', `bytes ${start}-${end}/${bytes}`);
  if (bytes === 0) return c.body('');
  const content = Readable.toWeb(createReadStream(files.pathOf(id), { start, end }));
  return c.body(content as ReadableStream<Uint8Array>, isPart ? 206 : 200);
}

function rangeOf(header: string | undefined, bytes: number) {
  const whole = { start: 0, end: bytes - 1, isPart: false };
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  const isReversed = first !== '' && last !== '' && Number(last) < Number(first);
  if ((first === '' && last === '') || isReversed) return whole;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  if (start >= bytes)
    throw new AppError(
      'range_not_satisfiable',
      `The header 'Range' (${header}) names no byte of the file, which has ${bytes}.`,
      {
        headers: { 'content-range': `bytes */${bytes}` },
      },
    );
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return { start, end, isPart: true };
}

const toSeconds = (ms: number) => Math.floor(ms / 1000);

function toWireFile({ id, bytes, createdAtMs, expiresAtMs, filename, purpose }: FileRow) {
  return {
    id,
    object: 'file',
    bytes,
    created_at: toSeconds(createdAtMs),
    expires_at: expiresAtMs === null ? null : toSeconds(expiresAtMs),
    filename,
    purpose,
    status: 'processed',
    status_details: null,
  };
}
