import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../errors/errors.ts';
import type { AnswerConstraint } from '../prompt/constrain-answer.ts';
import type { RenderedPrompt } from '../prompt/template/finish-prompt.ts';
import type { Conversation } from '../prompt/conversation.ts';
import type { TemplateFacts } from '../prompt/template/template-facts.ts';

/** A chat template and the texts of the control tokens that it may write. */
export interface TemplateSource {
  readonly source: string;
  readonly bosText: string;
  readonly eosText: string;
}

export interface KnownTemplate extends TemplateSource {
  readonly facts: TemplateFacts;
}

/** A job for another process, because a client's template or schema may keep it busy without end. */
export type SandboxJob =
  | { readonly kind: 'facts'; readonly templateId: string; readonly template: TemplateSource }
  | {
      readonly kind: 'prompt';
      readonly templateId: string;
      /** Only for a process that does not know the template, which then keeps it. */
      readonly template?: KnownTemplate;
      readonly conversation: Conversation;
    }
  /** The JSON of an AnswerDemand, and the API key that demands it. */
  | { readonly kind: 'constraint'; readonly demand: string; readonly keyId: string };

export type SandboxOutcome =
  | { readonly kind: 'facts'; readonly facts: TemplateFacts }
  | { readonly kind: 'prompt'; readonly prompt: RenderedPrompt }
  /** The job is to be sent again with its template. */
  | { readonly kind: 'unknown-template' }
  | { readonly kind: 'constraint'; readonly constraint: AnswerConstraint }
  /** An error for the client. */
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly param: string | null;
    }
  /** The template cannot be read, or raised an error. */
  | { readonly kind: 'raised'; readonly message: string };

/** Which schema a `constraint` job is compiling. */
export interface SchemaProgress {
  readonly path: string;
  /** The size of the schema in words, such as `4,211 values, 3 patterns`. */
  readonly content: string;
}

/** A short key for a long text. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
