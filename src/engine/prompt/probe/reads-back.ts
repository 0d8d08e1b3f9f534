import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../types.ts';
import type { ThoughtFacts } from '../template/thought-facts.ts';
import { commonBeginning } from '../text/text-cuts.ts';
import { withoutEmptyThought, type AnswerMarkers } from '../thoughts/thought-tags.ts';
import { spelledId, syntaxMarkers, type ToolSyntax } from '../tools/tool-syntax.ts';
import { TurnReader } from '../turn-reader.ts';
import { withoutTurnEnd } from './rendered-calls.ts';
import {
  callMessage,
  userMessage,
  type ArgumentsForm,
  type EmptyContent,
  type ProbeCall,
  type TemplateProbe,
} from './template-probe.ts';

/** The facts to be checked. */
interface ReadingFacts {
  readonly calls: { readonly form: ArgumentsForm; readonly emptyContent: EmptyContent } | undefined;
  readonly toolSyntax: ToolSyntax;
  readonly thoughts: ThoughtFacts | undefined;
  readonly answer: AnswerMarkers;
}

/** The thought, text and calls of a turn. */
interface Turn {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
}

const rounds = 2;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Whether the calls that a template writes, and its answers beside tools, are read back as they were: with other names
 * and values than those from which the syntax was derived.
 */
export function readsCallsBack(
  probe: TemplateProbe,
  facts: ReadingFacts,
  turnEnds: readonly string[],
): boolean {
  const { calls, toolSyntax } = facts;
  if (calls === undefined) return true;
  const random = createRandom();
  const markers = syntaxMarkers(toolSyntax);
  for (let round = 0; round < rounds; round++) {
    const made = madeUpCalls(random, lookAlike(markers, random), toolSyntax);
    const tools = made.map(({ name }) => toolNamed(name));
    const check = (message: object, turn: Partial<Turn>) => {
      const text = writtenTurn(probe, message, turnEnds, facts, { tools });
      return text === undefined || saysSame(readTurn(text, facts, tools), turn, text.text);
    };
    const turns = toolSyntax.parallel ? [made.slice(1), made.slice(0, 1)] : made.map((call) => [call]);
    const answer = `${lookAlike(markers, random)}: ${random.words(2)}`;
    const isRead =
      turns.every((called) =>
        check(callMessage(called, calls.form, calls.emptyContent), { calls: called }),
      ) && check({ role: 'assistant', content: answer }, { text: answer });
    if (!isRead) return false;
  }
  return true;
}

/** Whether a thought and the answer behind it are told apart in what the template writes. */
export function readsThoughtsBack(
  probe: TemplateProbe,
  facts: ReadingFacts,
  turnEnds: readonly string[],
): boolean {
  const { thoughts } = facts;
  if (thoughts?.field === undefined || thoughts.field === 'content') return true;
  const random = createRandom();
  const [reasoning, text] = [
    `${random.words(2)}\n${random.words(2)}`,
    `${random.words(1)}: ${random.words(2)}`,
  ];
  const message = { role: 'assistant', content: text, [thoughts.field]: reasoning };
  const written = writtenTurn(probe, message, turnEnds, facts, { ...thoughts.switch?.on });
  if (written === undefined || !written.text.includes(reasoning)) return true;
  return saysSame(readTurn(written, facts, []), { text, reasoning }, written.text);
}

interface WrittenTurn {
  /** The text that the model would have written for a message, up to the token that ends the turn. */
  readonly text: string;
  readonly startsInThought: boolean;
}

function writtenTurn(
  probe: TemplateProbe,
  message: object,
  turnEnds: readonly string[],
  { thoughts }: ReadingFacts,
  items: Record<string, unknown>,
): WrittenTurn | undefined {
  const prompt = probe.try([userMessage], { ...items, add_generation_prompt: true });
  const whole = probe.try([userMessage, message], items);
  if (prompt === undefined || whole === undefined) return undefined;
  const shared = commonBeginning(whole, prompt);
  const text = withoutTurnEnd(whole.slice(shared.length), turnEnds);
  const tags = thoughts?.syntax.kind === 'tags' ? thoughts.syntax.tags : undefined;
  // A template may open a thought and write an answer without one behind that, which no model would.
  const isOpen = tags !== undefined && prompt.trimEnd().endsWith(tags.begin) && text.includes(tags.end);
  // Or it may leave the opening out where it shows the thought.
  const startsInThought = isOpen && (shared === prompt || prompt.slice(shared.length).trim() === tags.begin);
  if (shared === prompt || startsInThought) return { text, startsInThought };
  return { text: withoutEmptyThought(text, tags), startsInThought: false };
}

