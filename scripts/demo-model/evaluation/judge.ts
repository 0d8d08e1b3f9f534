import { isDeepStrictEqual } from 'node:util';
import type { Tool, ToolParameter } from '../conversation.ts';
import type { Answer } from './case.ts';

type Accepts = (answer: Answer) => boolean;
type Arguments = Readonly<Record<string, string | number | boolean>>;

/** A parameter's type, or the values it may have. */
type Shorthand = 'string' | 'integer' | 'number' | 'boolean' | readonly string[];

/** A tool; the key of an optional parameter ends in "?". */
export function tool(
  name: string,
  description: string,
  parameters: Readonly<Record<string, Shorthand>>,
): Tool {
  const entries = Object.entries(parameters).map(([key, type]): [string, ToolParameter] => [
    key.replace('?', ''),
    typeof type === 'string' ? { type } : { type: 'string', enum: type },
  ]);
  const required = Object.keys(parameters).filter((key) => !key.endsWith('?'));
  return {
    name,
    description,
    parameters: { type: 'object', properties: Object.fromEntries(entries), required },
  };
}

/** Accepts exactly these calls, in this order. */
export function calls(...expected: readonly (readonly [name: string, values: Arguments])[]): Accepts {
  return ({ toolCalls }) =>
    isDeepStrictEqual(
      toolCalls.map((call) => [call.name, { ...call.arguments }]),
      expected.map(([name, values]) => [name, { ...values }]),
    );
}

/** Accepts an answer in words, without calls, with each of these as a whole word in it, whatever the case. */
export function says(...expected: readonly (string | number)[]): Accepts {
  return ({ text, toolCalls }) =>
    toolCalls.length === 0 && expected.every((part) => hasWord(text, String(part)));
}

/** Accepts what `accepts` does, if thoughts came before it. */
export function thinksAnd(accepts: Accepts): Accepts {
  return (answer) => answer.thought.trim() !== '' && accepts(answer);
}

/** Accepts the text of exactly this JSON value. */
export function isJson(expected: unknown): Accepts {
  return ({ text }) => {
    try {
      return isDeepStrictEqual(JSON.parse(text), expected);
    } catch {
      return false;
    }
  };
}

function hasWord(text: string, part: string): boolean {
  const escaped = part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\d])${escaped}(?![\p{L}\d])`, 'iu').test(text);
}
