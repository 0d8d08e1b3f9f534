import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../../scripts/demo/text/conversation.ts';
import { chatGroups } from '../../../../../scripts/demo/text/corpus/groups.ts';
import { prolong } from '../../../../../scripts/demo/text/corpus/prolonged.ts';
import { Choices } from '../../../../../scripts/demo/text/corpus/text/choices.ts';
import {
  heldOutNames,
  heldOutWords,
  isHeldOutSum,
} from '../../../../../scripts/demo/text/corpus/text/refusals.ts';
import { spelled } from '../../../../../scripts/demo/text/corpus/chat/spelling.ts';
import { firstThings, firstThingSets } from '../../../../../scripts/demo/text/evaluation/first-things.ts';
import { blindChatCases, chatCases } from '../../../../../scripts/demo/text/evaluation/held-out.ts';

const weights = chatGroups.map((group) => [group, group.weight] as const);

function sample(count: number, seed: number): Conversation[] {
  const choices = new Choices(seed);
  return Array.from({ length: count }, () => choices.weighted(weights).write(choices));
}

const training = sample(8000, 1);

const heldOutCases = [...chatCases, ...blindChatCases];

/** System prompt and last user message: a case must not share them with the training. */
function promptOf({ messages }: Pick<Conversation, 'messages'>): string {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  return `${system}\n${messages.findLast(({ role }) => role === 'user')?.content ?? ''}`;
}

/** The texts where nothing was filled in. */
const leftover = /undefined|NaN/;

describe('the chat corpus', () => {
  it.each(chatGroups)('yields short, valid conversations of $group', ({ group, write }) => {
    const choices = new Choices(3);
    for (let index = 0; index < 500; index++) {
      const conversation = write(choices);
      const turns = conversation.messages.filter(({ role }) => role !== 'system');
      expect(conversation.group).toBe(group);
      expect(conversation.messages.slice(1).every(({ role }) => role !== 'system')).toBe(true);
      expect(turns.map(({ role }) => role)).toEqual(
        turns.map((_, turn) => (turn % 2 === 0 ? 'user' : 'assistant')),
      );
      expect(turns.length).toBeGreaterThan(0);
      expect(turns.length % 2).toBe(0);
      for (const { content } of conversation.messages) {
        expect(content).toBe(content.trim());
        expect(content).not.toMatch(/^$|[|]/);
      }
      // Developers also ask what these words mean: then the question has them, and the answer may.
      for (const [at, { role, content }] of conversation.messages.entries())
        if (
          group !== 'first' ||
          (role !== 'user' && !leftover.test(conversation.messages[at - 1]?.content ?? ''))
        )
          expect(content).not.toMatch(leftover);
    }
  });

  it.each(chatGroups)('goes on behind much else that was said, with $group', ({ write }) => {
    const choices = new Choices(4);
    for (let index = 0; index < 60; index++) {
      const conversation = write(choices);
      const prolonged = prolong(choices, conversation);
      const turns = prolonged.messages.filter(({ role }) => role !== 'system');
      expect(turns.slice(-2)).toEqual(conversation.messages.slice(-2));
      expect(turns.map(({ role }) => role)).toEqual(
        turns.map((_, turn) => (turn % 2 === 0 ? 'user' : 'assistant')),
      );
      const added = JSON.stringify(prolonged).length - JSON.stringify(conversation).length;
      expect(added).toBeGreaterThan(300);
      expect(added).toBeLessThan(10_000);
    }
  });

  it('is the same for the same seed and another for another', () => {
    expect(sample(300, 5)).toEqual(sample(300, 5));
    expect(sample(300, 5)).not.toEqual(sample(300, 6));
  });

  it('asks each skill in hundreds of ways', () => {
    for (const { write } of chatGroups) {
      const choices = new Choices(9);
      const asked = new Set(Array.from({ length: 2000 }, () => promptOf(write(choices))));
      expect(asked.size).toBeGreaterThan(600);
    }
  });

  it('computes right, also on the way to a result', () => {
    const answers = training.flatMap(({ messages }) =>
      messages.filter(({ role }) => role === 'assistant').map(({ content }) => content),
    );
    const steps = answers.flatMap((text) => [
      ...text.matchAll(
        /(?<![\d.]|\d \+ )((?:\d+ \+ )*\d+) ([-+*/]) (\d+) = (\d+)(?: rest (\d+))?(?![\d.]\d)/gi,
      ),
    ]);
    expect(steps.filter(([, , , , , rest]) => rest !== undefined).length).toBeGreaterThan(40);
    const compute: Readonly<Record<string, (a: number, b: number) => number>> = {
      '+': (a, b) => a + b,
      '-': (a, b) => a - b,
      '*': (a, b) => a * b,
      '/': (a, b) => Math.floor(a / b),
    };
    const sumOf = (terms = ''): number => terms.split(' + ').reduce((sum, term) => sum + Number(term), 0);
    const isWrong = ([, a, operation = '', b, result, rest = '0']: readonly (string | undefined)[]) =>
      compute[operation]?.(sumOf(a), Number(b)) !== Number(result) ||
      (operation === '/' && sumOf(a) % Number(b) !== Number(rest));
    expect(steps.filter(isWrong).map(([step]) => step)).toEqual([]);
  });

  it('keeps the held-out sums, words and names to the evaluation', () => {
    const texts = training.flatMap(({ messages }) => messages.map(({ content }) => content));
    // A sum that was asked for ends its sentence; the steps on the way to it end in a comma.
    const sums = texts.flatMap((text) => [...text.matchAll(/(\d+) [+-] (\d+) = \d+\./g)]);
    expect(sums.length).toBeGreaterThan(400);
    for (const [, first, second] of sums) expect(isHeldOutSum(Number(first), Number(second))).toBe(false);
    // Letters that are counted have their number behind them: the text between two of these is no word.
    const spellings = new Set(texts.flatMap((text) => text.match(/(?<![-)])\b\w(-\w)+\b(?![-(])/g) ?? []));
    expect(spellings.size).toBeGreaterThan(200);
    expect(heldOutWords.filter((word) => spellings.has(spelled(word)))).toEqual([]);
    const words = new Set(texts.flatMap((text) => text.split(/\W+/)));
    expect(heldOutNames.filter((name) => words.has(name))).toEqual([]);
  });
});

