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
    const found = shapeOf({
      begin,
      keyEnd: behindName.slice(firstKey + 'qz_text'.length, firstValue),
      otherKeyEnd: behindName.slice(secondKey + 'qz_count'.length, secondValue),
      untilNext: between.slice(0, between.length - begin.length),
      behind: behindName.slice(secondValue + count.length),
    });
    if (begin === '' || found === undefined) return undefined;
    return {
      afterName: beforeFirst.slice(0, beforeFirst.length - begin.length),
      end: secondValue + count.length + found.lastEnd.length,
      shape: { ...found.shape, ...(source.includes(cdata.begin) && { cdata: true }) },
    };
  },
  read: (shape, reading, types) => readParameters(shape, reading, types),
  grammar: parametersGrammar,
  write: (shape, values) => writeParameters(shape, Object.entries(values)),
};

/** The texts around the two values of a call. */
interface AroundValues {
  readonly begin: string;
  readonly keyEnd: string;
  readonly otherKeyEnd: string;
  /** The text between the first value and the beginning of the second parameter. */
  readonly untilNext: string;
  readonly behind: string;
}

/** The shape of parameters, and what stands behind the last value; undefined where nothing ends values. */
function shapeOf({ begin, keyEnd, otherKeyEnd, untilNext, behind }: AroundValues) {
  const shape = { kind: 'parameters', begin } as const;
  const [close = '', separator] = untilNext.split(`qz_text${keyEnd}`);
  const lastEnd = `${close}qz_count${keyEnd}`;
  if (separator !== undefined && behind.startsWith(lastEnd)) {
    const ends = { keyEnd: { string: keyEnd, other: keyEnd }, end: close, nested: true } as const;
    return { lastEnd, shape: { ...shape, ...ends, separator, strings: 'raw' } as const };
  }
  const end = commonBeginning(untilNext, behind).trimEnd();
  if (end === '') return undefined;
  const quoted = /^\s*"/.test(end) && keyEnd.endsWith('"');
  const typed = keyEnd !== otherKeyEnd && keyEnd.replace('string', 'number') === otherKeyEnd;
  const around = {
    keyEnd: { string: quoted ? keyEnd.slice(0, -1) : keyEnd, other: otherKeyEnd },
    ...(typed && { typed }),
    end: quoted ? end.replace('"', '') : end,
    separator: untilNext.slice(end.length),
    strings: quoted ? 'json' : 'raw',
  } as const;
  return { lastEnd: end, shape: { ...shape, ...around } };
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
