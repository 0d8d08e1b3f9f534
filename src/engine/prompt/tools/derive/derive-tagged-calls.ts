import type { JsonValue } from '../../../types.ts';
import { endOfJson } from '../../text/json-scanner.ts';
import type { RenderedCalls } from '../../probe/rendered-calls.ts';
import { splitTurn } from './split-turn.ts';
import { probeCalls, type ProbeCall } from '../../probe/template-probe.ts';
import { commonBeginning, commonEnd } from '../../text/text-cuts.ts';
import type { ArgumentsShape, CallLayout, SyntaxPiece } from '../tool-syntax.ts';

interface FoundCall {
  /** Of the name and all that follows it up to the end of the arguments. */
  readonly start: number;
  readonly end: number;
  readonly afterName: string;
  readonly arguments: ArgumentsShape;
}

/** The layout of calls whose name stands between markers; undefined when the arguments' shape is none known. */
export function deriveTaggedCalls(rendered: RenderedCalls): CallLayout | undefined {
  const [first, second] = probeCalls;
  const turn = rendered.two ?? rendered.one;
  const parallel = rendered.two !== undefined;
  const find = (call: ProbeCall, from: number) =>
    findJsonArguments(turn, call, from) ?? findPythonic(turn, call, from) ?? findParameters(turn, call, from);
  const one = find(first, 0);
  const two = one && parallel ? find(second, one.end) : undefined;
  if (!one || (parallel && !two)) return undefined;
  const parts = splitTurn(turn, one, two);
  // An id before the name would have to be made up before it is known which call it is for.
  if (parts.call.begin.includes(first.id) || parts.section.begin.includes(first.id)) return undefined;
  const afterName = piecesOf(one.afterName, two?.afterName);
  return { ...parts, body: { kind: 'tagged', afterName, arguments: one.arguments }, parallel };
}

function findJsonArguments(turn: string, call: ProbeCall, from: number): FoundCall | undefined {
  const start = turn.indexOf(call.name, from);
  const open = turn.indexOf('{', start);
  if (start < 0 || open < 0) return undefined;
  const end = endOfJson(turn, open);
  if (end === undefined) return undefined;
  const value = JSON.parse(turn.slice(open, end)) as Record<string, JsonValue>;
  if (value['qz_text'] !== call.arguments.qz_text) return undefined;
  return { start, end, afterName: turn.slice(start + call.name.length, open), arguments: { kind: 'json' } };
}

function findPythonic(turn: string, call: ProbeCall, from: number): FoundCall | undefined {
  const pattern = new RegExp(`${call.name}\\(qz_text=(["']).*?\\1, ?qz_count=\\d+\\)`);
  const found = pattern.exec(turn.slice(from));
  if (!found) return undefined;
  const start = from + found.index;
  return { start, end: start + found[0].length, afterName: '', arguments: { kind: 'pythonic' } };
}

function findParameters(turn: string, call: ProbeCall, from: number): FoundCall | undefined {
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
  const untilNext = between.slice(0, between.length - begin.length);
  const end = commonBeginning(untilNext, turn.slice(secondValue + count.length)).trimEnd();
  if (begin === '' || end.trim() === '') return undefined;
  const keyEnd = turn.slice(firstKey + 'qz_text'.length, firstValue);
  const quoted = /^\s*"/.test(end) && keyEnd.endsWith('"');
  return {
    start,
    end: secondValue + count.length + end.length,
    afterName: beforeFirst.slice(0, beforeFirst.length - begin.length),
    arguments: {
      kind: 'parameters',
      begin,
      keyEnd: {
        string: quoted ? keyEnd.slice(0, -1) : keyEnd,
        other: turn.slice(secondKey + 'qz_count'.length, secondValue),
      },
      end: quoted ? end.replace('"', '') : end,
      separator: untilNext.slice(end.length),
      strings: quoted ? 'json' : 'raw',
    },
  };
}

/** The text after a name with what differs from call to call taken out of it. */
function piecesOf(first: string, second: string | undefined): SyntaxPiece[] {
  const [beforeId, afterId] = cutAt(first, probeCalls[0].id);
  if (afterId !== undefined) return withoutEmpty([beforeId, { kind: 'id' }, afterId]);
  if (second === undefined || first === second) return withoutEmpty([first]);
  const begin = commonBeginning(first, second);
  const end = commonEnd(first.slice(begin.length), second.slice(begin.length));
  const differing = first.slice(begin.length, first.length - end.length);
  return differing === '0' ? withoutEmpty([begin, { kind: 'index' }, end]) : withoutEmpty([first]);
}

function cutAt(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}

const withoutEmpty = (pieces: readonly SyntaxPiece[]) => pieces.filter((piece) => piece !== '');
