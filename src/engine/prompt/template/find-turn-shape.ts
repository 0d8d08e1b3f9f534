import type { ChatMessage } from '../../types.ts';
import { probeTools, type TemplateProbe } from '../probe/template-probe.ts';
import type { TemplateTool } from '../tools/template-tools.ts';
import type { TemplateFacts } from './template-facts.ts';
import { pairResults } from './pair-results.ts';
import { templateItems } from './template-messages.ts';
import type { TurnShape } from './turn-shape.ts';

/** A made-up conversation, and repairs for a template that does not show it: the mildest first. */
interface Question {
  readonly messages: readonly ChatMessage[];
  readonly repairs: readonly TurnShape[];
}

let words = 0;
/** A word that no template holds. No word is part of another. */
const word = () => `qz${words++}turn`;
const system = (): ChatMessage => ({ role: 'system', content: word() });
const user = (): ChatMessage => ({ role: 'user', content: word() });
const answer = (content = word()): ChatMessage => ({ role: 'assistant', content });
const calling = (ids: readonly string[], spoken: Partial<ChatMessage> = {}): ChatMessage => ({
  role: 'assistant',
  content: '',
  ...spoken,
  toolCalls: ids.map((id, index) => ({
    id,
    name: probeTools[index]?.function.name ?? '',
    arguments: JSON.stringify({ qz_text: word(), qz_count: 7 }),
  })),
});
const result = (toolCallId: string): ChatMessage => ({ role: 'tool', content: word(), toolCallId });
const [first, second] = ['Qa1b2C3d4', 'Qe5f6G7h8'];

const said = (more: Partial<ChatMessage> = {}) => [
  calling([first], { content: word(), ...more }),
  result(first),
];
const thoughtful = [user(), ...said({ reasoning: word() })];
const round = [calling([first]), result(first)];
const parted = (between: ChatMessage) => [calling([first, second]), result(first), between, result(second)];

/** Everything at once: a template that shows these needs no repairs. */
const whole: readonly ChatMessage[] = [
  system(),
  system(),
  answer(),
  user(),
  system(),
  answer(''),
  user(),
  user(),
  ...said(),
  system(),
  ...parted(system()),
  system(),
  ...parted(user()),
  user(),
  answer(),
  system(),
  answer(),
  answer(),
  user(),
  calling([first]),
  user(),
];

const wholes = [
  whole,
  [answer(), user()],
  [user(), answer(), user(), system()],
  thoughtful,
  [user(), calling([first])],
];

const questions: readonly Question[] = [
  { messages: [system(), user(), answer(), user()], repairs: [{ firstSystem: 'in-user' }] },
  {
    messages: [system(), system(), user(), answer(), user()],
    repairs: [{ firstSystem: 'joined' }, { firstSystem: 'in-user' }],
  },
  { messages: [user(), user(), answer(), answer(), user()], repairs: [{ joins: true }] },
  { messages: [answer(), user()], repairs: [{ opens: true }] },
  { messages: [system()], repairs: [{ opens: true }] },
  { messages: [user(), answer(''), user()], repairs: [{ fillsAnswers: true }] },
  {
    messages: [user(), calling([first, second]), result(first), result(second)],
    repairs: [{ tellsResults: true }],
  },
  {
    messages: [user(), system(), answer(), system(), answer(), user(), ...round, system(), answer(), user()],
    repairs: [{ reminds: true }],
  },
  { messages: [user(), answer(), system()], repairs: [{ reminds: true }] },
  {
    messages: [user(), ...[user(), system()].flatMap((between) => parted(between))],
    repairs: [{ gathers: true }],
  },
  {
    messages: [user(), ...round, user(), answer(), user()],
    repairs: [{ afterResult: 'answered' }, { afterResult: 'in-result' }],
  },
  {
    messages: [user(), calling([first]), user(), calling([first])],
    repairs: [{ fillsResults: true }],
  },
  {
    messages: [user(), ...said(), answer(), user(), ...said(), user(), answer(), user()],
    repairs: [{ spoken: 'apart' }, { spoken: 'prompted' }],
  },
  { messages: thoughtful, repairs: [{ spoken: 'apart' }, { forgets: true }] },
];

type Tools = readonly TemplateTool[];

/**
 * Tells whether a template shows conversations in a shape, with `tools` or without: every text comes once and in order,
 * and each turn begins with the whole of the one before. Of those with calls, only the longest is looked at without tools.
 */
