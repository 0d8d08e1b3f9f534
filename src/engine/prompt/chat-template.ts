import type { ChatMessage, ToolDefinition } from '../types.ts';
import type { Conversation } from './conversation.ts';
import { messageShapes } from './template/message-shapes.ts';
import { finishPrompt, type RenderedPrompt, type Variables } from './template/finish-prompt.ts';
import { readTemplateFacts, toToolsItem, type TemplateFacts } from './template/template-facts.ts';
import { sortVariables } from './template/template-variables.ts';
import { toTemplateMessages, type TemplateMessage } from './template/template-messages.ts';
import { toSimpleTool, toTemplateTool, type TemplateTool } from './tools/template-tools.ts';
import { writeToolInstructions } from './tools/tool-instructions.ts';

export interface ChatTemplateOptions {
  /** Renders the model's template with llama.cpp's engine; throws what the template raises. */
  readonly render: (items: Record<string, unknown>) => string;
  /** The template's own text. Some facts show only there: tags, and the calls of families that render none. */
  readonly source?: string;
  readonly bosText: string;
  readonly eosText: string;
  /** Facts found about the template earlier, so that they need not be found again. */
  readonly facts?: TemplateFacts;
}

/** Turns conversations into prompts. */
export interface PromptTemplate {
  readonly facts: TemplateFacts;
  /** The prompt for `conversation`; throws what the template raises. */
  renderPrompt(
    conversation: Conversation,
    asker: { readonly keyId: string; readonly signal?: AbortSignal | undefined },
  ): RenderedPrompt | Promise<RenderedPrompt>;
}

/** The template for models that bring none: ChatML, which most fine-tuned models know. */
export const fallbackTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** The model's own conversation format. */
export class ChatTemplate {
  readonly #options: ChatTemplateOptions;
  #facts: TemplateFacts | undefined;

  constructor(options: ChatTemplateOptions) {
    this.#options = options;
    this.#facts = options.facts;
  }

  /** The template's facts. They are found on first use, which takes some tens of milliseconds. */
  get facts(): TemplateFacts {
    const { render, source = '', bosText, eosText } = this.#options;
    this.#facts ??= readTemplateFacts({ render, source, bosText, eosText });
    return this.#facts;
  }

  /**
   * The prompt for `conversation`, ending where the assistant begins to speak or was interrupted. Templates may refuse a system role, two
   * messages of one role in a row, several calls in a turn, unusual schemas, or tools. The conversation is then
   * rewritten in a form that the template accepts. Throws what the template raises when it accepts no form.
   */
  renderPrompt(conversation: Conversation): RenderedPrompt {
    const { facts } = this;
    const { tools = [], reasoning, continuesLast = false } = conversation;
    const messages = continuesLast ? conversation.messages.slice(0, -1) : conversation.messages;
    const begun = continuesLast ? (conversation.messages.at(-1)?.content ?? '') : '';
    const variables = sortVariables(conversation.variables ?? {}, this.#options.source ?? '');
    const toolShapes = tools.length === 0 ? [[]] : shapesOfTools(tools);
    const thoughtless = messages.map(withoutThought);
    let refusal: unknown;
    for (const candidates of [messages, thoughtless])
      for (const templateTools of toolShapes) {
        const shaped = withInstructions(toTemplateMessages(candidates, facts), templateTools, facts);
        for (const shape of messageShapes(facts.systemRole)) {
          const unopened = facts.calls?.contentLast === true && endsWithSpokenCall(candidates);
          const render = (items: Variables) =>
            this.#render(shape(shaped), templateTools, items) + (unopened ? this.#opening(items) : '');
          try {
            const prompt = finishPrompt(render, facts.thoughts, reasoning, variables.read);
            const text = prompt.text + begun;
            return {
              ...prompt,
              text,
              ...(variables.unread.length > 0 && { unreadVariables: variables.unread }),
            };
          } catch (error) {
            refusal ??= error;
          }
        }
      }
    throw refusal;
  }

  #render(
    messages: readonly TemplateMessage[],
    tools: readonly TemplateTool[],
    variables: Variables,
  ): string {
    const { render, bosText, eosText } = this.#options;
    const { knowsSyntax, toolsVariable } = this.facts;
    // A template's words about its own calls must not contradict the syntax that the prompt explains.
    const shown = knowsSyntax && tools.length > 0 ? toolsVariable : undefined;
    return render({
      messages,
      add_generation_prompt: true,
      bos_token: bosText,
      eos_token: eosText,
      ...today(),
      ...(shown && { [shown]: toToolsItem(shown, tools) }),
      ...variables,
    });
  }

  /** The text with which the template opens the assistant's turn after a user message. */
  #opening(variables: Variables): string {
    const messages: readonly TemplateMessage[] = [{ role: 'user', content: '' }];
    const closed = this.#render(messages, [], { ...variables, add_generation_prompt: false });
    return this.#render(messages, [], variables).slice(closed.length);
  }
}

/** Today's date, for templates that take it as a variable: `date_string` is Llama's, `datetime` Firefunction's. */
function today(): Variables {
  const [, month = '', day = '', year = ''] = new Date().toDateString().split(' ');
  return { date_string: `${day} ${month} ${year}`, datetime: `${month} ${day} ${year}` };
}

/** Whether the conversation ends with the results of calls whose message had text as well. */
function endsWithSpokenCall(messages: readonly ChatMessage[]): boolean {
  const caller = messages.findLast((message) => message.role !== 'tool');
  return messages.at(-1)?.role === 'tool' && caller?.toolCalls !== undefined && caller.content !== '';
}

const shapesOfTools = (tools: readonly ToolDefinition[]): TemplateTool[][] => [
  tools.map(toTemplateTool),
  tools.map((tool) => toSimpleTool(tool, false)),
  tools.map((tool) => toSimpleTool(tool, true)),
];

function withoutThought(message: ChatMessage): ChatMessage {
  const { reasoning, ...rest } = message;
  return reasoning === undefined ? message : rest;
}

/** `messages` with a system message that tells the model about its tools, where the template does not. */
function withInstructions(
  messages: readonly TemplateMessage[],
  tools: readonly TemplateTool[],
  facts: TemplateFacts,
): readonly TemplateMessage[] {
  if (tools.length === 0) return messages;
  const [first, ...rest] = messages;
  if (facts.toolsVariable !== undefined && facts.knowsSyntax)
    return facts.toolsNeedSystem && first?.role !== 'system'
      ? [{ role: 'system', content: '' }, ...messages]
      : messages;
  const instructions = writeToolInstructions(tools, facts.toolSyntax);
  if (first?.role !== 'system') return [{ role: 'system', content: instructions }, ...messages];
  return [{ ...first, content: `${first.content ?? ''}\n\n${instructions}`.trimStart() }, ...rest];
}
