import type { ChatMessage } from '../types.ts';

/** What a chat template sees of a message. */
interface TemplateMessage {
  role: string;
  content: string;
  tool_call_id?: string;
}

export interface ChatTemplateOptions {
  /** Renders the model's template with llama.cpp's engine; throws what the template raises. */
  readonly render: (items: Record<string, unknown>) => string;
  readonly bosText: string;
  readonly eosText: string;
}

/** Used for models that bring no template: the ChatML form that most fine-tunes know. */
export const fallbackTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** How messages are reshaped, from not at all to what the strictest templates accept; tried in this order. */
const shapes: readonly ((messages: readonly TemplateMessage[]) => TemplateMessage[])[] = [
  (messages) => [...messages],
  (messages) => mergeNeighbours(messages),
  (messages) => mergeNeighbours(foldSystemIntoUser(messages)),
];

/** The model's own conversation format. */
export class ChatTemplate {
  readonly #options: ChatTemplateOptions;

  constructor(options: ChatTemplateOptions) {
    this.#options = options;
  }

  /**
   * The prompt text for `messages`, ending where the assistant begins to speak. A template that refuses a system
   * role or two neighbours of one role gets them folded together instead; throws when it refuses that too.
   */
  render(messages: readonly ChatMessage[]): string {
    const plain = messages.map(toTemplateMessage);
    let refusal: unknown;
    for (const shape of shapes) {
      try {
        return this.#options.render({
          messages: shape(plain),
          add_generation_prompt: true,
          bos_token: this.#options.bosText,
          eos_token: this.#options.eosText,
        });
      } catch (error) {
        refusal ??= error;
      }
    }
    throw refusal;
  }
}

function toTemplateMessage(message: ChatMessage): TemplateMessage {
  const { role, content, toolCallId } = message;
  return toolCallId === undefined ? { role, content } : { role, content, tool_call_id: toolCallId };
}

function mergeNeighbours(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const previous = merged.at(-1);
    if (previous?.role === message.role && message.role !== 'tool')
      merged[merged.length - 1] = { ...previous, content: join(previous.content, message.content) };
    else merged.push(message);
  }
  return merged;
}

/** System texts go in front of the first user message, which is made when there is none. */
function foldSystemIntoUser(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  const rest = messages.filter((message) => message.role !== 'system');
  if (system.length === 0) return rest;
  const first = rest.findIndex((message) => message.role === 'user');
  if (first !== 0) return [{ role: 'user', content: system.join('\n\n') }, ...rest];
  return rest.map((message, index) =>
    index === first ? { ...message, content: join(...system, message.content) } : message,
  );
}

const join = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n');
