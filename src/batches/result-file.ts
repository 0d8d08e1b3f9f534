import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import type { BatchDialect } from '../store/tables/batches/batch-table.ts';
import type { LineAnswer } from './batch-types.ts';

/** A file that results are appended to. Only its first `bytes` count: those behind were never told to anybody. */
export class ResultFile {
  readonly #path: string;
  #bytes: number;
  #handle: FileHandle | undefined;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Writes `text` behind the bytes that count and resolves when it is on the disk, with the number that would count then. */
  async write(text: string): Promise<number> {
    if (text === '') return this.#bytes;
    this.#handle ??= await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const content = Buffer.from(text);
    for (let at = 0; at < content.length;) {
      const { bytesWritten } = await this.#handle.write(content, at, content.length - at, this.#bytes + at);
      at += bytesWritten;
    }
    await this.#handle.datasync();
    return this.#bytes + content.length;
  }

  /** From now on the first `bytes` count. */
  count(bytes: number): void {
    this.#bytes = bytes;
  }

  /** Cuts off the bytes that do not count, and removes a file without others. */
  async finish(): Promise<void> {
    if (this.#bytes > 0) {
      this.#handle ??= await open(this.#path, constants.O_RDWR, 0o600);
      await this.#handle.truncate(this.#bytes);
      await this.#handle.sync();
    } else await rm(this.#path, { force: true });
    await this.close();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}

/** The end of a line: the answer of its route, or the reason why there is none. */
export type LineResult =
  | (Pick<LineAnswer, 'status' | 'requestId' | 'json' | 'ignored'> & { readonly kind: 'answered' })
  | { readonly kind: 'cancelled' | 'expired' | 'failed' };

const reasons = {
  cancelled: {
    code: 'batch_cancelled',
    message: 'The batch was cancelled before this request was computed.',
  },
  expired: {
    code: 'batch_expired',
    message: 'The time of the batch was over before this request was computed.',
  },
  failed: {
    code: 'internal_error',
    message: 'The server failed on this request, and on trying it again.',
  },
} as const;

export const isSuccess = (result: LineResult) => result.kind === 'answered' && result.status < 400;

const missing = 'model_not_found';
const mostOfName = 100;

/**
 * The code of the error that a line failed with, in Anthropic's dialect its type, and behind a space the model that is
 * not there; undefined: it was answered, or not computed.
 */
export function failureOf(result: LineResult, model: string): string | undefined {
  if (result.kind === 'failed') return reasons.failed.code;
  if (result.kind !== 'answered' || isSuccess(result)) return undefined;
  const { error } = JSON.parse(result.json) as { readonly error?: { code?: string; type?: string } };
  const code = error?.code ?? error?.type ?? reasons.failed.code;
  return code === missing && model !== '' ? `${code} ${model.slice(0, mostOfName).toWellFormed()}` : code;
}

/** The code in a failure that `failureOf` returns. */
export const codeOf = (failure: string): string => failure.split(' ', 1)[0] ?? failure;

/** The `failures` of a batch by their codes, and the models that lines asked and that are not there. */
export function toldFailures(failures: string) {
  const all = Object.entries(JSON.parse(failures) as Record<string, number>);
  const byCode: Record<string, number> = {};
  for (const [failure, lines] of all) byCode[codeOf(failure)] = (byCode[codeOf(failure)] ?? 0) + lines;
  const models = all.flatMap(([failure]) =>
    failure.startsWith(`${missing} `) ? failure.slice(missing.length + 1) : [],
  );
  return { failures: byCode, missing_models: models };
}

/** The line of a file of results, by the API that made the batch. `json` of the answer is copied as it is. */
export function resultLine(dialect: BatchDialect, customId: string, result: LineResult): string {
  const id = JSON.stringify(customId);
  if (dialect === 'anthropic') return `{"custom_id":${id},"result":${messageResult(result)}}\n`;
  const [response, error] =
    result.kind === 'answered'
      ? [
          `{"status_code":${result.status},"request_id":${JSON.stringify(result.requestId)},"body":${result.json}${ignoredIn(result)}}`,
          'null',
        ]
      : ['null', JSON.stringify(reasons[result.kind])];
  const lineId = `batch_req_${randomBytes(12).toString('hex')}`;
  return `{"id":"${lineId}","custom_id":${id},"response":${response},"error":${error}}\n`;
}

/** Beside the answer, for the header that a line has none of. */
const ignoredIn = ({ ignored }: Pick<LineAnswer, 'ignored'>) =>
  ignored.length === 0 ? '' : `,"ignored_parameters":${JSON.stringify(ignored)}`;

function messageResult(result: LineResult): string {
  if (result.kind === 'failed') {
    const error = { type: 'error', error: { type: 'api_error', message: reasons.failed.message } };
    return JSON.stringify({ type: 'errored', error });
  }
  if (result.kind !== 'answered')
    return result.kind === 'expired' ? '{"type":"expired"}' : '{"type":"canceled"}';
  return isSuccess(result)
    ? `{"type":"succeeded","message":${result.json}${ignoredIn(result)}}`
    : `{"type":"errored","error":${result.json}${ignoredIn(result)}}`;
}
