import type { JsonObject, ToolDefinition } from '../../../src/engine/types.ts';
import type { ToolSyntax } from '../../../src/engine/prompt/tools/tool-syntax.ts';
import { ToolCallParser, type ToolCallEvent } from '../../../src/engine/prompt/tools/tool-call-parser.ts';

export interface ParsedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly complete: boolean;
}

export interface ParsedTurn {
  readonly text: string;
  readonly calls: readonly ParsedCall[];
}

/** The turn that the events make together; arguments that are no JSON stay text. */
export function collectCalls(events: readonly ToolCallEvent[]): ParsedTurn {
  let text = '';
  const calls: { name: string; json: string }[] = [];
  for (const event of events) {
    if (event.type === 'text') text += event.text;
    else if (event.type === 'tool-call') calls[event.index] = { name: event.name, json: '' };
    else {
      const call = calls[event.index];
      if (!call) throw new Error('a call goes on that never began');
      call.json += event.text;
    }
  }
  return { text, calls: calls.map(toParsedCall) };
}

function toParsedCall({ name, json }: { readonly name: string; readonly json: string }): ParsedCall {
  try {
    return { name, arguments: JSON.parse(json) as unknown, complete: true };
  } catch {
    return { name, arguments: json, complete: false };
  }
}

/** `text` parsed in `pieces` of the given lengths, repeated until it is used up. */
export function parseCalls(
  syntax: ToolSyntax,
  tools: readonly ToolDefinition[],
  text: string,
  lengths: readonly number[] = [Infinity],
): ParsedTurn {
  const parser = new ToolCallParser({ syntax, tools });
  const events = pieces(text, lengths).flatMap((piece) => parser.push(piece));
  return collectCalls([...events, ...parser.finish()]);
}

/** `text` cut into pieces of these lengths, over and over; no character is cut in two. */
export function pieces(text: string, lengths: readonly number[]): string[] {
  const characters = Array.from(text);
  const cut: string[] = [];
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
    cut.push(characters.slice(at, at + length).join(''));
    at += length;
  }
  return cut;
}

const text = { type: 'string', description: 'a text' } as const;

/** Arguments that break careless parsers, one kind each. */
export const nastyArguments: Readonly<Record<string, JsonObject>> = {
  quotes: { text: "say \"hi\" and 'bye' it's" },
  lines: { text: 'first\n\nthird\n\ttab' },
  brackets: { text: '}{ ]["),( ' },
  unicode: { text: 'é 日本 😀' },
  markers: { text: 'x [TOOL_CALLS] <|im_end|> <tool_call> {"name": "y"} [ARGS] z' },
  backslashes: { text: 'C:\\new\\"x" \\u0041' },
  digits: { text: '12' },
  word: { text: 'true' },
  empty: { text: '' },
  flag: { flag: true, off: false },
  numbers: { count: -2.5, big: 123456789012 },
  nested: { object: { key: ['v', { deep: 1, 'ä b': "it's" }] } },
  list: { list: [1, 'two', false, { a: 'b' }] },
  several: { text: 'a', flag: true, count: 1 },
};

/** Takes any of `nastyArguments`; `wait` takes none. */
export const nastyTools: readonly ToolDefinition[] = [
  {
    name: 'note_down',
    description: 'Notes something down.',
    parameters: {
      type: 'object',
      properties: {
        text,
        flag: { type: 'boolean', description: 'a flag' },
        off: { type: 'boolean', description: 'a flag' },
        count: { type: 'number', description: 'a number' },
        big: { type: 'integer', description: 'a number' },
        object: { type: 'object', description: 'an object', additionalProperties: true },
        list: { type: 'array', description: 'a list', items: {} },
      },
      required: [],
    },
  },
  {
    name: 'wait',
    description: 'Waits.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
];
