import type { Choices } from '../text/choices.ts';
import { entries, type Entry, finder, lines } from '../text/data.ts';
import { ask, type Exchange, type Intent } from '../text/exchanges.ts';
import { drawSlots, readSlotLine } from '../text/forms.ts';
import { fill } from '../text/slots.ts';

const matters = entries('what users tell').map((entry) => {
  const slotLines = entry.all('slot').flatMap((text) => readSlotLine(text) ?? []);
  return [slotLines, Number(entry.get('weight'))] as const;
});

/** The kinds of memories, with many ways to tell them and to ask for them. */
const kindOf = finder(
  'memory',
  entries('memories').map((entry) => [entry.get('kind'), multiply(entry)] as const),
);

function multiply(entry: Entry) {
  const told = `(${entry.all('statement').join('|')})`;
  const asked = { things: entry.get('things'), clauses: entry.get('clauses') };
  const questions = lines('ways to ask the questions').flatMap((way) =>
    entry.all('question').map((question) => fill(way, { question })),
  );
  return {
    entry,
    told: [...lines('ways to tell').map((way) => fill(way, { told })), ...entry.all('message')],
    asked: [...questions, ...lines('other ways to ask').map((way) => fill(way, asked))],
  };
}

/** Something that a user tells about himself: how it is told, asked for, and answered. */
export type Memory = ReturnType<typeof drawMemory>;

export function drawMemory(choices: Choices) {
  const slots = drawSlots(choices, choices.weighted(matters), {});
  const { entry, told, asked } = kindOf(String(slots['kind of memory']));
  const say = (key: string): string => fill(entry.get(key), slots);
  return {
    told: { questions: told, slots, answer: say('reply') },
    asked: { questions: asked, slots, answer: say('answer') },
    /** The answer where it was not told. */
    untold: say('untold'),
    /** Questions whether VALUE is right. */
    checks: { questions: entry.all('check'), slots, answer: '' },
    value: String(slots.value),
  };
}

/** So many things that may be told, one at the least: no two that would be asked for in the same words. */
export function drawMemories(choices: Choices, count: number): [Memory, ...Memory[]] {
  const memories: [Memory, ...Memory[]] = [drawMemory(choices)];
  while (memories.length < count) {
    const memory = drawMemory(choices);
    if (!memories.some(({ untold }) => untold === memory.untold)) memories.push(memory);
  }
  return memories;
}

/** The same thing told with another value. */
export function drawOtherValue(choices: Choices, { untold, value }: Memory): Memory {
  for (;;) {
    const memory = drawMemory(choices);
    if (memory.untold === untold && memory.value !== value) return memory;
  }
}

/** The user tells it. */
export const tell = (choices: Choices, { told }: { readonly told: Intent }): Exchange =>
  ask(choices, told, { keepCase: true, statement: true });

/** The user asks for it. */
export const recall = (choices: Choices, { asked }: Memory): Exchange => ask(choices, asked);

/** Asked for, though it was never told. */
export const miss = (choices: Choices, { asked, untold }: Memory): Exchange =>
  ask(choices, { ...asked, answer: untold });
