import { beforeAll, describe, expect, it } from 'vitest';
import type { Llama } from 'node-llama-cpp';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import type { ToolSyntax } from '../../../../src/engine/prompt/tools/tool-syntax.ts';
import type { ChatMessage } from '../../../../src/engine/types.ts';
import { openTemplate, openTemplateEngine, realTemplates } from '../../../support/models/templates.ts';
import { nastyArguments, nastyTools } from '../../../support/prompt/call-fixtures.ts';
import { noteCall, roundTrip } from '../../../support/prompt/round-trip.ts';

/**
 * Findings that each must have: how a call is written (its first trigger, then the kind of body), whether the
 * template shows tools itself, and how it thinks (- not at all; tags; `+` its variables switch it).
 */
const expectations: Readonly<
  Record<string, readonly [trigger: string, body: string, tools: string, thoughts: string]>
> = {
  'Apertus-8B-Instruct': ['<|tools_prefix|>', 'tagged json', 'tools', '<|inner_prefix|> +'],
  'Bielik-11B-v3.0-Instruct': ['<tool_call>', 'json', 'tools', '<think> +'],
  Cohere2MoE: ['<|START_ACTION|>', 'json', 'tools', '<|START_THINKING|> +'],
  'CohereForAI-c4ai-command-r-plus-tool_use': ['Action:\n```json', 'json', 'tools', '-'],
  'CohereForAI-c4ai-command-r7b-12-2024-tool_use': [
    '<|START_ACTION|>',
    'json',
    'tools',
    '<|START_THINKING|> +',
  ],
  'GLM-4.6': ['<tool_call>', 'tagged parameters', 'tools', '<think> +'],
  'GigaChat3-10B-A1.8B': ['<|message_sep|>\n\nfunction', 'json', 'tools', '-'],
  'HuggingFaceTB-SmolLM3-3B': ['<tool_call>', 'json', 'none', '<think> +'],
  'Kimi-K2-Instruct': ['<|tool_calls_section_begin|>', 'tagged json', 'tools', '-'],
  'Kimi-K2-Thinking': ['<|tool_calls_section_begin|>', 'tagged json', 'tools', '<think>'],
  'LFM2-8B-A1B': ['<|tool_call_start|>', 'tagged pythonic', 'tools', '-'],
  'LFM2.5-8B-A1B': ['<|tool_call_start|>', 'tagged pythonic', 'tools', '<think>'],
  'MiMo-VL': ['<tool_call>', 'json', 'tools', '-'],
  'MiniMax-M1': ['<tool_calls>', 'json', 'tools', '-'],
  'MiniMax-M2': ['<minimax:tool_call>', 'tagged parameters', 'tools', '<think>'],
  'Mistral-Small-3.2-24B-Instruct-2506': ['[TOOL_CALLS]', 'tagged json', 'tools', '-'],
  'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16': ['<tool_call>', 'tagged parameters', 'tools', '<think> +'],
  'NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use': ['<tool_call>', 'json', 'tools', '-'],
  'Qwen-QwQ-32B': ['<tool_call>', 'json', 'tools', '<think> +'],
  'Qwen-Qwen2.5-7B-Instruct': ['<tool_call>', 'json', 'tools', '-'],
  'Qwen-Qwen3-0.6B': ['<tool_call>', 'json', 'tools', '<think> +'],
  'Qwen3-Coder': ['<tool_call>', 'tagged parameters', 'tools', '-'],
  'Reka-Edge': ['<tool_call>', 'json', 'tools', '<think> +'],
  'deepseek-ai-DeepSeek-R1-Distill-Llama-8B': ['<｜tool▁calls▁begin｜>', 'tagged json', 'none', '<think>'],
  'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B': ['<｜tool▁calls▁begin｜>', 'tagged json', 'none', '<think> +'],
  'deepseek-ai-DeepSeek-V3.1': ['<｜tool▁calls▁begin｜>', 'tagged json', 'none', '<think> +'],
  'deepseek-ai-DeepSeek-V4': ['<｜DSML｜tool_calls>', 'tagged parameters', 'tools', '<think> +'],
  'fireworks-ai-llama-3-firefunction-v2': ['functools[', 'json', 'functions', '-'],
  'google-gemma-2-2b-it': ['<tool_call>', 'json', 'none', '-'],
  'google-gemma-4-31B-it': ['<|tool_call>', 'tagged bare-keys', 'tools', '<|channel>thought +'],
  'ibm-granite-granite-3.3-2B-Instruct': ['<|tool_call|>', 'json', 'tools', '<think> +'],
  'ibm-granite-granite-4.0': ['<tool_call>', 'json', 'tools', '-'],
  'llama-cpp-deepseek-r1': ['<｜tool▁calls▁begin｜>', 'tagged json', 'tools', '<think>'],
  'llama-cpp-rwkv-world': ['<tool_call>', 'json', 'none', '<think> +'],
  'meetkai-functionary-medium-v3.1': ['<function=', 'tagged json', 'tools', '-'],
  'meta-llama-Llama-3.1-8B-Instruct': ['{"name"', 'json', 'tools', '-'],
  'meta-llama-Llama-3.2-3B-Instruct': ['{"name"', 'json', 'tools', '-'],
  'microsoft-Phi-3.5-mini-instruct': ['<tool_call>', 'json', 'none', '-'],
  'mistralai-Mistral-Nemo-Instruct-2407': ['[TOOL_CALLS]', 'json', 'tools', '-'],
  'moonshotai-Kimi-K2': ['<|tool_calls_section_begin|>', 'tagged json', 'tools', '-'],
  'openai-gpt-oss-120b': ['<|channel|>commentary to=functions.', 'tagged json', 'tools', 'channels'],
  'poolside-Laguna-S-2.1': ['<tool_call>', 'tagged parameters', 'tools', '<think> +'],
  'poolside-Laguna-XS-2.1': ['<tool_call>', 'tagged parameters', 'tools', '<think> +'],
  'unsloth-Apriel-1.5': ['<tool_calls>', 'json', 'tools', '<thinking>'],
};

