import { readFileSync } from 'node:fs';
import type { Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import { reasoningOf } from '../../../../src/engine/llama/prepared-request.ts';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import {
  bundledTemplates,
  hasGit,
  openTemplate,
  openTemplateEngine,
} from '../../../support/models/templates.ts';
import { compileSchema } from '../../../../src/grammar/compile-schema.ts';
import { grammarText } from '../../../../src/grammar/gbnf.ts';
import { toolGrammar } from '../../../../src/engine/prompt/tools/tool-grammar.ts';
import type { TemplateFacts } from '../../../../src/engine/prompt/template/template-facts.ts';
import type { ToolSyntax } from '../../../../src/engine/prompt/tools/tool-syntax.ts';
import { writeToolCalls } from '../../../../src/engine/prompt/tools/write-tool-calls.ts';
import { TurnReader } from '../../../../src/engine/prompt/turn-reader.ts';
import type { JsonObject, ToolDefinition } from '../../../../src/engine/types.ts';
import { nastyArguments, pieces } from '../../../support/prompt/call-fixtures.ts';
import { roundTrip } from '../../../support/prompt/round-trip.ts';

/** Templates that write no calls. */
const inPlainJson = [
  'HuggingFaceTB-SmolLM3-3B',
  'google-gemma-2-2b-it',
  'llama-cpp-rwkv-world',
  'microsoft-Phi-3.5-mini-instruct',
];

const letters = { $defs: { letters: { type: 'string', enum: ['a', 'b'] } } } as const;
const letter = { $ref: '#/$defs/letters' } as const;
const either = [{ const: 'a' }, { const: 'b' }] as const;

/** Schemas of agents and of servers of tools, a call that fits each, and keywords beyond some models. */
const schemasOfTools: Readonly<
  Record<string, { parameters: JsonObject; writes: JsonObject; ignored?: readonly string[] }>
> = {
  'a union of names': ofText({ anyOf: [{ type: 'string', enum: ['a', 'c'] }, { type: 'string', const: 'b' }] }),
  'a reference to names': ofText(letter, letters),
  'names or null': ofText({ anyOf: [letter, { type: 'null' }] }, letters),
  'names by allOf': ofText({ allOf: [letter], default: 'a' }, letters),
  'a union of constants': ofText({ anyOf: either }),
  'one of constants': ofText({ oneOf: either }),
  'names or any text': ofText({ anyOf: [{ enum: ['c'] }, { type: 'string' }] }),
  'a text of constants': ofText({ type: 'string', anyOf: either }),
  'a union of formats': ofText({ anyOf: [{ type: 'string', format: 'date' }, { type: 'string', minLength: 1 }] }),
  'names or a number': { parameters: object({ text: { anyOf: [{ enum: ['a'] }, { type: 'integer' }] } }), writes: { text: 7 } },
  'a date or a number': { parameters: object({ text: { anyOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] } }), writes: { text: 7 } },
  'anything': { parameters: object({ text: {} }), writes: { text: 7 } },
  'names in brackets': { ...ofText({ enum: ['<a>', 'b'] }), writes: { text: '<a>' } },
  'a list of names': { parameters: object({ text: { type: 'array', items: { anyOf: either } } }), writes: {} },
  'a reference to a property': { parameters: object({ text: { type: 'string' }, more: { $ref: '#/properties/text' } }), writes: { more: 'x' } },
  'a text of at most 5,000 characters': { ...ofText({ type: 'string', maxLength: 5000 }), ignored: ['properties.text.maxLength'] },
  'a union at the top': {
    parameters: { type: 'object', oneOf: ['a', 'b'].map((kind) => object({ text: { const: kind }, [kind]: { type: 'integer' } })) },
    writes: { text: 'b', b: 1 },
    ignored: ['oneOf'],
  },
  'all at the top': { parameters: { type: 'object', allOf: [object({ text: { type: 'string' } }), object({ more: { type: 'string' } })] }, writes: { text: 'x', more: 'y' } },
  'a reference at the top': { parameters: { type: 'object', $ref: '#/$defs/all', $defs: { all: object({ text: { type: 'string' } }) } }, writes: { text: 'x' } },
  'conditions at the top': { parameters: { ...object({ text: { type: 'string' } }), minProperties: 1, dependentRequired: { more: ['text'] } }, writes: { text: 'x' }, ignored: ['minProperties', 'dependentRequired'] },
  'no type': { ...ofText({ type: 'any' }), ignored: ['properties.text.type'] },
  'no names': { ...ofText({ enum: [] }), writes: {}, ignored: ['properties.text.enum'] },
  'a pattern that looks behind': { ...ofText({ type: 'string', pattern: '(?<=x)y' }), ignored: ['properties.text.pattern'] },
  'a reference to nothing': { ...ofText({ $ref: '#/$defs/none' }), ignored: ['properties.text.$ref'] },
  'a reference to itself': { ...ofText({ $ref: '#/properties/text' }), ignored: ['properties.text.$ref'] },
  'no schemas': { parameters: { type: 'object', properties: { text: 5, more: 'x' } }, writes: {}, ignored: ['properties.text', 'properties.more'] },
}; // prettier-ignore

