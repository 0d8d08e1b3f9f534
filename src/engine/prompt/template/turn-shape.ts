export interface TemplateMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  /** The name of the tool that a result comes from. */
  readonly name?: string;
  /** A thought, in the field from which the template reads it. */
  readonly [thoughtField: string]: unknown;
}

/**
 * How conversations are rewritten so that a template shows every text once, in the order in which it was said. A field
 * that is absent leaves messages as they are.
 */
export interface TurnShape {
  /** Results become messages of the user, in tags that most models know. */
  readonly tellsResults?: true;
  /** The system messages at the beginning become one, or the beginning of the first user message. */
  readonly firstSystem?: 'joined' | 'in-user';
  /** A later system message becomes a reminder in the result or user message before it. */
  readonly reminds?: true;
  /** Neighbours of one role become one message. */
  readonly joins?: true;
  /** A user message behind a result follows a short answer, or goes into that result. */
  readonly afterResult?: 'answered' | 'in-result';
  /** Text between the results of one turn goes into the result before it. */
  readonly gathers?: true;
  /** A conversation that does not begin with a user message gets one. */
  readonly opens?: true;
  /** An empty answer gets a short text. */
  readonly fillsAnswers?: true;
  /** A call without a result gets one. */
  readonly fillsResults?: true;
  /** The text beside calls becomes a message of its own before them, behind which the user may say a word. */
  readonly spoken?: 'apart' | 'prompted';
  /** Earlier thoughts are left out. */
  readonly forgets?: true;
  /** Some made-up conversations are not shown whole in any shape, so each conversation has to be looked at. */
  readonly isUnsure?: true;
}

/** Texts of the messages that a template asks for and nobody sent. */
export const filler = { opening: 'Hello.', answer: 'Understood.', prompt: 'Go on.', result: 'No result.' };

/** `messages` in the form of `shape`. */
export function shapeTurns(messages: readonly TemplateMessage[], shape: TurnShape): TemplateMessage[] {
  const start = messages.findIndex(({ role }) => role !== 'system');
  const first = start < 0 ? messages : messages.slice(0, start);
  const shaped = openTurns(first, start < 0 ? [] : shapeLater(messages.slice(start), shape), shape);
  return shape.joins ? joinNeighbours(shaped) : shaped;
}

/** The first system messages in front of the others. */
function openTurns(
  first: readonly TemplateMessage[],
  later: readonly TemplateMessage[],
  { firstSystem, opens }: TurnShape,
): TemplateMessage[] {
  const [next, ...rest] = later;
  const opening = opens === true && next?.role !== 'user';
  if (first.length === 0) return opening ? [{ role: 'user', content: filler.opening }, ...later] : [...later];
  const content = join(first.map((message) => message.content ?? ''));
  if (opening) return [{ role: 'user', content }, ...later];
  if (firstSystem === 'joined') return [{ role: 'system', content }, ...later];
  if (firstSystem === undefined) return [...first, ...later];
  if (next?.role !== 'user') return [{ role: 'user', content }, ...later];
  return [withMore({ role: 'user', content }, next.content ?? ''), ...rest];
}

function shapeLater(messages: readonly TemplateMessage[], shape: TurnShape): TemplateMessage[] {
  const shaped: TemplateMessage[] = [];
  const addTo = (last: TemplateMessage, text: string) =>
    void (shaped[shaped.length - 1] = withMore(last, text));
  for (const [at, message] of messages.entries()) {
    const last = shaped.at(-1);
    const content = message.content ?? '';
    const isBetween = shape.gathers === true && last?.role === 'tool' && resultFollows(messages, at);
    if (message.role === 'system' && (shape.reminds || isBetween)) {
      const reminder = tagged('system-reminder', content);
      if (last?.role === 'user' || last?.role === 'tool') addTo(last, reminder);
      else shaped.push({ role: 'user', content: reminder });
    } else if (message.role === 'user' && last?.role === 'tool' && (shape.afterResult || isBetween)) {
      if (isBetween || shape.afterResult === 'in-result') addTo(last, tagged('user-message', content));
      else shaped.push({ role: 'assistant', content: filler.answer }, message);
    } else if (shape.fillsAnswers && message.role === 'assistant' && !message.tool_calls && content === '')
      shaped.push({ ...message, content: filler.answer });
    else shaped.push(message);
  }
  return shaped;
}

/** Whether a result comes behind the message at `at`, before the assistant speaks again. */
function resultFollows(messages: readonly TemplateMessage[], at: number): boolean {
  let next = at + 1;
  while (messages[next]?.role === 'user' || messages[next]?.role === 'system') next++;
  return messages[next]?.role === 'tool';
}

/** `messages` with neighbours of one role joined, save for results and calls. */
function joinNeighbours(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const joined: TemplateMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role || message.role === 'tool' || last.tool_calls || message.tool_calls)
      joined.push(message);
    else
      joined[joined.length - 1] = withMore(
        { ...last, ...message, content: last.content },
        message.content ?? '',
      );
  }
  return joined;
}

const withMore = (message: TemplateMessage, text: string): TemplateMessage => ({
  ...message,
  content: join([message.content ?? '', text]),
});

const join = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n');

const tagged = (tag: string, text: string) => `<${tag}>\n${text}\n</${tag}>`;
