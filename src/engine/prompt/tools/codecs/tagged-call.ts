import type { ToolCall } from '../../../types.ts';
import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { RenderedCalls } from '../../probe/rendered-calls.ts';
import { probeCalls, type KnownCall } from '../../probe/template-probe.ts';
import { isSpace, type CharStream, type Reading } from '../../text/char-stream.ts';
import { commonBeginning, commonEnd } from '../../text/text-cuts.ts';
import { NoCall, type ArgumentsCodec, type CallCodec } from '../call-codec.ts';
import { parseArguments } from '../schema/call-arguments.ts';
import { looseLiteral } from '../schema/rule-set.ts';
import {
  nameEnd,
  type ArgumentsShape,
  type CallLayout,
  type SyntaxPiece,
  type TaggedBody,
} from '../tool-syntax.ts';
import { bareKeysCodec } from './bare-keys.ts';
import { jsonArgumentsCodec } from './json-arguments.ts';
import { parametersCodec } from './parameters/parameters.ts';
import { pythonCodec } from './python-call.ts';
import { splitTurn } from './split-turn.ts';

/** Calls with the tool's name between markers: beforeName · NAME · afterName · ARGUMENTS. */
export const taggedCallCodec: CallCodec<TaggedBody> = {
  derive,
  *read(body, reading) {
    const { chars, begin, typesOf } = reading;
    yield* readPieces(chars, body.beforeName ?? []);
    const name = yield* readName(chars, body, reading.syntax.call.end);
    yield* readPieces(chars, body.afterName);
    begin(name);
    yield* codecOf(body.arguments).read(body.arguments, reading, typesOf(name));
  },
  grammar(body, tool) {
    const pattern = (pieces: readonly SyntaxPiece[] = []) =>
      pieces.map((piece) => piecePattern(piece, tool.name)).join(' ');
    // Calls that are told by a name and its end have exactly these.
    const end = tool.syntax.triggers.some(({ named }) => named) ? nameEnd(body) : '';
    const [after, ...others] = body.afterName;
    const rest = typeof after === 'string' ? [after.slice(end.length), ...others] : body.afterName;
    const header = tool.syntax.channels ? channelHeader : pattern(rest);
    const values = codecOf(body.arguments).grammar(body.arguments, tool);
    return `${pattern(body.beforeName)} ${gbnfLiteral(tool.name + end)} ${header} ${values}`.trimStart();
  },
  write(body, call, index) {
    const write = (pieces: readonly SyntaxPiece[] = []) =>
      pieces.map((piece) => writePiece(piece, call, index)).join('');
    const values = codecOf(body.arguments).write(body.arguments, parseArguments(call.arguments));
    return write(body.beforeName) + call.name + write(body.afterName) + values;
  },
};

/** In the order in which a template's calls are compared with them. */
const codecs = {
  json: jsonArgumentsCodec,
  pythonic: pythonCodec,
  'bare-keys': bareKeysCodec,
  parameters: parametersCodec,
};

/** Each codec has the shape of its own kind. */
const codecOf = (shape: ArgumentsShape) => codecs[shape.kind] as ArgumentsCodec<ArgumentsShape>;

function derive(rendered: RenderedCalls, source: string): CallLayout | undefined {
  const [first, second] = probeCalls;
  const turn = rendered.two ?? rendered.one;
  const parallel = rendered.two !== undefined;
  const one = findCall(turn, first, 0, source);
  const two = one && parallel ? findCall(turn, second, one.end, source) : undefined;
  if (!one || (parallel && !two)) return undefined;
  const beforeName = one.beforeName === '' ? {} : { beforeName: piecesOf(one.beforeName) };
  const afterName = piecesOf(one.afterName, two?.afterName);
  const body = { kind: 'tagged', ...beforeName, afterName, arguments: one.shape } as const;
  return { ...splitTurn(turn, one, two), body, parallel };
}

