import { z } from 'zod';
import { errorTable, AppError } from '../../errors/errors.ts';
import type { Dialect } from '../dialect.ts';
import { namedObject } from '../openapi/json-schema.ts';
import type { Catalog } from '../../catalog/types.ts';
import { findNamedModel } from '../model/model-names.ts';

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

const defaultTag = ':latest';

/** `name` without the tag that Ollama adds to every name without one, unless a model is called so. */
export function withoutTag(catalog: Catalog, name: string): string {
  if (!name.endsWith(defaultTag) || findNamedModel(catalog, name) !== undefined) return name;
  return name.slice(0, -defaultTag.length);
}

interface NamedRequest {
  readonly model?: string | undefined;
  readonly name?: string | undefined;
}

/** The model's name in a request; older clients call it `name`. Throws missing_required_parameter. */
export function nameIn({ model, name }: NamedRequest): string {
  const asked = model ?? name;
  if (asked !== undefined) return asked;
  const message = "Missing required parameter 'model': it must be a string.";
  throw new AppError('missing_required_parameter', message, { param: 'model' });
}

/** The name of the model `id` as Ollama lists it. */
export const withTag = (id: string): string => (id.includes(':') ? id : id + defaultTag);
