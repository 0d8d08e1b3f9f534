import { expect, it } from 'vitest';
import { Draft } from '../../../src/web/chat/answers/draft.ts';
import { partsOf } from '../../../src/web/chat/conversations/parts.ts';

type Taken = Parameters<Draft['take']>[0];

const begun = { id: 'a', parentId: null, role: 'assistant', content: '' } as const;
const progress = { total: 4000, cache: 1000, processed: 2000, time_ms: 3000 };
const response = {} as never;
const chunk = {
  id: 'chatcmpl-a',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'm',
  system_fingerprint: 'fp_a',
} as const;
const place = { item_id: 'msg_a', output_index: 0, content_index: 0, logprobs: [] };

it.each([
  ['a chat completion', [{ ...chunk, choices: [], prompt_progress: progress }],
    { ...chunk, choices: [{ index: 0, delta: { content: 'Hi' }, logprobs: null, finish_reason: null }] }],
  ['a response', [
    { type: 'response.in_progress', sequence_number: 1, response },
    { type: 'response.in_progress', sequence_number: 2, response, progress: 0.5, prompt_progress: progress },
  ], { type: 'response.output_text.delta', sequence_number: 3, ...place, delta: 'Hi' }],
] satisfies readonly [string, readonly Taken[], Taken][])('%s tells how far its prompt is, until it has a text', (_name, events, first) => {
  const draft = new Draft(begun, false);
  for (const event of events) draft.take(event);
  expect(draft.toMessage().progress).toEqual({ processed: 2000, total: 4000, leftMs: 6000 });
  draft.take(first);
  expect(draft.toMessage()).not.toHaveProperty('progress');
}); // prettier-ignore

it('keeps texts and calls in the order in which they came, also where the last text is not whole', () => {
  const draft = new Draft(begun, false);
  const tell = (type: 'added' | 'done', index: number, item: object) =>
    draft.take({
      type: `response.output_item.${type}`,
      sequence_number: 0,
      output_index: index,
      item,
    } as Taken);
  const write = (delta: string) =>
    draft.take({ type: 'response.output_text.delta', sequence_number: 0, ...place, delta });
  const message = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] });
  tell('added', 0, message(''));
  write('Let me look.');
  tell('done', 0, message('Let me look.'));
  tell('done', 1, { type: 'mcp_call', id: 'mcp_1', status: 'completed' });
  tell('added', 2, message(''));
  write('It is');
  expect(
    partsOf(draft.toMessage()).map((part) => ('text' in part ? part.text.trim() : part.item.type)),
  ).toEqual(['Let me look.', 'mcp_call', 'It is']);
});