function readTurn(
  { text, startsInThought }: WrittenTurn,
  { thoughts, answer, toolSyntax }: ReadingFacts,
  tools: readonly ReturnType<typeof toolNamed>[],
): Turn {
  const definitions = tools.map((tool) => tool.function);
  const reader = new TurnReader({
    thought: { syntax: thoughts?.syntax, startsInThought, answer },
    calls: { syntax: toolSyntax, tools: definitions },
  });
  const turn = { text: '', reasoning: '', calls: [] as { name: string; arguments: string }[] };
  for (const event of [...reader.push(text), ...reader.finish()]) {
    if (event.type === 'tool-call') turn.calls.push({ name: event.name, arguments: '' });
    else if (event.type !== 'tool-arguments')
      turn[event.type === 'text' ? 'text' : 'reasoning'] += event.text;
    else turn.calls[event.index] = withMore(turn.calls[event.index], event.text);
  }
  return { ...turn, calls: turn.calls.map((call) => ({ ...call, arguments: parsed(call.arguments) })) };
}

const withMore = (call: { name: string; arguments: string } | undefined, json: string) => ({
  name: call?.name ?? '',
  arguments: (call?.arguments ?? '') + json,
});

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether `read` is `turn`, apart from white space at the edges. A template may leave thoughts out. */
function saysSame(
  read: Turn,
  { text = '', reasoning = '', calls = [] }: Partial<Turn>,
  written: string,
): boolean {
  const wanted = calls.map((call) => ({ name: call.name, arguments: call.arguments }));
  return (
    read.text.trim() === text &&
    (read.reasoning.trim() === reasoning || !written.includes(reasoning)) &&
    isDeepStrictEqual(read.calls, wanted)
  );
}

const toolNamed = (name: string) => ({
  type: 'function',
  function: {
    name,
    description: 'text',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'text' },
        flag: { type: 'boolean', description: 'text' },
        count: { type: 'number', description: 'text' },
        item: { type: 'object', description: 'text', properties: {} },
        list: { type: 'array', description: 'text', items: {} },
      },
      required: [],
    } satisfies JsonObject,
  },
});

function madeUpCalls(random: Random, odd: string, syntax: ToolSyntax): ProbeCall[] {
  const values: readonly JsonObject[] = [
    { text: odd, flag: true, count: random.below(9000) / 8 },
    {
      text: `${random.words(1)}\n"${random.words(1)}" < ${random.words(1)}`,
      flag: false,
      count: -random.below(90),
    },
    {
      text: random.words(2),
      item: { [random.word()]: random.words(2), [random.word()]: { [random.word()]: [true, 3] } },
      list: [random.word(), 7, { [random.word()]: false }],
    },
  ];
  return values.map((value, index) => {
    const name = `${random.word()}_${random.word()}${random.below(10)}`;
    const id = `${random.word()}aaaaaaaa`.slice(0, 8) + index;
    return { name, id: spelledId(syntax, name, index) ?? id, arguments: value };
  });
}

/** Text with the letters of `markers`, and the beginnings of some, but none of them whole. */
function lookAlike(markers: readonly string[], random: Random): string {
  const words = markers.flatMap((marker) => marker.match(/\w{2,}/g) ?? []);
  const parts = [...new Set(words)].slice(0, 8);
  return ['all', random.word(), ...parts, 'is', random.word()].join(' ');
}

type Random = ReturnType<typeof createRandom>;

/** The same numbers each time, so that a template is always judged alike. */
function createRandom() {
  let state = 0x2545f491;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = () =>
    Array.from({ length: 5 + below(4) }, () => letters.charAt(below(letters.length))).join('');
  return { below, word, words: (count: number) => Array.from({ length: count }, word).join(' ') };
}