/** Those that render the thoughts of answers before the last question. */
const keepsEarlierThoughts: ReadonlySet<string> = new Set([
  'Bielik-11B-v3.0-Instruct',
  'Cohere2MoE',
  'poolside-Laguna-S-2.1',
  'poolside-Laguna-XS-2.1',
]);

/** Round trips that the template itself makes impossible. */
const lossy: Readonly<Record<string, readonly string[]>> = {
  // Puts text between quotes without escaping it, where models escape: a backslash reads differently.
  'LFM2.5-8B-A1B': ['backslashes'],
};

let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

const bodyOf = ({ body }: ToolSyntax) => (body.kind === 'json' ? 'json' : `tagged ${body.arguments.kind}`);

function thoughtsOf({ facts: { thoughts } }: ChatTemplate): string {
  if (!thoughts) return '-';
  if (thoughts.syntax.kind === 'channels') return 'channels';
  return thoughts.syntax.tags.begin + (thoughts.switch ? ' +' : '');
}

function expectInOrder(whole: string, texts: readonly string[]): void {
  let from = 0;
  for (const text of texts) {
    const at = whole.indexOf(text, from);
    expect(at, `${JSON.stringify(text)} behind the others in ${whole}`).toBeGreaterThanOrEqual(0);
    from = at + text.length;
  }
}

const rounds: readonly ChatMessage[] = [
  { role: 'system', content: 'Be brief, please.' },
  { role: 'user', content: 'First question' },
  { role: 'assistant', content: 'First answer' },
  { role: 'user', content: 'Second question' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      noteCall('call_0123456789abcdefghijkl00', { text: 'first note' }),
      noteCall('call_0123456789abcdefghijkl01', { text: 'second note' }),
    ],
  },
  { role: 'tool', content: 'first result', toolCallId: 'call_0123456789abcdefghijkl00' },
  { role: 'tool', content: 'second result', toolCallId: 'call_0123456789abcdefghijkl01' },
];

