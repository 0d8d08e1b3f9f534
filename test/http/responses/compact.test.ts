import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { response as responseSchema } from '../../../src/api/responses/response-schema.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { userKey } from '../../support/fakes/http-service.ts';
import { listenWithStore, strangerKey } from '../../support/fakes/responses-service.ts';
import type { ResponsesService } from '../../support/fakes/responses-service.ts';

let service: ResponsesService;
beforeEach(async () => {
  service = await listenWithStore();
});
afterEach(() => service.close());

interface Compacted {
  readonly output: readonly { type: string; encrypted_content?: string }[];
}

const post = (path: string, body: object, key?: string) =>
  fetch(`${service.origin}/v1/responses${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key ?? userKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'tiny', ...body }),
  });
const compact = async (body: object): Promise<Compacted> => {
  const answer = await post('/compact', body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Compacted;
};
const messagesAsked = () => {
  const { prompt } = service.engine.lastCall.request;
  return prompt.kind === 'messages' ? prompt.messages : [];
};

const tool = { type: 'function', name: 'f' };
const conversation = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: 'What is 2 + 2?' },
  { role: 'assistant', content: '4' },
  { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c1', output: 'ok' },
  { role: 'user', content: 'And 3 + 3?' },
];

describe('a compacted conversation', () => {
  it('has what users said and a summary, which goes on in its place', async () => {
    service.engine.script = { steps: [{ reasoning: 'Hm' }, { text: 'Sums were ' }, { text: 'asked.' }] };
    const compacted = await compact({ input: conversation, instructions: 'You know sums.' });
    expect(compacted).toEqual({
      id: expect.stringMatching(/^resp_/) as string,
      object: 'response.compaction',
      created_at: 1_795_000_000,
      output: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is 2 + 2?' }], id: expect.any(String) as string, status: 'completed' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And 3 + 3?' }], id: expect.any(String) as string, status: 'completed' },
        { type: 'compaction', id: expect.stringMatching(/^cmp_/) as string, encrypted_content: expect.stringMatching(/^hearth-summary1\./) as string },
      ],
      usage: expect.objectContaining({ output_tokens: expect.any(Number) as number }) as object,
    });
    expect(messagesAsked().map(({ role }) => role)).toEqual(['system', 'system', 'user', 'assistant', 'tool', 'user', 'user']);
    expect(messagesAsked().at(-1)?.content).toContain('Summarise');

    const answer = await service.post({ input: [...compacted.output, { role: 'user', content: 'Go on.' }] });
    expect(answer.status).toBe(200);
    expect(messagesAsked().map(({ content }) => content)).toEqual([
      'What is 2 + 2?',
      'And 3 + 3?',
      expect.stringMatching(/:\n\nSums were asked\.$/) as string,
      'Go on.',
    ]);
  }); // prettier-ignore

  it('can be a stored one', async () => {
    const first = responseSchema.parse(await (await service.post({ input: 'Hi', store: true })).json());
    const { output } = await compact({ previous_response_id: first.id });
    expect(output).toMatchObject([{ role: 'user' }, { type: 'compaction' }]);
    expect(messagesAsked().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('is summarised without tools and within bounds', async () => {
    await compact({
      input: [{ type: 'additional_tools', role: 'developer', tools: [tool] }, ...conversation],
    });
    const { tools, maxTokens, reasoning } = service.engine.lastCall.request;
    expect([tools, maxTokens, reasoning]).toEqual([undefined, 4096, undefined]);
    await (await post('/compact', { model: 'thinker', input: conversation })).text();
    expect(service.engine.lastCall.request.reasoning).toEqual({ enabled: false });
  });

  it('is charged like any answer', async () => {
    await compact({ input: conversation });
    await service.engine.lastCall.end;
    expect(service.limiter.settlements).toHaveLength(1);
  });

  it.each([
    [{ input: conversation, stream: true }, 200, undefined],
    [{}, 'missing_required_parameter', 'input'],
    [{ input: [] }, 'invalid_value', 'input'],
    [{ input: [{ type: 'web_search_call' }] }, 'missing_required_parameter', 'input'],
    [{ input: 5 }, 'invalid_type', 'input'],
    [{ model: 'none', input: 'Hi' }, 'model_not_found', 'model'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_not_found', 'previous_response_id'],
    [{ imput: 'Hi' }, 'unknown_parameter', 'imput'],
  ] as const)('%j: %s %s', async (body, code, param) => {
    const answer = await post('/compact', body);
    if (typeof code === 'string') await expectError(answer, code, param);
    else expect(answer.headers.get('x-ignored-parameters')).toBe('stream');
  });

  it('is none where the model wrote no summary', async () => {
    service.engine.script = { steps: [{ text: ' \n' }] };
    await expectError(await post('/compact', { input: 'Hi' }), 'engine_error');
  });
});

describe('the tokens of an input', () => {
  it('are counted with all that the prompt has', async () => {
    service.engine.script = { steps: [], promptTokens: 42 };
    const answer = await post('/input_tokens', { input: 'Hi', instructions: 'Be brief.', tools: [tool, { type: 'web_search' }] });
    expect(await answer.json()).toEqual({ object: 'response.input_tokens', input_tokens: 42 });
    expect(answer.headers.get('x-ignored-parameters')).toBe('tools.web_search');
    expect(service.engine.lastCall.request.tools?.definitions).toEqual([{ name: 'f' }]);
    expect(messagesAsked()).toHaveLength(2);
    expect(service.limiter.settlements).toEqual([]);
  }); // prettier-ignore

  it('are those of a stored conversation too', async () => {
    const first = responseSchema.parse(await (await service.post({ input: 'Hi', store: true })).json());
    expect((await post('/input_tokens', { previous_response_id: first.id })).status).toBe(200);
    expect(messagesAsked()).toHaveLength(2);
    await expectError(
      await post('/input_tokens', { previous_response_id: first.id }, strangerKey),
      'previous_response_not_found',
      'previous_response_id',
    );
  });

  it.each([
    [{}, 'missing_required_parameter', 'input'],
    [{ input: 'Hi', tools: [{ type: 'function' }] }, 'missing_required_parameter', 'tools[0].name'],
    [{ input: 'Hi', tools: [tool], tool_choice: { type: 'function', name: 'g' } }, 'invalid_value', 'tool_choice.name'],
    [{ input: 'Hi', conversation: 'conv_1' }, 'unsupported_value', 'conversation'],
    [{ input: 'Hi', model: 'none' }, 'model_not_found', 'model'],
  ] as const)('%j: %s %s', async (body, code, param) => {
    await expectError(await post('/input_tokens', body), code, param);
  }); // prettier-ignore
});

it('other methods on these paths are refused, and no response has such an id', async () => {
  for (const path of ['compact', 'input_tokens']) {
    const answer = await service.get(path);
    await expectError(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST');
  }
});
