import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { listenWithStore } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeAll(async () => {
  service = await listenWithStore();
});
afterAll(() => service.close());
beforeEach(() => {
  service.engine.calls.length = 0;
});

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const conversation = [user('1'), assistant('a'), user('2'), assistant('b'), user('3')];

/** A context for this number of messages; a larger prompt fails as it does in the engine. */
const holdAtMost = (count: number) => {
  const tooLong = new AppError('context_length_exceeded', 'Too long.', { param: 'messages' });
  service.engine.script = ({ prompt }) => ({
    before: prompt.kind === 'messages' && prompt.messages.length > count ? [{ fail: tooLong }] : [],
    steps: [{ text: 'Fits.' }],
  });
};
const kept = () => {
  const { prompt } = service.engine.lastCall.request;
  return prompt.kind === 'messages' ? prompt.messages.map(({ content }) => content) : [];
};

it.each([
  { room: 6, expected: ['Order.', '1', 'a', '2', 'b', '3'], tries: 1 },
  { room: 5, expected: ['Order.', '2', 'b', '3'], tries: 2 },
  { room: 2, expected: ['Order.', '3'], tries: 3 },
])(
  'auto drops the oldest turns until the rest fits into $room messages',
  async ({ room, expected, tries }) => {
    holdAtMost(room);
    for (const stream of [false, true]) {
      const body = { input: conversation, instructions: 'Order.', truncation: 'auto', stream };
      const answer = await service.post(body);
      expect(await answer.text()).toContain('Fits.');
      expect(kept()).toEqual(expected);
    }
    expect(service.engine.calls).toHaveLength(2 * tries);
    expect(service.limiter.lastSettlement).toMatchObject({ status: 200, completionTokens: 1 });
  },
);

it('auto fails where the last turn alone is too long', async () => {
  holdAtMost(1);
  const body = { input: conversation, instructions: 'Order.', truncation: 'auto' };
  await expectError(await service.post(body), 'context_length_exceeded', 'input');
  expect(service.limiter.lastSettlement).toMatchObject({ status: 400, promptTokens: 0 });
});

it.each([undefined, 'disabled'])('%s drops nothing', async (truncation) => {
  holdAtMost(5);
  const body = { input: conversation, instructions: 'Order.', truncation };
  await expectError(await service.post(body), 'context_length_exceeded');
  expect(service.engine.calls).toHaveLength(1);
});
