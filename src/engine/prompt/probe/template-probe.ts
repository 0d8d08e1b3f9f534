import type { JsonObject } from '../../types.ts';
import { toSpacedJson } from '../tools/schema/call-arguments.ts';

/** Renders a template with these variables; throws its errors. */
export type TemplateRender = (items: Record<string, unknown>) => string;

export interface TemplateInput {
  readonly render: TemplateRender;
  /** The template's own text; '' when unknown, and then facts that show only there are not found. */
  readonly source: string;
  readonly bosText: string;
  readonly eosText: string;
}

/** The texts of made-up messages. No template contains them, so where they appear they come from these messages. */
export const probeTexts = {
  system: 'qzSystemText',
  user: 'qzUserText',
  answer: 'qzAnswerText',
  thought: 'qzThoughtText',
  result: 'qzResultText',
  description: 'qzToolDescription',
} as const;

export interface ProbeCall {
  readonly name: string;
  readonly id: string;
  readonly arguments: JsonObject;
}

export interface KnownCall extends ProbeCall {
  readonly arguments: { readonly qz_text: string; readonly qz_count: number };
}

/** Calls of two different tools. Their ids have nine letters and digits because some templates accept no others. */
export const probeCalls: readonly [KnownCall, KnownCall] = [
  { name: 'qz_first_tool', id: 'Qa1b2C3d4', arguments: { qz_text: 'qzalpha qzbeta', qz_count: 73915 } },
  { name: 'qz_second_tool', id: 'Qe5f6G7h8', arguments: { qz_text: 'qzgamma qzdelta', qz_count: 82643 } },
];

/** The id of a call in a template that shows no other name of its tool, as Kimi K2's does. */
export const namedId = (name: string, index: number) => `functions.${name}:${index}`;

export const probeTools = probeCalls.map(({ name }) => ({
  type: 'function' as const,
  function: {
    name,
    description: probeTexts.description,
    parameters: {
      type: 'object',
      properties: {
        qz_text: { type: 'string', description: 'text' },
        qz_count: { type: 'integer', description: 'count' },
      },
      required: ['qz_text', 'qz_count'],
    },
  },
}));

/** Arguments as an object, as its JSON, or as an object whose members are JSON unless they are texts. */
export type ArgumentsForm = 'object' | 'string' | 'values';
/** The content of an assistant message that holds nothing but calls. */
export type EmptyContent = '' | null;

/** The arguments of a call in the form that a template takes. */
function toArgumentsForm(values: JsonObject, form: ArgumentsForm): JsonObject | string {
  if (form === 'object') return values;
  if (form === 'string') return toSpacedJson(values);
  const texts = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : toSpacedJson(value),
  ]);
  return Object.fromEntries(texts) as JsonObject;
}

/** `render` for a template that takes contents in parts alone. */
export const inParts =
  (render: TemplateRender): TemplateRender =>
  ({ messages, ...items }) =>
    render({ ...items, messages: (messages as readonly Record<string, unknown>[]).map(withParts) });

const withParts = (message: Record<string, unknown>) =>
  typeof message['content'] === 'string'
    ? { ...message, content: [{ type: 'text', text: message['content'] }] }
    : message;

/** A template that writes more for a made-up conversation is asked nothing else. Known ones write up to 20,000. */
const mostChars = 1_000_000;

/** Renders made-up conversations, to find out how a template treats them. */
export class TemplateProbe {
  readonly input: TemplateInput;
  /** Prompts rendered before: many questions are asked of the same ones. */
  readonly #rendered = new Map<string, string | undefined>();
  #isTooLong = false;

  constructor(input: TemplateInput) {
    this.input = input;
  }

  /** The rendered text; undefined when the template raises an error, or wrote far too much before. */
  try(messages: readonly unknown[], items: Record<string, unknown> = {}): string | undefined {
    const key = JSON.stringify([messages, items]);
    if (!this.#rendered.has(key))
      this.#rendered.set(key, this.#isTooLong ? undefined : this.#render(messages, items));
    const text = this.#rendered.get(key);
    this.#isTooLong ||= text !== undefined && text.length > mostChars;
    return text;
  }

  #render(messages: readonly unknown[], items: Record<string, unknown>): string | undefined {
    const { render, bosText, eosText } = this.input;
    try {
      return render({
        messages,
        bos_token: bosText,
        eos_token: eosText,
        add_generation_prompt: false,
        ...items,
      });
    } catch {
      return undefined;
    }
  }
}

export const userMessage = { role: 'user', content: probeTexts.user };
export const answerMessage = { role: 'assistant', content: probeTexts.answer };

export const callMessage = (calls: readonly ProbeCall[], form: ArgumentsForm, content: string | null) => ({
  role: 'assistant',
  content,
  tool_calls: calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: toArgumentsForm(call.arguments, form) },
  })),
});

export const resultMessage = (call: ProbeCall, content: string = probeTexts.result) => ({
  role: 'tool',
  content,
  tool_call_id: call.id,
  name: call.name,
});
