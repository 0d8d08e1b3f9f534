import { beforeAll, describe, expect, it } from 'vitest';
import type { Llama } from 'node-llama-cpp';
import { compileSchema } from '../../../../src/grammar/compile-schema.ts';
import { callGrammar } from '../../../support/prompt/call-grammar.ts';
import { TurnReader } from '../../../../src/engine/prompt/turn-reader.ts';
import { openGrammarEngine, type EngineGrammar } from '../../../support/grammar/grammar-engine.ts';
import { openTemplate, openTemplateEngine, ownTemplates } from '../../../support/models/templates.ts';
import { nastyTools } from '../../../support/prompt/call-fixtures.ts';

let engine: Llama;
let openGrammar: (gbnf: string) => EngineGrammar;
beforeAll(async () => {
  engine = await openTemplateEngine();
  openGrammar = await openGrammarEngine();
});

/** The rest of `answer` when the grammar for calls wakes, and the text that the grammar is given then. */
function wakes(template: keyof typeof ownTemplates, answer: string) {
  const syntax = openTemplate(engine, ownTemplates[template]).facts.toolSyntax;
  const reader = new TurnReader({
    thought: { syntax: syntax.channels ? { kind: 'channels' } : undefined, startsInThought: false },
    calls: { syntax, tools: nastyTools },
  });
  const gbnf = callGrammar({
    syntax,
    tools: nastyTools,
    parallel: true,
    compile: compileSchema,
    from: 'trigger',
  });
  for (const [at, character] of Array.from(answer).entries()) {
    reader.push(character);
    const begun = reader.constrainedText('calls');
    if (begun !== undefined) return { gbnf, begun, rest: answer.slice(at + 1) };
  }
  return undefined;
}

describe('the grammar for calls', () => {
  it.each([
    ['llama', '{"name": "Ann", "age": 4}'],
    ['llama', '{"name"'],
    ['llama', 'So: {"name": "wait", "parameters": {}}'],
    ['dumped', '[{"id": 1, "type": "a"}]'],
    ['python', '[1] A source'],
    ['python', '[wait](https://example.com)'],
    ['python', '["wait", "note_down"]'],
    ['channels', '<|channel|>final<|message|>Write to=functions.wait and <|constrain|>json'],
  ] as const)('leaves an answer of %s alone: %s', (template, answer) => {
    expect(wakes(template, answer)).toBeUndefined();
  });

  it.each([
    ['llama', '{"name": "wait", "parameters": {}}', ', "parameters": {}}'],
    ['llama', '\n{\n  "name" : "note_down", "parameters": {"count": 1}}', ', "parameters": {"count": 1}}'],
    [
      'dumped',
      '[{"id": "call_1", "type": "function", "function": {"name": "wait", "arguments": {}}}]',
      ', "arguments": {}}}]',
    ],
    ['python', '[wait(), note_down(count=1)]', '), note_down(count=1)]'],
    ['channels', '<|channel|>commentary to=wait <|constrain|>json<|message|>{}', '{}'],
    ['channels', ' to=functions.note_down<|channel|>commentary json<|message|>{"count":1}', '{"count":1}'],
  ] as const)('takes in a call of %s up to a name that was offered: %s', (template, answer, rest) => {
    const woken = wakes(template, answer);
    expect(woken?.rest).toBe(rest);
    expect(openGrammar(woken?.gbnf ?? '').accepts(`${woken?.begun}${rest}`)).toBe(true);
  });
});