describe.skipIf(realTemplates.size === 0)(
  'real templates (skipped where ../shared/templates is absent)',
  () => {
    it('are all expected here', () => {
      expect([...realTemplates.keys()].toSorted()).toEqual(Object.keys(expectations).toSorted());
    });

    describe.each([...realTemplates])('%s', (name, source) => {
      let template: ChatTemplate;
      beforeAll(() => {
        template = openTemplate(engine, source);
      });

      it('is understood', () => {
        const { facts } = template;
        const { toolSyntax, toolsVariable = 'none' } = facts;
        expect([
          toolSyntax.triggers[0]?.text,
          bodyOf(toolSyntax),
          toolsVariable,
          thoughtsOf(template),
        ]).toEqual(expectations[name]);
      });

      it('renders a system message and several turns', () => {
        const messages = rounds.slice(0, 4);
        const { text } = template.renderPrompt({ messages });
        // Mistral puts the system message in front of the last question.
        expect(text).toContain('Be brief, please.');
        expectInOrder(text, ['First question', 'First answer', 'Second question']);
        expect(text.length).toBeGreaterThan(text.lastIndexOf('Second question') + 'Second question'.length);
      });

      it('renders tools, calls and results, every text once', () => {
        const { text } = template.renderPrompt({ messages: rounds, tools: nastyTools });
        for (const tool of nastyTools) {
          expect(text).toContain(tool.name);
          expect(text).toContain(tool.description);
        }
        const one = !template.facts.calls?.several;
        const turns =
          one && template.facts.calls
            ? ['first note', 'first result', 'second note', 'second result']
            : ['first note', 'second note', 'first result', 'second result'];
        expectInOrder(text.slice(text.indexOf('First question')), [
          'First question',
          'First answer',
          'Second question',
          ...turns,
        ]);
        for (const part of turns) expect(text.split(part)).toHaveLength(2);
      });

      it('begins a thought only where one is wanted', () => {
        const { thoughts } = template.facts;
        const prompt = (enabled: boolean) =>
          template.renderPrompt({ messages: rounds.slice(0, 4), reasoning: { enabled, effort: 'high' } });
        expect(prompt(false).startsInThought).toBe(false);
        if (thoughts?.syntax.kind !== 'tags') return;
        const { begin, end } = thoughts.syntax.tags;
        const ends = [true, false].map((enabled) => prompt(enabled).text.trimEnd());
        expect(ends[0]).not.toBe(ends[1]);
        expect(ends[0]?.endsWith(end)).toBe(false);
        expect(ends[1]?.endsWith(begin)).toBe(false);
        expect(prompt(true).startsInThought).toBe(ends[0]?.endsWith(begin));
      });

      it('renders thoughts in the field that was found, those before the last question where it keeps them', () => {
        const { thoughts } = template.facts;
        const thinking = (messages: readonly ChatMessage[]) =>
          messages.map((message) =>
            message.role === 'assistant' ? { ...message, reasoning: 'a deep thought' } : message,
          );
        const latest = template.renderPrompt({
          messages: thinking([...rounds.slice(0, 2), ...rounds.slice(4)]),
          tools: nastyTools,
          reasoning: { enabled: true },
        });
        expect(latest.text.includes('a deep thought')).toBe(thoughts?.field !== undefined);
        const earlier = template.renderPrompt({
          messages: thinking(rounds.slice(0, 4)),
          reasoning: { enabled: true },
        });
        expect(earlier.text.includes('a deep thought')).toBe(keepsEarlierThoughts.has(name));
      });

      it.each(Object.entries(nastyArguments).filter(([kind]) => !lossy[name]?.includes(kind)))(
        'renders a call that parses back: %s',
        (_kind, values) => {
          const { parsed, expected } = roundTrip(template, values);
          expect(parsed.calls.slice(0, expected.length)).toEqual(expected);
        },
      );
    });
  },
);
