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

/** Accepts the same as `accepts`, if thoughts came before it. */
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

/** Accepts an answer in words that matches the pattern. */
export function matches(pattern: RegExp): Accepts {
  return ({ text, toolCalls }) => toolCalls.length === 0 && pattern.test(text);
}

/** Accepts an answer that gives the model's own name, or says that it is a model or hearth. */
export function introducesItself({ text }: Answer): boolean {
  return /^(?!I do not know).*\b(hearth-demo|(I am|I'm|name is) (hearth|an? ([\w-]+ )*model))\b/is.test(text);
}

/** Accepts the letters of the word one by one, with a hyphen, comma or space between. */
export function spells(word: string): Accepts {
  const letters = new RegExp(String.raw`(?<![\p{L}-])${word.split('').join('[-, .]+')}(?![\p{L}-])`, 'iu');
  return ({ text }) => letters.test(text);
}

/** Accepts an answer in which this letter stands alone, not within a word or a spelling. */
export function saysLetter(letter: string): Accepts {
  const alone = new RegExp(String.raw`(?<![\p{L}-])${letter}(?![\p{L}-])`, 'iu');
  return ({ text }) => alone.test(text);
}

/** Accepts these one after the other, whatever separates them, and no further ones before or after them. */
export function runs(...parts: readonly (string | number)[]): Accepts {
  const run = new RegExp(
    String.raw`(?<![\p{L}\d][,\n] ?)\b${parts.join(String.raw`[^\p{L}\d]+(?:\d+\. )?(?:and )?`)}\b(?![,\n] ?[\p{L}\d])`,
    'iu',
  );
  return ({ text }) => run.test(text);
}

/** Accepts a list of `count` different things of a kind, one to a line or in a sentence. */
export function lists(count: number, kind: readonly string[]): Accepts {
  return ({ text }) => {
    const items = text
      .replace(/^[^\n]*:/u, '')
      .split(/[\n,]|\band\b/u)
      .map((item) => item.replace(/^\W*(\d+\W+)?|\W+$/gu, '').toLowerCase())
      .filter((item) => item !== '');
    return (
      items.length === count && new Set(items).size === count && items.every((item) => kind.includes(item))
    );
  };
}

function hasWord(text: string, part: string): boolean {
  const escaped = part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\d])${escaped}(?![\p{L}\d])`, 'iu').test(text);
}
