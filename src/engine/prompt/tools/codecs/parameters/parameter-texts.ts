import { firstMarker, markersOf } from '../../../text/text-cuts.ts';
import type { JsonType } from '../../../../../grammar/fits-schema.ts';
import type { ParametersShape, ToolSyntax } from '../../tool-syntax.ts';

/** The marks around a raw text that might be taken for markers. */
export const cdata = { begin: '<![CDATA[', end: ']]>' } as const;

/** The text between the key of a parameter and a value of `type`. */
export function keyEndOf({ keyEnd, typed }: ParametersShape, type: JsonType): string {
  if (typed === true) return keyEnd.string.replace('string', type);
  return type === 'string' ? keyEnd.string : keyEnd.other;
}

/** The text behind the value of the parameter `key`. */
export const endOf = ({ end, nested, keyEnd }: ParametersShape, key: string): string =>
  nested === true ? end + key + keyEnd.other : end;

/** The texts that may come behind the end of an argument: of the next one, or the end of the call. */
export function followersOf({ begin, end, nested }: ParametersShape, syntax: ToolSyntax): string[] {
  const { call, separator, section } = syntax;
  const behind =
    call.end.trim() === '' ? [section.end, separator, call.begin].map(firstMarker) : markersOf(call.end);
  return [begin.trim(), ...(nested ? [end.trim()] : []), ...behind].filter((text) => text !== '');
}
