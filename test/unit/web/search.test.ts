import { expect, it } from 'vitest';
import { newConversation } from '../../../src/web/chat/conversations/conversation.ts';
import { search } from '../../../src/web/chat/conversations/list/search.ts';

const chat = (content: string) => ({
  ...newConversation(),
  title: 'Birds',
  messages: [{ id: 'm', parentId: null, role: 'user', content } as const],
});

it('shows what was found between whole words, and says where more of the text is left out', () => {
  const words = 'one two three four five six seven eight nine ten';
  const found = search(chat(`${words} **heron** ${words}`), 'heron');
  expect(found).toEqual({
    messageId: 'm',
    before: '…four five six seven eight nine ten ',
    found: 'heron',
    after: ' one two three four five six seven…',
  });
  expect(search(chat('A grey heron.'), 'heron')).toMatchObject({ before: 'A grey ', after: '.' });
  expect(search(chat('A grey heron.'), 'birds')).toBe(true);
  expect(search(chat('A grey heron.'), 'stork')).toBeUndefined();
});

it.each([
  '| Bird | Legs |\n| :--- | ---: |\n| heron | 2 |',
  '|Bird|Legs|Colour|\n|------|---:|:---:|\n|heron|2|grey|',
  'Bird | Legs\n--- | :-:\nheron | 2',
  '| Bird | Legs |\n|-|-|\n| heron | 2 |',
  `| heron | Legs |\n| ${'-'.repeat(12)} | :${'-'.repeat(12)}: | ${'-'.repeat(12)}: | --- |\n| stork | 2 |`,
  `| stork | Legs |\n|${'-'.repeat(30)}|:--|\n| heron | 2 |\n|---|`,
])('shows nothing of the line below the titles of a table, whole or cut off: %j', (table) => {
  const told = expect.not.stringMatching(/[-:|]/) as string;
  expect(search(chat(table), 'heron')).toMatchObject({ before: told, after: told });
});

it('keeps cells of a table apart, and dashes and colons of other texts', () => {
  expect(search(chat('|Bird|heron|'), 'heron')).toMatchObject({ before: ' Bird ', after: ' ' });
  const text = 'Note: a half-way - or not - heron :-)';
  expect(search(chat(text), 'heron')).toMatchObject({
    before: 'Note: a half-way - or not - ',
    after: ' :-)',
  });
});
