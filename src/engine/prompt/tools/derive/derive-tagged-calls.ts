import type { JsonValue } from '../../../types.ts';
import { endOfJson } from '../../text/json-scanner.ts';
import type { RenderedCalls } from '../../probe/rendered-calls.ts';
import { splitTurn } from './split-turn.ts';
import { probeCalls, type KnownCall } from '../../probe/template-probe.ts';
import { commonBeginning, commonEnd } from '../../text/text-cuts.ts';
import { cdata, type ArgumentsShape, type CallLayout, type SyntaxPiece } from '../tool-syntax.ts';

interface FoundCall {
  /** Where the text from the name to the end of the arguments begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly beforeName?: string;
  readonly afterName: string;
  readonly arguments: ArgumentsShape;
}

/** The layout of calls with the tool's name between markers; undefined for arguments of an unknown shape. */
export function deriveTaggedCalls(rendered: RenderedCalls, source: string): CallLayout | undefined {
  const [first, second] = probeCalls;
  const turn = rendered.two ?? rendered.one;
  const parallel = rendered.two !== undefined;
  const find = (call: KnownCall, from: number) =>
    withIdBefore(
      findJsonArguments(turn, call, from) ??
        findPythonic(turn, call, from) ??
        findParameters(turn, call, from, source.includes(cdata.begin)),
      turn.slice(from),
      from,
      call,
    );
  const one = find(first, 0);
  const two = one && parallel ? find(second, one.end) : undefined;
  if (!one || (parallel && !two)) return undefined;
  const parts = splitTurn(turn, one, two);
  const beforeName = one.beforeName && { beforeName: piecesOf(one.beforeName) };
  const afterName = piecesOf(one.afterName, two?.afterName);
  return { ...parts, body: { kind: 'tagged', ...beforeName, afterName, arguments: one.arguments }, parallel };
}

/** `found` from the call's id on, where that stands before the name. */
function withIdBefore(
  found: FoundCall | undefined,
  turn: string,
  from: number,
  call: KnownCall,
): FoundCall | undefined {
  const idAt = turn.indexOf(call.id);
  if (found === undefined || idAt < 0 || from + idAt > found.start) return found;
  return { ...found, start: from + idAt, beforeName: turn.slice(idAt, found.start - from) };
}

function findJsonArguments(turn: string, call: KnownCall, from: number): FoundCall | undefined {
  const start = turn.indexOf(call.name, from);
  const open = turn.indexOf('{', start);
  if (start < 0 || open < 0) return undefined;
  const end = endOfJson(turn, open);
  if (end === undefined) return undefined;
  const value = JSON.parse(turn.slice(open, end)) as Record<string, JsonValue>;
  if (value['qz_text'] !== call.arguments.qz_text) return undefined;
  return { start, end, afterName: turn.slice(start + call.name.length, open), arguments: { kind: 'json' } };
}

function findPythonic(turn: string, call: KnownCall, from: number): FoundCall | undefined {
  const pattern = new RegExp(`${call.name}\\(qz_text=(["']).*?\\1, ?qz_count=\\d+\\)`);
  const found = pattern.exec(turn.slice(from));
  if (!found) return undefined;
  const start = from + found.index;
  return { start, end: start + found[0].length, afterName: '', arguments: { kind: 'pythonic' } };
}

function findParameters(
  turn: string,
  call: KnownCall,
  from: number,
  takesCdata: boolean,
): FoundCall | undefined {
  const text = call.arguments.qz_text;
  const count = String(call.arguments.qz_count);
  const start = turn.indexOf(call.name, from);
  const nameEnd = start + call.name.length;
  const firstKey = turn.indexOf('qz_text', nameEnd);
  const firstValue = turn.indexOf(text, firstKey);
  const secondKey = turn.indexOf('qz_count', firstValue);
  const secondValue = turn.indexOf(count, secondKey);
  if (start < 0 || firstKey < 0 || firstValue < 0 || secondKey < 0 || secondValue < 0) return undefined;

  const beforeFirst = turn.slice(nameEnd, firstKey);
  const between = turn.slice(firstValue + text.length, secondKey);
  const begin = commonEnd(beforeFirst, between).trimStart();
  const found = shapeOf({
    begin,
    keyEnd: turn.slice(firstKey + 'qz_text'.length, firstValue),
    otherKeyEnd: turn.slice(secondKey + 'qz_count'.length, secondValue),
    untilNext: between.slice(0, between.length - begin.length),
    behind: turn.slice(secondValue + count.length),
  });
  if (begin === '' || found === undefined) return undefined;
  return {
    start,
    end: secondValue + count.length + found.lastEnd.length,
    afterName: beforeFirst.slice(0, beforeFirst.length - begin.length),
    arguments: { ...found.shape, ...(takesCdata && { cdata: true }) },
  };
}

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
  return {
    lastEnd: end,
    shape: {
      ...shape,
      keyEnd: { string: quoted ? keyEnd.slice(0, -1) : keyEnd, other: otherKeyEnd },
      ...(typed && { typed }),
      end: quoted ? end.replace('"', '') : end,
      separator: untilNext.slice(end.length),
      strings: quoted ? 'json' : 'raw',
    } as const,
  };
}

/** A text beside a name, in pieces: id, index and name differ from call to call, the rest is fixed. */
function piecesOf(first: string, second?: string): SyntaxPiece[] {
  for (const kind of ['id', 'name'] as const) {
    const [before, after] = cutAt(first, probeCalls[0][kind]);
    if (after !== undefined) return [...piecesOf(before), { kind }, ...piecesOf(after)];
  }
  if (second === undefined || first === second) return withoutEmpty([first]);
  const begin = commonBeginning(first, second);
  const end = commonEnd(first.slice(begin.length), second.slice(begin.length));
  const differing = first.slice(begin.length, first.length - end.length);
  const counts = differing === '0' || differing === '1';
  return withoutEmpty(counts ? [begin, { kind: 'index', from: Number(differing) }, end] : [first]);
}

function cutAt(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}

const withoutEmpty = (pieces: readonly SyntaxPiece[]) => pieces.filter((piece) => piece !== '');
