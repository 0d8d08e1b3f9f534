import type { JsonObject } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import { formatPath } from '../../format-path.ts';

/**
 * `schema`, which is at `path` in the request, as one of objects only: arguments are always an object, also where
 * their schema (often `{}`) leaves that open. Throws invalid_json_schema where it allows no object.
 */
export function toArgumentsSchema(schema: JsonObject, path: readonly PropertyKey[]): JsonObject {
  const { type } = schema;
  if (type === 'object') return schema;
  const allowsObjects = type === undefined || (Array.isArray(type) && type.includes('object'));
  // Keywords of a schema all apply at once: this narrows it to its objects and changes nothing else.
  if (allowsObjects) return { ...schema, type: 'object' };
  const param = formatPath([...path, 'type']);
  throw new AppError('invalid_json_schema', `'${param}' must be "object": arguments are named.`, { param });
}
