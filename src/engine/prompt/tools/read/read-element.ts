import type { CharStream, Reading } from '../../text/char-stream.ts';
import type { ArgumentTypes } from '../argument-types.ts';
import { itemKey } from '../call-arguments.ts';
import { endOf, type ParametersShape } from '../tool-syntax.ts';
import { readKey } from './read-key.ts';

const deepestNesting = 64;

/**
 * The JSON of the value of the parameter `key`, read up to its end: an object or a list may be written as more such
 * parameters. undefined where the text ends before, or where something else is inside.
 */
export function* readElement(
  chars: CharStream,
  shape: ParametersShape,
  key: string,
  types: ArgumentTypes,
  depth = 0,
): Reading<string | undefined> {
  const allowed = types.typesOf(key);
  const mayNest = allowed.has('object') || allowed.has('array');
  if (mayNest && (yield* startsElement(chars, shape)))
    return depth < deepestNesting ? yield* readElements(chars, shape, key, types, depth) : undefined;
  let text = '';
  const end = endOf(shape, key);
  // Grammars cannot repeat a name that is not known beforehand, so such a value ends with any name.
  const found = yield* chars.until([types.declares(key) ? end : shape.end], (piece) => {
    text += piece;
  });
  if (found === undefined) return undefined;
  chars.skip(found.length);
  if (found !== end && (yield* readKey(chars, shape)) === undefined) return undefined;
  if (text.trim() !== '' || allowed.has('string') || !mayNest) return types.toJson(key, text);
  return allowed.has('object') ? '{}' : '[]';
}

function* startsElement(chars: CharStream, { begin, end }: ParametersShape): Reading<boolean> {
  return (yield* chars.match(` ${end}`)) < 0 && (yield* chars.match(` ${begin}`)) >= 0;
}

function* readElements(
  chars: CharStream,
  shape: ParametersShape,
  key: string,
  types: ArgumentTypes,
  depth: number,
): Reading<string | undefined> {
  const inner = types.inside(key);
  const names: string[] = [];
  const values: string[] = [];
  while (yield* startsElement(chars, shape)) {
    yield* chars.accept(` ${shape.begin}`);
    const name = (yield* readKey(chars, shape))?.text;
    const value = name === undefined ? undefined : yield* readElement(chars, shape, name, inner, depth + 1);
    if (name === undefined || value === undefined) return undefined;
    names.push(name);
    values.push(value);
  }
  if (!(yield* chars.accept(` ${endOf(shape, key)}`))) return undefined;
  const allowed = types.typesOf(key);
  const isList = allowed.has('array') && (!allowed.has('object') || names.every((name) => name === itemKey));
  if (isList) return `[${values.join(',')}]`;
  return `{${values.map((value, index) => `${JSON.stringify(names[index])}:${value}`).join(',')}}`;
}
