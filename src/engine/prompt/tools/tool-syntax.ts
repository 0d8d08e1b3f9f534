/**
 * How a model writes tool calls, as plain data: read off its chat template, used to parse what it generates, to
 * constrain it, and to write calls of the history where the template does not.
 *
 *     section.begin · call.begin · BODY · call.end · separator · call.begin · BODY · call.end · section.end
 *
 * White space in these texts stands for any white space, none included, except around raw parameter values.
 */
export interface ToolSyntax {
  /** A call begins where one of these comes; the first is the usual one. */
  readonly triggers: readonly ToolTrigger[];
  /** Around all calls of a turn; '' where each call stands for itself. */
  readonly section: { readonly begin: string; readonly end: string };
  readonly call: { readonly begin: string; readonly end: string };
  readonly separator: string;
  readonly body: CallBody;
  /** Several calls fit into one turn. */
  readonly parallel: boolean;
  /** Calls are messages of their own channel (gpt-oss): their header comes in several forms. */
  readonly channels?: true;
}

/** The syntax without the texts that tell where a call begins. */
export type CallLayout = Omit<ToolSyntax, 'triggers'>;

export interface ToolTrigger {
  readonly text: string;
  /** It counts only as the first text of an answer (bare JSON), and only with the name of a tool offered. */
  readonly atStart?: true;
}

export type CallBody =
  /** One JSON object; its members in the order in which the model was taught to write them. */
  | { readonly kind: 'json'; readonly members: readonly JsonMember[] }
  /** NAME · afterName · ARGUMENTS */
  | {
      readonly kind: 'tagged';
      readonly afterName: readonly SyntaxPiece[];
      readonly arguments: ArgumentsShape;
    };

export type JsonMember =
  | {
      readonly key: string;
      /** `index`: the call's position in its turn, counted from 0, as JSON text or as a JSON number. */
      readonly holds: 'name' | 'arguments' | 'id' | 'index-text' | 'index-number';
    }
  /** The same in every call, as in `"type": "function"`. */
  | { readonly key: string; readonly holds: 'constant'; readonly text: string }
  /** An object that holds the rest, as in OpenAI's `"function": {"name": …}`. */
  | { readonly key: string; readonly holds: 'members'; readonly members: readonly JsonMember[] };

/** Literal text, or something that differs from call to call. */
export type SyntaxPiece = string | { readonly kind: 'id' } | { readonly kind: 'index' };

export type ArgumentsShape =
  | { readonly kind: 'json' }
  /** begin · KEY · keyEnd · VALUE · end, once for each argument; strings raw or as JSON, all else as JSON. */
  | {
      readonly kind: 'parameters';
      readonly begin: string;
      readonly keyEnd: { readonly string: string; readonly other: string };
      readonly end: string;
      readonly separator: string;
      readonly strings: 'raw' | 'json';
    }
  /** (key='text', other=5) */
  | { readonly kind: 'pythonic' }
  /** {key:QUOTEtextQUOTE,other:5} */
  | { readonly kind: 'bare-keys'; readonly quote: string };

/** The convention for templates that know no tools: what Hermes began and most fine-tunes have seen. */
export const plainToolSyntax: ToolSyntax = {
  triggers: [{ text: '<tool_call>' }],
  section: { begin: '', end: '' },
  call: { begin: '<tool_call>\n', end: '\n</tool_call>' },
  separator: '\n',
  body: {
    kind: 'json',
    members: [
      { key: 'name', holds: 'name' },
      { key: 'arguments', holds: 'arguments' },
    ],
  },
  parallel: true,
};

/** Texts that must come out of the detokeniser even where they are control tokens. */
export function syntaxMarkers(syntax: ToolSyntax): string[] {
  const { body } = syntax;
  const texts = [
    ...syntax.triggers.map(({ text }) => text),
    syntax.section.begin,
    syntax.section.end,
    syntax.call.begin,
    syntax.call.end,
    syntax.separator,
  ];
  if (body.kind === 'tagged') {
    texts.push(...body.afterName.filter((piece) => typeof piece === 'string'));
    const shape = body.arguments;
    if (shape.kind === 'parameters')
      texts.push(shape.begin, shape.keyEnd.string, shape.keyEnd.other, shape.end);
    if (shape.kind === 'bare-keys') texts.push(shape.quote);
  }
  return [...new Set(texts.filter((text) => text.trim() !== ''))];
}
