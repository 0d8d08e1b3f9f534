import { firstMarker } from '../text/text-cuts.ts';

/**
 * How a model writes tool calls, as plain data. It is derived from the model's chat template. It serves to parse the
 * model's answers, to constrain them, and to write earlier calls into the prompt where the template does not.
 *
 *     section.begin · call.begin · BODY · call.end · separator · call.begin · BODY · call.end · section.end
 *
 * White space in these texts stands for any white space, or none, except around raw values of parameters.
 */
export interface ToolSyntax {
  /** The texts with which calls begin; the first is the usual one. */
  readonly triggers: readonly ToolTrigger[];
  /** The texts around all calls of a turn; '' where there are none. */
  readonly section: { readonly begin: string; readonly end: string };
  readonly call: { readonly begin: string; readonly end: string };
  readonly separator: string;
  readonly body: CallBody;
  /** True when a turn may hold several calls. */
  readonly parallel: boolean;
  /** True when calls are messages of a channel of their own (gpt-oss), whose header has several forms. */
  readonly channels?: true;
}

export const noTexts = { begin: '', end: '' };

/** A syntax without its triggers. */
export type CallLayout = Omit<ToolSyntax, 'triggers'>;

export interface ToolTrigger {
  readonly text: string;
  /** True when it counts only at the beginning of an answer and with the name of an offered tool, as for bare JSON. */
  readonly atStart?: true;
  /** True when it counts only before the name of an offered tool and the text with which a name ends. */
  readonly named?: true;
}

export type CallBody = JsonBody | TaggedBody;

/** One JSON object, whose members come in the order in which the model learned to write them. */
export interface JsonBody {
  readonly kind: 'json';
  readonly members: readonly JsonMember[];
}

/** beforeName · NAME · afterName · ARGUMENTS */
export interface TaggedBody {
  readonly kind: 'tagged';
  readonly beforeName?: readonly SyntaxPiece[];
  readonly afterName: readonly SyntaxPiece[];
  readonly arguments: ArgumentsShape;
}

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

/** Fixed text, or something that differs from call to call: `index` counts them, and `name` is the tool's once more. */
export type SyntaxPiece =
  | string
  | { readonly kind: 'id' | 'name' }
  | { readonly kind: 'index'; readonly from: number };

export type ArgumentsShape =
  | { readonly kind: 'json' }
  /** begin · KEY · keyEnd · VALUE · end for each argument. Strings are raw or JSON, other values always JSON. */
  | {
      readonly kind: 'parameters';
      readonly begin: string;
      readonly keyEnd: { readonly string: string; readonly other: string };
      /** True when `string` in `keyEnd.string` is the name of the value's JSON type, for the other types as well. */
      readonly typed?: true;
      /** True when a raw text may stand in <![CDATA[ … ]]>, as one that begins with < does. */
      readonly cdata?: true;
      readonly end: string;
      /**
       * True when the key and keyEnd stand once more behind `end`, as in <key>VALUE</key>, and the members of objects
       * and the items of lists are such elements as well.
       */
      readonly nested?: true;
      readonly separator: string;
      readonly strings: 'raw' | 'json';
    }
  /** (key='text', other=5) */
  | { readonly kind: 'pythonic' }
  /** {key:QUOTEtextQUOTE,other:5} */
  | { readonly kind: 'bare-keys'; readonly quote: string };

export type ParametersShape = Extract<ArgumentsShape, { kind: 'parameters' }>;

/** The syntax for templates without tools: Hermes introduced it, and most fine-tuned models have seen it. */
export const plainToolSyntax: ToolSyntax = {
  triggers: [{ text: '<tool_call>' }],
  section: noTexts,
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

/** The texts at which a call of one of these tools may begin, each with its trigger. */
export function triggerTexts(
  { triggers, body }: ToolSyntax,
  names: readonly string[],
): { readonly text: string; readonly trigger: ToolTrigger }[] {
  const end = body.kind === 'tagged' ? nameEnd(body) : '';
  return triggers.flatMap((trigger) =>
    trigger.named === true
      ? names.map((name) => ({ text: trigger.text + name + end, trigger }))
      : [{ text: trigger.text, trigger }],
  );
}

/** The text with which a name ends where it tells a call from text. */
export function nameEnd({ afterName: [after] }: TaggedBody): string {
  if (typeof after !== 'string') return '';
  const blank = after.length - after.trimStart().length;
  return after.slice(0, blank + firstMarker(after).length);
}

/** The markers of calls, which must be decoded to text even where they are control tokens. */
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
    const pieces = [...(body.beforeName ?? []), ...body.afterName];
    texts.push(...pieces.filter((piece) => typeof piece === 'string'));
    const shape = body.arguments;
    if (shape.kind === 'parameters')
      texts.push(shape.begin, shape.keyEnd.string, shape.keyEnd.other, shape.end);
    if (shape.kind === 'bare-keys') texts.push(shape.quote);
  }
  return [...new Set(texts.filter((text) => text.trim() !== ''))];
}

/** The id that a call's text spells itself, as Kimi's `functions.NAME:0` does: results have to repeat it. */
export function spelledId(
  { body, call: { begin } }: ToolSyntax,
  name: string,
  index: number,
): string | undefined {
  if (body.kind !== 'tagged') return undefined;
  const [between, number] = body.afterName;
  if (typeof between !== 'string' || typeof number !== 'object' || number.kind !== 'index') return undefined;
  return `${/[^>\]]*$/.exec(begin)?.[0] ?? ''}${name}${between}${index}`;
}
