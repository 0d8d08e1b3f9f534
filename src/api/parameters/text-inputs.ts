import { z } from 'zod';
import { refuse } from './schema-parts.ts';
import type { ParameterPlace } from '../generation/wire/to-wire-error.ts';

/** One text, or one text as token ids of the model. */
export type TextInput = string | readonly number[];

export interface TextInputs {
  /** At least one. */
  readonly items: readonly TextInput[];
  /** True if they came in an array: errors then name the index. */
  readonly isList: boolean;
}

/** Token ids are 32-bit numbers in every model. */
const maxTokenId = 2 ** 31 - 1;

interface Complaint {
  readonly message: string;
  readonly code: 'invalid_type' | 'invalid_value';
  readonly path?: readonly number[];
}

const empty: Complaint = { message: 'must not be empty', code: 'invalid_value' };

/** A string, an array of strings, tokens, or an array of token arrays; stops at the first wrong item, as `list`. */
export function textInputs({ max, mayBeEmpty }: { max: number; mayBeEmpty: boolean }) {
  const parse = z.unknown().transform((value, context): TextInputs => {
    const inputs = toInputs(value, max, mayBeEmpty);
    if ('items' in inputs) return inputs;
    return refuse(context, inputs.message, inputs);
  });
  const text = { type: 'string' };
  const tokens = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0, maximum: maxTokenId } };
  const several = { type: 'array', minItems: 1, maxItems: max, items: { anyOf: [text, tokens] } };
  return parse.meta({ anyOf: [text, tokens, several] });
}

function toInputs(value: unknown, max: number, mayBeEmpty: boolean): TextInputs | Complaint {
  if (typeof value === 'string')
    return complaintAbout(value, mayBeEmpty) ?? { items: [value.toWellFormed()], isList: false };
  if (!Array.isArray(value)) {
    return { message: 'must be a string, or an array of strings or token ids', code: 'invalid_type' };
  }
  const given: readonly unknown[] = value;
  if (given.length === 0) return empty;
  if (typeof given[0] === 'number') return toTokens(given) ?? { items: [given as number[]], isList: false };
  if (given.length > max) return { message: `must have at most ${max} items`, code: 'invalid_value' };
  const items: TextInput[] = [];
  for (const [index, item] of given.entries()) {
    const complaint = complaintAbout(item, mayBeEmpty);
    if (complaint !== undefined) return { ...complaint, path: [index, ...(complaint.path ?? [])] };
    items.push(typeof item === 'string' ? item.toWellFormed() : (item as number[]));
  }
  return { items, isList: true };
}

function complaintAbout(item: unknown, mayBeEmpty: boolean): Complaint | undefined {
  if (typeof item === 'string') return item === '' && !mayBeEmpty ? empty : undefined;
  if (!Array.isArray(item))
    return { message: 'must be a string or an array of token ids', code: 'invalid_type' };
  const tokens: readonly unknown[] = item;
  return tokens.length === 0 ? empty : toTokens(tokens);
}

/** The complaint about the first item of `tokens` that is no token id; undefined if all are. */
function toTokens(tokens: readonly unknown[]): Complaint | undefined {
  const index = tokens.findIndex((token) => !isTokenId(token));
  if (index < 0) return undefined;
  const isNumber = Number.isInteger(tokens[index]);
  return isNumber
    ? { message: `must be a token id, from 0 to ${maxTokenId}`, code: 'invalid_value', path: [index] }
    : { message: 'must be a token id, which is an integer', code: 'invalid_type', path: [index] };
}

const maxTokenIds = 2 ** 18;

/** The schema of a list of token ids, which may be empty. */
export const tokenIds = z
  .unknown()
  .transform((value, context): readonly number[] => {
    if (!Array.isArray(value))
      return refuse(context, 'must be an array of token ids', { code: 'invalid_type' });
    if (value.length > maxTokenIds) return refuse(context, `must have at most ${maxTokenIds} items`);
    const complaint = toTokens(value);
    return complaint === undefined ? (value as number[]) : refuse(context, complaint.message, complaint);
  })
  .meta({
    type: 'array',
    maxItems: maxTokenIds,
    items: { type: 'integer', minimum: 0, maximum: maxTokenId },
  });

const isTokenId = (token: unknown) =>
  typeof token === 'number' && Number.isInteger(token) && token >= 0 && token <= maxTokenId;

/** The place of the engine's `name` for the input at `index`: `prompt[2]` in a list, otherwise `prompt`. */
export function inputPlace(name: string, index: number, { isList }: TextInputs): ParameterPlace {
  return [new RegExp(`^${name}(?=$|[.[])`), isList ? `${name}[${index}]` : name];
}

/** The place of the engine's `engineName[2]`: `name[2]` in a list, otherwise `name`. */
export function inputPlaces(engineName: string, name: string, { isList }: TextInputs): ParameterPlace[] {
  return [[new RegExp(`^${engineName}\\[(\\d+)\\](?=$|[.[])`), isList ? `${name}[$1]` : name]];
}