/** Tools of agents and servers of tools, recorded of their newest packages: names and schemas without descriptions. */
const toolsOfAgents = readFileSync(
  new URL('../../../support/wire/agent-tools.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly of: string; readonly tools: readonly ToolDefinition[] });

function object(properties: JsonObject): JsonObject {
  return { type: 'object', properties };
}

function ofText(text: JsonObject, more: JsonObject = {}) {
  return { parameters: { ...object({ text }), ...more }, writes: { text: 'b' } };
}

/** The thought, the text and the names of the calls in `text`, which `reader` gets in pieces of `length` characters. */
function readTurn(reader: TurnReader, text: string, length: number) {
  const turn = { reasoning: '', text: '', calls: [] as string[] };
  const events = pieces(text, [length]).flatMap((piece) => reader.push(piece));
  for (const event of [...events, ...reader.finish()])
    if (event.type === 'tool-call') turn.calls.push(event.name);
    else if (event.type !== 'tool-arguments') turn[event.type] += event.text;
  return turn;
}

interface Expectation {
  readonly trigger: string;
  readonly thought?: string;
  readonly on?: object;
  readonly off?: object;
  readonly answer?: string;
}

/** Those that were read wrongly once: where calls, thoughts and answers begin, and the switches of thoughts. */
const expectations: Readonly<Record<string, Expectation>> = {
  'Kimi-K3': {
    trigger: '<|open|>tools<|sep|>',
    thought: '<|open|>think<|sep|>',
    on: { thinking: true },
    off: { thinking: false },
    answer: '<|open|>response<|sep|>',
  },
  'LFM2.5-Instruct': { trigger: '<|tool_call_start|>', thought: '<think>' },
  'meetkai-functionary-medium-v3.2': { trigger: '', answer: 'all\n' },
  'MiniMax-M3': {
    trigger: ']<]minimax[>[<tool_call>',
    thought: '<mm:think>',
    on: { thinking_mode: 'enabled' },
    off: { thinking_mode: 'disabled' },
  },
  'muse-glimmer': { trigger: 'to=', thought: ' to=self<|message|>', answer: 'to=user<|message|>' },
  'openbmb-MiniCPM5-1B': {
    trigger: '<function name="',
    thought: '<think>',
    on: { enable_thinking: true },
    off: { enable_thinking: false },
  },
  'tencent-Hy3': {
    trigger: '<tool_calls:opensource>',
    thought: '<think:opensource>',
    on: { reasoning_effort: 'high' },
    off: { reasoning_effort: 'no_think' },
  },
  'upstage-Solar-Open-100B': {
    trigger: '<|tool_calls|>',
    thought: '<|think|>',
    on: { reasoning_effort: 'high' },
    off: { reasoning_effort: 'low' },
    answer: '<|content|>',
  },
};

const templates = hasGit ? bundledTemplates() : new Map<string, string>();
let engine: Llama;
let facts: ReadonlyMap<string, TemplateFacts>;
beforeAll(async () => {
  engine = await openTemplateEngine();
  facts = new Map([...templates].map(([name, source]) => [name, openTemplate(engine, source).facts]));
  // About 4,000 renders, which take ten seconds of a processor that has nothing else to do.
}, 180_000);

/** One syntax for each way of the templates to write arguments. */
function differentSyntaxes(): readonly ToolSyntax[] {
  const syntaxes = [...facts.values()].map(({ toolSyntax }) => {
    const { body, channels } = toolSyntax;
    return [JSON.stringify([channels, body.kind === 'json' ? body : body.arguments]), toolSyntax] as const;
  });
  return [...new Map(syntaxes).values()];
}

/** One syntax for each way to make rules of schemas, with any marks around their texts. */
function kindsOfSyntaxes(): readonly ToolSyntax[] {
  const syntaxes = differentSyntaxes().map((syntax) => {
    const { channels, body } = syntax;
    const written = body.kind === 'json' ? { kind: 'json' } : body.arguments;
    const isMark = /^(?:begin|end|separator|quote)$/;
    const kind = JSON.stringify([channels, written], (name, value: unknown) => {
      if (name !== 'keyEnd') return isMark.test(name) ? undefined : value;
      const { string, other } = value as { readonly string: string; readonly other: string };
      return string === other;
    });
    return [kind, syntax] as const;
  });
  return [...new Map(syntaxes).values()];
}

/** The grammar for calls of `tools`, and the parts of their schemas that it does not hold. */
function grammarOf(syntax: ToolSyntax, tools: readonly ToolDefinition[]) {
  const { rootRule, rules, ignored } = toolGrammar({
    syntax,
    tools,
    parallel: true,
    from: 'start',
    compile: compileSchema,
  });
  return { grammar: grammarText(rootRule, rules), paths: ignored };
}

describe.runIf(hasGit)("the templates of llama.cpp's own source", () => {
  it('have calls that are read back, but for a few', () => {
    expect(templates.size).toBeGreaterThan(60);
    const others = [...facts].filter(([, { knowsSyntax }]) => !knowsSyntax).map(([name]) => name);
    expect(others.toSorted()).toEqual(inPlainJson.toSorted());
  });

  it('have a grammar for tools of any schema, which llama.cpp takes', async () => {
    const syntaxes = differentSyntaxes();
    expect(syntaxes.length).toBeGreaterThan(15);
    for (const syntax of syntaxes)
      for (const [kind, { parameters, writes, ignored = [] }] of Object.entries(schemasOfTools)) {
        const { grammar, paths } = grammarOf(syntax, [{ name: 'f', parameters }]);
        const { _grammar: inner } = (await engine.createGrammar({ grammar })) as unknown as {
          _grammar: { isTextCompatible(text: string): boolean };
        };
        const named = paths.map((path) => path.replace('tools[0].parameters.', ''));
        expect(ignored, kind).toEqual(expect.arrayContaining(named));
        const call = { id: 'call00000', name: 'f', arguments: JSON.stringify(writes) };
        const text = writeToolCalls(syntax, [call]).replace(/<\|call\|>$/, '');
        expect(inner.isTextCompatible(text), `${kind}: ${text}`).toBe(true);
      }
  }, 60_000);

  it("take the tools of today's agents and of servers of tools, and name lengths and formats alone", async () => {
    const syntaxes = kindsOfSyntaxes();
    expect(syntaxes.length).toBeGreaterThan(7);
    for (const syntax of syntaxes)
      for (const { of, tools } of toolsOfAgents) {
        const { grammar, paths } = grammarOf(syntax, tools);
        await engine.createGrammar({ grammar });
        expect(
          paths.filter((path) => !/\.(?:(?:min|max)Length|format)$/.test(path)),
          of,
        ).toEqual([]);
      }
  }, 120_000);

  it('have calls that end an open thought, and words about calls that do not', () => {
    const tools = [{ name: 'note_down' }];
    const call = { id: 'call00000', name: 'note_down', arguments: '{}' };
    let count = 0;
    for (const [name, { toolSyntax: syntax, thoughts, answer }] of facts) {
      if (thoughts?.syntax.kind !== 'tags' || syntax.triggers.some(({ atStart }) => atStart)) continue;
      count++;
      const thought = { syntax: thoughts.syntax, startsInThought: true, answer };
      const { end } = thoughts.syntax.tags;
      const word = `a ${syntax.triggers[0]?.text} b`;
      for (const length of [1, Infinity]) {
        const read = (text: string) =>
          readTurn(new TurnReader({ thought, calls: { syntax, tools } }), text, length);
        const calls = ['note_down'];
        const written = writeToolCalls(syntax, [call]);
        expect(read(`hm\n${written}`), name).toEqual({ reasoning: 'hm', text: '', calls });
        const other = writeToolCalls(syntax, [{ ...call, name: 'other' }]);
        expect(read(`${other}${end}`), name).toEqual({ reasoning: other.trim(), text: '', calls: [] });
        expect(read(`${word}${end}${answer.begin}Well`), name).toEqual({
          reasoning: word,
          text: 'Well',
          calls: [],
        });
        expect(read(`${word}${end}${written}`), name).toEqual({ reasoning: word, text: '', calls });
      }
    }
    expect(count).toBeGreaterThan(30);
  });

  it('take the efforts that they know as they are, and no others', () => {
    const known = [...facts].flatMap(([name, { thoughts }]) =>
      thoughts?.effort ? [[name, Object.keys(thoughts.effort.values).join(' ')]] : [],
    );
    expect(Object.fromEntries(known)).toEqual({
      'Kimi-K3': 'low medium high max',
      'deepseek-ai-DeepSeek-V4': 'low medium high max',
      'deepseek-ai-DeepSeek-V4-Flash-0731': 'low medium high max',
      'muse-glimmer': 'low medium high',
      'openai-gpt-oss-120b': 'low medium high',
      'tencent-Hy3': 'low medium high',
    });
    const template = openTemplate(engine, templates.get('deepseek-ai-DeepSeek-V4') ?? '');
    const ask = (effort: 'xhigh' | 'max', about = template.facts) => {
      const messages = [{ role: 'user', content: 'Why?' }] as const;
      const reasoning = { enabled: true, effort };
      const prompt = { kind: 'messages', messages } as const;
      return template.renderPrompt({ messages, reasoning, ...reasoningOf({ prompt, reasoning }, about) })
        .text;
    };
    expect(ask('max')).toContain('Absolute maximum');
    expect(() => ask('xhigh')).toThrow(/'xhigh'. Use one of: low, medium, high, max/);
    const { thoughts } = template.facts;
    const without = { ...template.facts, thoughts: thoughts && { ...thoughts, effort: undefined } };
    expect(() => ask('xhigh', without)).not.toThrow();
  });

  it('leave code that looks like calls as it is', () => {
    const tools = [{ name: 'note_down' }];
    const code = [
      '#include <functional>',
      '<invoke method="x">1</invoke>',
      'std::function<int>',
      '<function name="other"></function>',
      '<tool_calls_made>',
      'call:x()',
    ].join('\n');
    for (const [name, { toolSyntax: syntax, thoughts, answer }] of facts)
      for (const length of [1, Infinity]) {
        const thought = { syntax: thoughts?.syntax, startsInThought: false, answer };
        const text = `So:\n\`\`\`cpp\n${code}\n\`\`\``;
        const read = readTurn(new TurnReader({ thought, calls: { syntax, tools } }), text, length);
        expect(read, name).toEqual({ reasoning: '', text, calls: [] });
      }
  });

  describe.each(Object.entries(expectations))('%s', (name, { trigger, thought, on, off, answer = '' }) => {
    let template: ChatTemplate;
    beforeAll(() => {
      template = openTemplate(engine, templates.get(name) ?? '');
    });

    it('is understood', () => {
      const { toolSyntax, thoughts, answer: marked } = template.facts;
      const begin = thoughts?.syntax.kind === 'tags' ? thoughts.syntax.tags.begin : undefined;
      expect([toolSyntax.triggers[0]?.text, begin, marked.begin]).toEqual([trigger, thought, answer]);
      expect([thoughts?.switch?.on, thoughts?.switch?.off]).toEqual([on, off]);
    });

    it.each(Object.entries(nastyArguments))('renders a call that parses back: %s', (_kind, values) => {
      const { parsed, expected } = roundTrip(template, values);
      expect(parsed.calls.slice(0, expected.length)).toEqual(expected);
    });
  });
});
