import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import type { ChatMessage } from '../../../../src/engine/types.ts';
import { openTemplate, openTemplateEngine } from '../../../support/models/templates.ts';
import { nastyArguments, nastyTools } from '../../../support/prompt/call-fixtures.ts';
import { noteCall, roundTrip } from '../../../support/prompt/round-trip.ts';

/** How each family's calls begin, and what stands in them. */
const expectations: Readonly<Record<string, readonly [trigger: string, body: string]>> = {
  'bare-json-thinking': ['<TOOLCALL>', 'json'],
  'cdata-parameters': ['<function name="', 'parameters'],
  'fenced-json-in-tags': ['<tool_calls>', 'json'],
  'json-list-in-tags': ['<|tool_call|>', 'json'],
  'json-with-system-thinking': ['<tool_call>', 'json'],
  'key-value-pairs': ['<tool_call>', 'parameters'],
  'list-behind-marker': ['[TOOL_CALLS]', 'json'],
  'messages-by-kind': ['<|tool_calls|>', 'json'],
  'named-function-json': ['<function=', 'json'],
  'nested-elements': [']<]x[>[<calls>', 'parameters'],
  'prefixed-objects': ['<|tools_prefix|>', 'json'],
  'python-calls-in-tokens': ['<|python_start|>', 'pythonic'],
  'recipient-lines': ['', 'json'],
  'recipients-in-headers': ['to=', 'parameters'],
  'tool-code-blocks': ['```tool_code', 'json'],
  'typed-attributes': ['<|open|>tools<|sep|>', 'parameters'],
  'xml-parameters': ['<tool_call>', 'parameters'],
  'json-with-response-tags': ['<tool_call>', 'json'],
};

const folder = fileURLToPath(new URL('templates/', import.meta.url));
let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

describe.each(readdirSync(folder))('%s', (file) => {
  let template: ChatTemplate;
  beforeAll(() => {
    template = openTemplate(engine, readFileSync(folder + file, 'utf8'));
  });

  it('is understood', () => {
    const { toolSyntax, knowsSyntax, toolsVariable } = template.facts;
    const { body, triggers } = toolSyntax;
    const kind = body.kind === 'json' ? 'json' : body.arguments.kind;
    expect([triggers[0]?.text, kind]).toEqual(expectations[file.replace('.jinja', '')]);
    expect([knowsSyntax, toolsVariable]).toEqual([true, 'tools']);
  });

  it('shows every text of a conversation once, in order', () => {
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: 'Be brief, please.' },
      { role: 'user', content: 'A question' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [noteCall('call_0123456789abcdef', { text: 'the note' })],
      },
      { role: 'tool', content: 'the result', toolCallId: 'call_0123456789abcdef' },
      { role: 'assistant', content: 'An answer' },
      { role: 'user', content: 'Another question' },
    ];
    const { text } = template.renderPrompt({ messages, tools: nastyTools });
    const texts = [
      'Be brief, please.',
      'A question',
      'the note',
      'the result',
      'An answer',
      'Another question',
    ];
    const places = texts.map((one) => text.indexOf(one));
    expect(places).not.toContain(-1);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    for (const one of texts) expect(text.split(one)).toHaveLength(2);
  });

  it.each(Object.entries(nastyArguments))('renders a call that parses back: %s', (_kind, values) => {
    const { parsed, expected } = roundTrip(template, values);
    expect(parsed.calls).toEqual(expected);
  });
});
