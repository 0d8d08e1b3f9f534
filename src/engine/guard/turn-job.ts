import type { ErrorCode } from '../../errors.ts';
import type { AnswerConstraint } from '../prompt/answer-constraint.ts';
import type { RenderedPrompt } from '../prompt/template/finish-prompt.ts';
import type { Conversation } from '../prompt/conversation.ts';
import type { TemplateFacts } from '../prompt/template/template-facts.ts';

/** A chat template and what it is rendered with. */
export interface TemplateSource {
  readonly source: string;
  readonly bosText: string;
  readonly eosText: string;
}

/** What is done in a process of its own, as templates and schemas may take for ever. */
export type TurnJob =
  | { readonly kind: 'facts'; readonly template: TemplateSource }
  | {
      readonly kind: 'prompt';
      readonly template: TemplateSource;
      readonly facts: TemplateFacts;
      readonly conversation: Conversation;
    }
  /** The JSON of an AnswerDemand. */
  | { readonly kind: 'constraint'; readonly demand: string };

export type TurnOutcome =
  | { readonly kind: 'facts'; readonly facts: TemplateFacts }
  | { readonly kind: 'prompt'; readonly prompt: RenderedPrompt }
  | { readonly kind: 'constraint'; readonly constraint: AnswerConstraint }
  /** An error for the client. */
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly param: string | null;
    }
  /** The template cannot be read, or raised something. */
  | { readonly kind: 'raised'; readonly message: string };

/** Where a `constraint` job is. */
export interface SchemaProgress {
  readonly path: string;
  /** What the schema is made of, in words. */
  readonly content: string;
}
