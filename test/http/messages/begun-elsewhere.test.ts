import { beforeEach, expect, it } from 'vitest';
import type { ChatMessage } from '../../../src/engine/types.ts';
import { buildApp } from '../../support/fakes/http-service.ts';
import { messageRequest } from '../../support/wire/messages.ts';

let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp();
});

/** A conversation in which the assistant answered `content`. */
const sendBack = (content: readonly unknown[]) => [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content },
  { role: 'user', content: 'Go on' },
];

async function ask(messages: readonly unknown[]): Promise<Response> {
  const response = await service.app.request(...messageRequest({ messages }));
  expect(response.status, await response.clone().text()).toBe(200);
  return response;
}

async function conversation(messages: readonly unknown[]): Promise<readonly ChatMessage[]> {
  await ask(messages);
  const { prompt } = service.engine.lastCall.request;
  if (prompt.kind !== 'messages') throw new Error('a prompt of messages');
  return prompt.messages;
}

it.each(['', undefined, 'EqQBCkYIBxgCKkBxyz=='])(
  'thoughts of another server are taken as they are: %j',
  async (signature) => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature },
      { type: 'text', text: 'So' },
    ];
    expect(await conversation(sendBack(content))).toContainEqual({
      role: 'assistant',
      content: 'So',
      reasoning: 'Hm',
    });
  },
);

it('thoughts that only another service can read, and what its tools did, are left out and named', async () => {
  const content = [
    { type: 'redacted_thinking', data: 'x' },
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    { type: 'text', text: 'So', citations: [{ type: 'web_search_result_location' }] },
  ];
  const messages = [...sendBack(content), ...sendBack(content)];
  expect(await conversation(messages)).toContainEqual({ role: 'assistant', content: 'So' });
  expect((await ask(messages)).headers.get('x-ignored-parameters')).toBe(
    'messages.redacted_thinking, messages.server_tool_use, messages.web_search_tool_result',
  );
});
