import { z } from 'zod';
import { errorTable } from '../../errors/errors.ts';
import type { Dialect } from '../dialect.ts';
import { namedObject } from '../openapi/json-schema.ts';

export const ollamaError = namedObject('OllamaError', { error: z.string().min(1) });

/** Ollama tells an error by its message alone. */
export const ollamaDialect: Dialect = {
  errorBody: ollamaError,
  toErrorBody: ({ message }) => ({ error: message }),
  toStatus: (code) => errorTable[code].status,
};

/** The type of its streams: a JSON object in each line. */
export const linesType = 'application/x-ndjson';

export const toLine = (value: object): string => `${JSON.stringify(value)}\n`;
