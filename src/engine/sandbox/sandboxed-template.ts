import { AppError } from '../../errors/errors.ts';
import { hashOf } from './sandbox-job.ts';
import type { PromptTemplate } from '../prompt/chat-template.ts';
import type { RenderedPrompt } from '../prompt/template/finish-prompt.ts';
import type { Conversation } from '../prompt/conversation.ts';
import type { TemplateFacts } from '../prompt/template/template-facts.ts';
import { JobFailure } from '../processes/pool-process.ts';
import type { KnownTemplate, TemplateSource, SandboxOutcome } from './sandbox-job.ts';
import { refusalOf, whatItDid, type Asker, type Sandbox } from './sandbox.ts';

/** For some 100 renders, each of which takes a few milliseconds at most. */
const factsLimits = { cpuMs: 10_000, wallMs: 30_000 };
const promptLimits = { cpuMs: 2000, wallMs: 5000 };
/** The most characters of a template, which is sent to each process. Known ones have up to some 30,000. */
const mostSourceChars = 2 ** 20;

/** The chat template cannot be read; the message says why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A model's chat template, rendered in another process: it comes with the model file, which may be hostile. */
export class SandboxedTemplate implements PromptTemplate {
  readonly #sandbox: Sandbox;
  readonly #id: string;
  readonly #template: KnownTemplate;

  /**
   * The template with the facts about it. Throws TemplateError, Error where a render runs too long or crashes, and
   * errors of `Sandbox.run`.
   */
  static async open(sandbox: Sandbox, template: TemplateSource, asker: Asker): Promise<SandboxedTemplate> {
    if (template.source.length > mostSourceChars)
      throw new TemplateError(`it has more than ${mostSourceChars.toLocaleString('en')} characters`);
    const templateId = hashOf(JSON.stringify(template));
    try {
      const outcome = await sandbox.run({ kind: 'facts', templateId, template }, factsLimits, asker);
      if (outcome.kind === 'facts')
        return new SandboxedTemplate(sandbox, templateId, { ...template, facts: outcome.facts });
      throw new TemplateError('message' in outcome ? outcome.message : outcome.kind);
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      throw new Error(`rendering its chat template ${whatItDid(error, factsLimits)}`, { cause: error });
    }
  }

  private constructor(sandbox: Sandbox, id: string, template: KnownTemplate) {
    this.#sandbox = sandbox;
    this.#id = id;
    this.#template = template;
  }

  get facts(): TemplateFacts {
    return this.#template.facts;
  }

  /**
   * The prompt for `conversation`, ending where the assistant begins to speak. Throws the template's error when it
   * accepts the conversation in no form, and AppError invalid_value when rendering runs too long or crashes.
   */
  async renderPrompt(conversation: Conversation, asker: Asker): Promise<RenderedPrompt> {
    try {
      const outcome = await this.#render(conversation, asker);
      if (outcome.kind === 'prompt') return outcome.prompt;
      if (outcome.kind === 'refused') throw refusalOf(outcome);
      throw new Error('message' in outcome ? outcome.message : outcome.kind);
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      throw new AppError(
        'invalid_value',
        `Rendering these messages with the model's chat template ${whatItDid(error, promptLimits)}. ` +
          'The template is at fault: change the messages, or use another model.',
        { param: 'messages', cause: error },
      );
    }
  }

  /** Names the template by its id, and sends it only where a process does not know it. */
  async #render(conversation: Conversation, asker: Asker): Promise<SandboxOutcome> {
    const job = { kind: 'prompt', templateId: this.#id, conversation } as const;
    const outcome = await this.#sandbox.run(job, promptLimits, asker);
    if (outcome.kind !== 'unknown-template') return outcome;
    return await this.#sandbox.run({ ...job, template: this.#template }, promptLimits, asker);
  }
}