function turnProbe(probe: TemplateProbe, facts: TemplateFacts, tools: Tools) {
  /** The prompt without empty thoughts, which templates take out of the past; '' where it is refused. */
  const render = (messages: readonly ChatMessage[], turns: TurnShape, shown: Tools): string => {
    const { messages: shaped, ...items } = templateItems(messages, shown, { ...facts, turns });
    const prompt = probe.try(shaped as readonly unknown[], { ...items, add_generation_prompt: true }) ?? '';
    const { syntax } = facts.thoughts ?? {};
    if (syntax?.kind !== 'tags') return prompt;
    const [begin = '', ...others] = prompt.split(syntax.tags.begin);
    const withoutEmpty = others.map((text) => {
      const inside = text.trimStart();
      const isEmpty = inside.startsWith(syntax.tags.end);
      return isEmpty ? inside.slice(syntax.tags.end.length).trimStart() : syntax.tags.begin + text;
    });
    return begin + withoutEmpty.join('');
  };

  /** Whether the prompts for the first and the last answer are the beginning of the whole. */
  const keepsTurns = (messages: readonly ChatMessage[], turns: TurnShape, shown: Tools): boolean => {
    const isAnswer = ({ role }: ChatMessage) => role === 'assistant';
    const ends = new Set([messages.slice(1).findIndex(isAnswer) + 1, messages.findLastIndex(isAnswer)]);
    const prompt = render(messages, turns, shown);
    return [...ends].every((end) => {
      const before = messages.slice(0, Math.max(0, end));
      const last = textsOf(before, facts).at(-1) ?? '';
      const earlier = end > 0 ? render(before, turns, shown) : '';
      return prompt.startsWith(earlier.slice(0, earlier.indexOf(last) + last.length));
    });
  };

  // Not where tools stand in the last user message: each turn takes them out of the one before.
  const keepsTools = tools.length === 0 || keepsTurns([user(), answer(), user()], {}, tools);
  return (messages: readonly ChatMessage[], turns: TurnShape): boolean => {
    if (tools.length === 0 && messages !== whole && messages.some(({ toolCalls }) => toolCalls)) return true;
    const lost = lostText(render(messages, turns, tools), textsOf(messages, facts));
    return lost === undefined && keepsTurns(messages, turns, keepsTools ? tools : []);
  };
}

/** The mildest shape in which the template with `facts` shows conversations. */
export function findTurnShape(probe: TemplateProbe, facts: TemplateFacts): TurnShape {
  const probes = [probeTools, []].map((tools) => turnProbe(probe, facts, tools));
  let shape: TurnShape = {};
  const showsAll = (shows: ReturnType<typeof turnProbe>) =>
    wholes.every((messages) => shows(messages, shape));
  for (const shows of probes)
    for (const { messages, repairs } of questions) {
      if (showsAll(shows)) break;
      const found = [{}, ...repairs].find((repair) => shows(messages, { ...shape, ...repair }));
      shape = { ...shape, ...found };
    }
  return probes.every(showsAll) ? shape : { ...shape, isUnsure: true };
}

/** The words of `messages` in the order in which they are shown. */
function textsOf(messages: readonly ChatMessage[], facts: TemplateFacts): readonly string[] {
  return pairResults(messages, facts)
    .flatMap(({ content, toolCalls = [] }) => [content, ...toolCalls.map((call) => call.arguments)])
    .flatMap((text) => /qz\d+turn/.exec(text)?.[0] ?? []);
}

/** The first of `texts` that `prompt` lacks, has twice, or has before one that comes first; undefined: there is none. */
function lostText(prompt: string, texts: readonly string[]): string | undefined {
  let from = 0;
  return texts.find((text) => {
    const at = prompt.indexOf(text);
    if (at < from || prompt.includes(text, at + 1)) return true;
    from = at + text.length;
    return false;
  });
}

/**
 * The index of a message whose text `render` leaves out, repeats or moves in a conversation like `messages`; undefined
 * where it shows all of them.
 */
export function lostMessage(
  messages: readonly ChatMessage[],
  facts: TemplateFacts,
  render: (marked: readonly ChatMessage[]) => string,
): number | undefined {
  const marked = messages.map(({ role, content, toolCallId, toolCalls }) => ({
    role,
    ...(toolCallId !== undefined && { toolCallId }),
    content: content === '' ? '' : word(),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({ ...call, arguments: JSON.stringify({ qz_text: word() }) })),
    }),
  }));
  const lost = lostText(render(marked), textsOf(marked, facts));
  const at = marked.findIndex((message) => lost !== undefined && JSON.stringify(message).includes(lost));
  return at < 0 ? undefined : at;
}
