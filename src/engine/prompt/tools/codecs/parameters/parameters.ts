import type { JsonValue } from '../../../../types.ts';
import { commonBeginning, commonEnd } from '../../../text/text-cuts.ts';
import type { ArgumentsCodec } from '../../call-codec.ts';
import { typeOfJson } from '../../../../../grammar/fits-schema.ts';
import { isJsonArray, itemKey, toSpacedJson } from '../../schema/call-arguments.ts';
import type { ParametersShape } from '../../tool-syntax.ts';
import { parametersGrammar } from './parameter-grammar.ts';
import { cdata, endOf, keyEndOf } from './parameter-texts.ts';
import { readParameters } from './read-parameters.ts';

/** Arguments with texts around each name and each value: begin · KEY · keyEnd · VALUE · end. */
export const parametersCodec: ArgumentsCodec<ParametersShape> = {
  find(behindName, { arguments: values }, source) {
    const text = values.qz_text;
    const count = String(values.qz_count);
    const firstKey = behindName.indexOf('qz_text');
    const firstValue = behindName.indexOf(text, firstKey);
    const secondKey = behindName.indexOf('qz_count', firstValue);
    const secondValue = behindName.indexOf(count, secondKey);
    if ([firstKey, firstValue, secondKey, secondValue].includes(-1)) return undefined;

    const beforeFirst = behindName.slice(0, firstKey);
    const between = behindName.slice(firstValue + text.length, secondKey);
    const begin = commonEnd(beforeFirst, between).trimStart();
    const keyEnd = behindName.slice(firstKey + 'qz_text'.length, firstValue);
    const otherKeyEnd = behindName.slice(secondKey + 'qz_count'.length, secondValue);
    const untilNext = between.slice(0, between.length - begin.length);
    const valuesEnd = secondValue + count.length;
    const found = shapeOf(keyEnd, otherKeyEnd, untilNext, behindName.slice(valuesEnd));
    if (begin === '' || found === undefined) return undefined;
    const { lastEnd, ...shape } = found;
    const cdataToo = source.includes(cdata.begin) ? ({ cdata: true } as const) : {};
    return {
      afterName: beforeFirst.slice(0, beforeFirst.length - begin.length),
      end: valuesEnd + lastEnd.length,
      shape: { kind: 'parameters', begin, ...shape, ...cdataToo },
    };
  },
  read: (shape, reading, types) => readParameters(shape, reading, types),
  grammar: parametersGrammar,
  write: (shape, values) => writeParameters(shape, Object.entries(values)),
};

/**
 * The shape of parameters without their beginning, and the text behind the last value; undefined where nothing ends
 * values. `untilNext` is between the first value and the second parameter, `behind` follows the second value.
 */
function shapeOf(keyEnd: string, otherKeyEnd: string, untilNext: string, behind: string) {
  const [close = '', separator] = untilNext.split(`qz_text${keyEnd}`);
  const lastEnd = `${close}qz_count${keyEnd}`;
  if (separator !== undefined && behind.startsWith(lastEnd)) {
    const ends = { string: keyEnd, other: keyEnd };
    return { lastEnd, keyEnd: ends, end: close, nested: true, separator, strings: 'raw' } as const;
  }
  const end = commonBeginning(untilNext, behind).trimEnd();
  if (end === '') return undefined;
  const quoted = /^\s*"/.test(end) && keyEnd.endsWith('"');
  const typed = keyEnd !== otherKeyEnd && keyEnd.replace('string', 'number') === otherKeyEnd;
  return {
    lastEnd: end,
    keyEnd: { string: quoted ? keyEnd.slice(0, -1) : keyEnd, other: otherKeyEnd },
    ...(typed && { typed }),
    end: quoted ? end.replace('"', '') : end,
    separator: untilNext.slice(end.length),
    strings: quoted ? 'json' : 'raw',
  } as const;
}

const writeParameters = (
  shape: ParametersShape,
  entries: readonly (readonly [string, JsonValue])[],
): string =>
  entries
    .map(
      ([key, value]) =>
        shape.begin + key + keyEndOf(shape, typeOfJson(value)) + writeValue(shape, value) + endOf(shape, key),
    )
    .join(shape.separator);

function writeValue(shape: ParametersShape, value: JsonValue): string {
  if (typeof value === 'string' && shape.strings === 'raw')
    return shape.cdata && /[<&\n]/.test(value) ? `${cdata.begin}${value}${cdata.end}` : value;
  if (shape.nested !== true || typeof value !== 'object' || value === null) return toSpacedJson(value);
  const entries = isJsonArray(value) ? value.map((item) => [itemKey, item] as const) : Object.entries(value);
  return writeParameters(shape, entries);
}