describe('the held-out cases', () => {
  it('are at least eighteen of each group; what people type first has three sets of 150', () => {
    for (const { group } of chatGroups.filter((each) => each.group !== 'first'))
      expect(chatCases.filter((each) => each.group === group).length).toBeGreaterThanOrEqual(18);
    for (const set of firstThingSets)
      expect(firstThings.filter((each) => each.set === set)).toHaveLength(150);
    expect(chatCases.length).toBeGreaterThanOrEqual(190);
  });

  it('stand in no training conversation', () => {
    const prompts = new Set(training.map(promptOf));
    const firstMessages = new Set(training.map(({ messages }) => JSON.stringify(messages.slice(0, -1))));
    expect(
      heldOutCases.filter((each) => each.group !== 'memory' && prompts.has(promptOf(each))).map(promptOf),
    ).toEqual([]);
    expect(
      heldOutCases.filter(({ messages }) => firstMessages.has(JSON.stringify(messages))).map(promptOf),
    ).toEqual([]);
  });

  it('add numbers that are held out', () => {
    for (const each of heldOutCases.filter(({ group }) => group === 'arithmetic')) {
      const [first, second] = (promptOf(each).match(/\d+/g) ?? []).map(Number);
      if (Number(first) < 10 || Number(second) < 10) continue;
      expect(isHeldOutSum(Number(first), Number(second)) || isHeldOutSum(Number(second), Number(first))).toBe(
        true,
      );
    }
  });

  it('refuse an empty and a senseless answer', () => {
    for (const text of ['', 'I like trains.'])
      expect(
        heldOutCases.filter(({ accepts }) => accepts({ text, thought: '', toolCalls: [] })).map(promptOf),
      ).toEqual([]);
  });
});
