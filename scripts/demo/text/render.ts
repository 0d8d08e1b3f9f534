import type { AssistantMessage, Conversation, Tool, ToolParameter } from './conversation.ts';
import type { ControlText, Tokenizer } from './tokenizer.ts';

/** A stretch of a rendered conversation: plain text or one control token. */
type Piece = { readonly text: string } | { readonly control: ControlText };

/** A conversation as tokens, with the positions that the model learns to write. */
export interface TrainingExample {
  readonly ids: number[];
  /** As long as `ids`: true where the assistant wrote the token itself. */
  readonly learned: boolean[];
}

/**
 * The examples of a conversation: `chat-template.jinja` to the letter. A thought is part of the last turn only,
 * as the template leaves out those of earlier turns; so a conversation that thinks is one example per turn.
 */
export function toTrainingExamples(conversation: Conversation, tokenizer: Tokenizer): TrainingExample[] {
  if (conversation.thinking !== true) return [toExample(conversation, 0, tokenizer)];
  return conversation.messages.flatMap((message, index) =>
    message.role === 'assistant'
      ? [
          toExample(
            { ...conversation, messages: conversation.messages.slice(0, index + 1) },
            index,
            tokenizer,
          ),
        ]
      : [],
  );
}

function toExample(conversation: Conversation, firstLearned: number, tokenizer: Tokenizer): TrainingExample {
  const example: TrainingExample = { ids: [], learned: [] };
  for (const piece of toPieces(conversation, firstLearned)) {
    const ids = 'text' in piece ? tokenizer.encode(piece.text) : [tokenizer.controlId(piece.control)];
    example.ids.push(...ids);
    example.learned.push(...ids.map(() => piece.learned));
  }
  return example;
}

/** The plain texts between the control tokens, for training the tokenizer. */
export function toTexts(conversation: Conversation): string[] {
  return toPieces(conversation, 0).flatMap((piece) => ('text' in piece ? [piece.text] : []));
}

/** `firstLearned`: assistant messages before this one are given, not learned. */
function toPieces(
  conversation: Conversation,
  firstLearned: number,
): (Piece & { readonly learned: boolean })[] {
  const { messages, tools = [] } = conversation;
  const [first] = messages;
  const system = first?.role === 'system' ? first.content : '';
  const given = (pieces: Piece[]) => pieces.map((piece) => ({ ...piece, learned: false }));
  return [
    ...(system !== '' || tools.length > 0 ? given(turn('system', systemText(system, tools))) : []),
    ...messages.flatMap((message, index) => {
      if (message.role === 'system') return [];
      if (message.role !== 'assistant') return given(turn(message.role, message.content));
      const isThinking = conversation.thinking === true && index === messages.length - 1;
      const written: Piece[] = [
        ...(isThinking ? thoughtPieces(message.thought ?? '') : []),
        ...answer(message),
        { control: '<|im_end|>' },
      ];
      return [
        ...given([{ control: '<|im_start|>' }, { text: 'assistant\n' }]),
        ...given(isThinking ? [{ control: '<think>' }, { text: '\n' }] : []),
        ...written.map((piece) => ({ ...piece, learned: index >= firstLearned })),
        ...given([{ text: '\n' }]),
      ];
    }),
  ];
}

function thoughtPieces(thought: string): Piece[] {
  return [{ text: `${thought}\n` }, { control: '</think>' }, { text: '\n\n' }];
}

function turn(role: string, text: string): Piece[] {
  return [
    { control: '<|im_start|>' },
    { text: `${role}\n${text}` },
    { control: '<|im_end|>' },
    { text: '\n' },
  ];
}

function answer({ content, toolCalls = [] }: AssistantMessage): Piece[] {
  return [
    { text: content },
    ...toolCalls.flatMap(({ name, arguments: values }, index): Piece[] => [
      { text: content !== '' || index > 0 ? '\n' : '' },
      { control: '<tool_call>' },
      { text: `\n{"name": ${JSON.stringify(name)}, "arguments": ${toSpacedJson(values)}}\n` },
      { control: '</tool_call>' },
    ]),
  ];
}

function systemText(system: string, tools: readonly Tool[]): string {
  if (tools.length === 0) return system;
  return `${system === '' ? '' : `${system}\n\n`}Tools:${tools.map((tool) => `\n${describeTool(tool)}`).join('')}`;
}

function describeTool({ name, description, parameters }: Tool): string {
  const described = Object.entries(parameters.properties).map(
    ([parameter, value]) =>
      `${parameter}${parameters.required.includes(parameter) ? '' : '?'}: ${describeType(value)}`,
  );
  return `${name}(${described.join(', ')}): ${description}`;
}

function describeType({ type, enum: values }: ToolParameter): string {
  return values === undefined ? type : values.map((value) => JSON.stringify(value)).join('|');
}

/** JSON with a space after each colon and comma, as Python and chat templates write it. */
export function toSpacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSpacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${toSpacedJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}