/** The place of a call in `turn`, from its name, or an id before that, to the end of its arguments; and its texts. */
function findCall(turn: string, call: KnownCall, from: number, source: string) {
  const nameAt = turn.indexOf(call.name, from);
  if (nameAt < 0) return undefined;
  const behindName = nameAt + call.name.length;
  for (const codec of Object.values(codecs)) {
    const found = codec.find(turn.slice(behindName), call, source);
    if (found === undefined) continue;
    const idAt = turn.indexOf(call.id, from);
    const start = idAt < 0 ? nameAt : Math.min(idAt, nameAt);
    const { afterName, shape } = found;
    return { start, end: behindName + found.end, beforeName: turn.slice(start, nameAt), afterName, shape };
  }
  return undefined;
}

/** A text beside a name, in pieces: id, index and name differ from call to call, the rest is fixed. */
function piecesOf(first: string, second?: string): SyntaxPiece[] {
  for (const kind of ['id', 'name'] as const) {
    const [before = '', ...after] = first.split(probeCalls[0][kind]);
    const rest = after.join(probeCalls[0][kind]);
    if (after.length > 0) return [...piecesOf(before), { kind }, ...piecesOf(rest)];
  }
  const begin = commonBeginning(first, second ?? first);
  const end = commonEnd(first.slice(begin.length), (second ?? first).slice(begin.length));
  const differing = first.slice(begin.length, first.length - end.length);
  const counts = differing === '0' || differing === '1';
  const pieces = counts ? [begin, { kind: 'index', from: Number(differing) } as const, end] : [first];
  return pieces.filter((piece) => piece !== '');
}

const longestName = 256;

/** The text up to the syntax behind a name, or the end of a call. Names hold no white space, quotes or brackets. */
function* readName(chars: CharStream, { afterName }: TaggedBody, callEnd: string): Reading<string> {
  const [piece] = afterName;
  const ends = [typeof piece === 'string' ? piece.trim() : '', callEnd.trim()].filter((end) => end !== '');
  let name = '';
  for (;;) {
    const char = yield* chars.peek();
    if (char === '' || name.length > longestName) throw new NoCall();
    let ended = isSpace(char) || '({[<>"\'`'.includes(char);
    for (const end of ends) ended ||= (yield* chars.match(end)) >= 0;
    if (ended && name === '') throw new NoCall();
    if (ended) return name;
    name += char;
    chars.skip(1);
  }
}

function* readPieces(chars: CharStream, pieces: readonly SyntaxPiece[]): Reading<void> {
  for (const [at, piece] of pieces.entries()) {
    if (typeof piece === 'string') {
      // The white space before the arguments may be missing where a call has none.
      if (!(yield* chars.accept(piece.trimEnd()))) throw new NoCall();
      if (piece.trimEnd() !== piece) yield* chars.skipSpaces();
      continue;
    }
    const following = pieces[at + 1];
    const end = typeof following === 'string' ? following.trim() : '';
    if (end === '' || (yield* chars.until([end], () => {})) === undefined) throw new NoCall();
  }
}

/** The text between the name and the arguments of a call in a channel, in all its forms. */
const channelHeader = '"<|channel|>commentary"? (" json" | " "? "<|constrain|>json")? "<|message|>"';
/** Families want nine or ten characters. */
const idPattern = '[a-zA-Z0-9]{9,10}';
const indexPattern = '[0-9]{1,3}';

function piecePattern(piece: SyntaxPiece, name: string): string {
  if (typeof piece === 'string') return looseLiteral(piece);
  if (piece.kind === 'name') return gbnfLiteral(name);
  return piece.kind === 'id' ? idPattern : indexPattern;
}

function writePiece(piece: SyntaxPiece, call: ToolCall, index: number): string {
  if (typeof piece === 'string') return piece;
  if (piece.kind === 'index') return String(piece.from + index);
  return piece.kind === 'id' ? call.id : call.name;
}
