import { commonBeginning, commonEnd } from '../../text/text-cuts.ts';
import { noTexts, type ToolSyntax } from '../tool-syntax.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The texts around the calls of `turn`, whose bodies are at `first` and `second`. Text before both of them belongs
 * to the calls; text before the first call only belongs to the section around all calls.
 */
export function splitTurn(
  turn: string,
  first: Span,
  second: Span | undefined,
): Pick<ToolSyntax, 'section' | 'call' | 'separator'> {
  const before = turn.slice(0, first.start);
  const after = turn.slice((second ?? first).end);
  if (!second) return { section: noTexts, call: { begin: before.trimStart(), end: after }, separator: '' };
  const between = turn.slice(first.end, second.start);
  const begin = commonEnd(before, between).trimStart();
  const untilNext = between.slice(0, between.length - begin.length);
  const end = commonBeginning(untilNext, after).trimEnd();
  return {
    section: {
      begin: before.slice(0, before.length - begin.length).trimStart(),
      end: after.slice(end.length),
    },
    call: { begin, end },
    separator: untilNext.slice(end.length),
  };
}
