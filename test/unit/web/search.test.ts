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
  const table = '| Bird | Legs |\n| :--- | ---: |\n| heron | 2 |';
  expect(search(chat(table), 'heron')).toMatchObject({
    before: expect.not.stringMatching(/[-:|]/) as string,
  });
  expect(search(chat('A grey heron.'), 'heron')).toMatchObject({ before: 'A grey ', after: '.' });
  expect(search(chat('A grey heron.'), 'birds')).toBe(true);
  expect(search(chat('A grey heron.'), 'stork')).toBeUndefined();
});
