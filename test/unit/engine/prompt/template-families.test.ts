import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Llama } from 'node-llama-cpp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatTemplate } from '../../../../src/engine/prompt/chat-template.ts';
import { openTemplate, openTemplateEngine } from '../../../support/models/templates.ts';
import { nastyArguments } from '../../../support/prompt/call-fixtures.ts';
import { roundTrip } from '../../../support/prompt/round-trip.ts';

/** How each family's calls begin, the kind of their body, and how thoughts begin where only the template tells. */
const expectations: Readonly<Record<string, readonly [trigger: string, body: string, thought?: string]>> = {
  'answers-behind-words': ['<calls>', 'json', 'These are my thoughts:'],
  'bare-json-thinking': ['<TOOLCALL>', 'json'],
  'cdata-parameters': ['<function name="', 'parameters'],
  'contents-in-parts': ['<tool_call>', 'json'],
  'fenced-json-in-tags': ['<tool_calls>', 'json'],
  'ids-that-name-tools': ['<|calls|>', 'json'],
  'json-list-in-tags': ['<|tool_call|>', 'json'],
  'json-with-system-thinking': ['<tool_call>', 'json'],
  'key-value-pairs': ['<tool_call>', 'parameters'],
  'list-behind-marker': ['[TOOL_CALLS]', 'json'],
  'messages-by-kind': ['<|tool_calls|>', 'json'],
  'named-function-json': ['<function=', 'json'],
  'nested-elements': [']<]x[>[<calls>', 'parameters'],
  'parts-of-a-turn': ['<|part|>call ', 'json', '<|part|>think'],
  'plans-before-calls': ['<|act|>', 'json', '<|plan|>'],
  'prefixed-objects': ['<|tools_prefix|>', 'json'],
  'python-calls-in-tokens': ['<|python_start|>', 'pythonic'],
  'recipient-lines': ['', 'json'],
  'recipients-in-headers': ['to=', 'parameters'],
  'thoughts-in-own-tags': ['<call>', 'json', '<ponder>'],
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
    const { toolSyntax, knowsSyntax, toolsVariable, thoughts } = template.facts;
    const { body, triggers } = toolSyntax;
    const kind = body.kind === 'json' ? 'json' : body.arguments.kind;
    const [trigger, expected, thought] = expectations[file.replace('.jinja', '')] ?? [];
    expect([triggers[0]?.text, kind, knowsSyntax, toolsVariable]).toEqual([trigger, expected, true, 'tools']);
    if (thought !== undefined) expect(thoughts?.syntax).toMatchObject({ tags: { begin: thought } });
  });

  it.each(Object.entries(nastyArguments))('renders a call that parses back: %s', (_kind, values) => {
    const { parsed, expected } = roundTrip(template, values);
    expect(parsed.calls).toEqual(expected);
  });
});
