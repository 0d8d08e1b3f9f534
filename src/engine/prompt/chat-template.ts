import type { ChatMessage } from '../types.ts';
import { AppError } from '../../errors/errors.ts';
import type { Conversation } from './conversation.ts';
import { lostMessage } from './template/find-turn-shape.ts';
import {
  continuePrompt,
  finishPrompt,
  type RenderedPrompt,
  type Variables,
} from './template/finish-prompt.ts';
import { inParts, type TemplateInput } from './probe/template-probe.ts';
import { readTemplateFacts } from './template/read-template-facts.ts';
import type { TemplateFacts } from './template/template-facts.ts';
import { sortVariables } from './template/template-variables.ts';
import { templateItems } from './template/template-messages.ts';
import { toolForms, toTemplateTool, type TemplateTool } from './tools/template-tools.ts';

export interface ChatTemplateOptions extends Omit<TemplateInput, 'source'> {
  readonly source?: string;
  /** Facts found about the template earlier, so that they need not be found again. */
  readonly facts?: TemplateFacts;
}

export interface PromptTemplate {
  readonly facts: TemplateFacts;
  /** The prompt for `conversation`; throws errors of the template. */
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
   * The prompt for `conversation`, ending where the assistant begins to speak or was interrupted. Templates may refuse
   * a system role, two messages of one role in a row, several calls in a turn, unusual schemas, or tools. The
   * conversation is then rewritten in a form that the template accepts. Throws the template's error when it accepts no
   * form.
   */
  renderPrompt(conversation: Conversation): RenderedPrompt {
    const { facts } = this;
    const { tools = [], reasoning, continuesLast = false } = conversation;
    const messages = continuesLast ? conversation.messages.slice(0, -1) : conversation.messages;
    const begun = continuesLast ? conversation.messages.at(-1) : undefined;
    const variables = sortVariables(conversation.variables ?? {}, this.#options.source ?? '');
    let refusal: unknown;
    for (const form of tools.length === 0 ? (['whole'] as const) : toolForms)
      try {
        const templateTools = tools.map((tool) => toTemplateTool(tool, form));
        if (facts.turns.isUnsure) this.#mustShow(messages, templateTools);
        const render = (items: Variables) => this.#render(messages, templateTools, items);
        const prompt = finishPrompt(render, facts.thoughts, reasoning, variables.read);
        return {
          ...(begun ? continuePrompt(prompt, begun, facts) : prompt),
          ...(variables.unread.length > 0 && { unreadVariables: variables.unread }),
        };
      } catch (error) {
        refusal ??= error;
      }
    throw refusal;
  }

  /** Throws AppError where the template would leave a message out, repeat it or move it. */
  #mustShow(messages: readonly ChatMessage[], tools: readonly TemplateTool[]): void {
    const at = lostMessage(messages, this.facts, (marked) => this.#render(marked, tools, {}));
    if (at === undefined) return;
    throw new AppError(
      'invalid_value',
      `The model's chat template does not show messages[${at}], of the role ${messages[at]?.role}, where it was said. ` +
        'Leave it out, or put its text into another message.',
      { param: 'messages' },
    );
  }

  #render(messages: readonly ChatMessage[], tools: readonly TemplateTool[], variables: Variables): string {
    const { render, bosText, eosText } = this.#options;
    const take = this.facts.takesParts ? inParts(render) : render;
    return take({
      ...templateItems(messages, tools, this.facts),
      add_generation_prompt: true,
      bos_token: bosText,
      eos_token: eosText,
      ...today(),
      ...variables,
    });
  }
}

/** Today's date, for templates that take it as a variable: `date_string` is Llama's, `datetime` Firefunction's. */
function today(): Variables {
  const [, month = '', day = '', year = ''] = new Date().toDateString().split(' ');
  return { date_string: `${day} ${month} ${year}`, datetime: `${month} ${day} ${year}` };
}
