import type { Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import { bundledTemplates, openTemplate, openTemplateEngine } from '../../../support/models/templates.ts';
import { nastyArguments } from '../../../support/prompt/call-fixtures.ts';
import { roundTrip } from '../../../support/prompt/round-trip.ts';

/** Templates that write no calls. */
const inPlainJson = [
  'HuggingFaceTB-SmolLM3-3B',
  'google-gemma-2-2b-it',
  'llama-cpp-rwkv-world',
  'microsoft-Phi-3.5-mini-instruct',
];

interface Expectation {
  readonly trigger: string;
  readonly thought?: string;
  readonly on?: object;
  readonly off?: object;
  readonly answer?: string;
}

/** Those that were read wrongly once: where calls, thoughts and answers begin, and what turns thoughts on and off. */
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
    trigger: '<function',
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

const templates = bundledTemplates();
let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

describe("the templates of llama.cpp's own source", () => {
  it('have calls that are read back, but for a few', () => {
    expect(templates.size).toBeGreaterThan(60);
    const read = [...templates].map(([name, source]) => ({
      name,
      facts: openTemplate(engine, source).facts,
    }));
    const others = read.filter(({ facts }) => !facts.knowsSyntax).map(({ name }) => name);
    expect(others.toSorted()).toEqual(inPlainJson.toSorted());
  }, 60_000);

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
