import type { ArgumentsForm, EmptyContent } from '../probe/template-probe.ts';
import type { AnswerMarkers } from '../thoughts/thought-tags.ts';
import type { ToolSyntax } from '../tools/tool-syntax.ts';
import type { ThoughtFacts } from './thought-facts.ts';
import type { TurnShape } from './turn-shape.ts';

export type ToolsVariable = 'tools' | 'functions';

/** The abilities of a template, found by rendering made-up conversations and looking for their texts in the result. */
export interface TemplateFacts {
  /** Contents are lists of parts, as OpenAI's may be. */
  readonly takesParts?: true;
  /** The variable that the template reads tools from: a list in `tools`, JSON text in `functions`; undefined: none. */
  readonly toolsVariable: ToolsVariable | undefined;
  /** True when it shows tools only where a system message comes first. */
  readonly toolsNeedSystem: boolean;
  /** How it accepts an assistant's calls; undefined: it renders none, so they are written into the content. */
  readonly calls:
    | {
        readonly form: ArgumentsForm;
        readonly emptyContent: EmptyContent;
        /** True when several calls of one message are rendered. */
        readonly several: boolean;
      }
    | undefined;
  /** `nine`: ids of calls must be nine letters or digits (Mistral). */
  readonly callIds: 'any' | 'nine';
  /** How the model writes calls: as its template does, or in the common form where the template writes none. */
  readonly toolSyntax: ToolSyntax;
  /** True when the template or the model's family defines that syntax; else the prompt has to explain it. */
  readonly knowsSyntax: boolean;
  readonly thoughts: ThoughtFacts | undefined;
  readonly answer: AnswerMarkers;
  /** How conversations are rewritten so that it shows all of them. */
  readonly turns: TurnShape;
}
