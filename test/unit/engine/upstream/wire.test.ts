import type { EventSourceMessage } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../../src/engine/upstream/failures.ts';
import { createEventParser } from '../../../../src/engine/upstream/http/read-body.ts';
import { readListedFacts, unknownServer } from '../../../../src/engine/upstream/wire/server-kind.ts';
import { readVectors } from '../../../../src/engine/upstream/wire/embeddings.ts';
import {
  toEngineParam,
  toGenerationBody,
} from '../../../../src/engine/upstream/wire/generation/generation-body.ts';
import { readTextLogprobs } from '../../../../src/engine/upstream/wire/generation/logprobs.ts';
import { readTranscript } from '../../../../src/engine/upstream/wire/transcription.ts';
import { defaultSampling } from '../../../../src/engine/generation/sampling-options.ts';
import type { GenerationRequest } from '../../../../src/engine/types.ts';

const request: GenerationRequest = {
  modelId: 'm',
  accountId: 'a',
  keyId: 'k',
  prompt: { kind: 'messages', messages: [{ role: 'user', content: 'Hi' }] },
  sampling: defaultSampling,
  stop: [],
  maxTokens: undefined,
  minTokens: 0,
  ignoreEos: false,
  topLogprobs: undefined,
};

describe('server-sent events', () => {
  const read = (...pieces: readonly string[]) => {
    const events: EventSourceMessage[] = [];
    const parser = createEventParser((event) => events.push(event));
    for (const piece of pieces) parser.feed(piece);
    return events;
  };

  it('are the same however the stream is cut', () => {
    const text = ': ping\r\n\r\nevent: error\r\ndata: {"a":\r\ndata: 1}\r\n\r\nid: 3\ndata:x\n\n\n';
    const expected = [
      { event: 'error', data: '{"a":\n1}' },
      { id: '3', data: 'x' },
    ];
    expect(read(text)).toEqual(expected);
    for (let cut = 1; cut < text.length; cut++)
      expect(read(text.slice(0, cut), text.slice(cut))).toEqual(expected);
    expect(read(...text.split(''))).toEqual(expected);
  });

  it('have an end to their length, in one line or in many', () => {
    expect(() => read('data: ', 'x'.repeat(2 ** 20), 'x')).toThrow(/more than 1048576/);
    expect(() => read(...Array.from({ length: 1100 }, () => `data: ${'x'.repeat(1000)}\n`))).toThrow(
      /more than/,
    );
  });
});

describe('what an upstream is asked', () => {
  const { serverKind: vllm } = readListedFacts(
    { data: [{ id: 'm', owned_by: 'vllm', max_model_len: 4096 }] },
    'm',
  );
  const { serverKind: llama } = readListedFacts(
    { data: [{ id: 'x', owned_by: 'llamacpp', meta: { n_ctx: 512 } }] },
    'm',
  );

  it('hands on that an answer is to be continued', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hel' },
    ] as const;
    const prompt = { kind: 'messages', messages, continuesLast: true } as const;
    expect(toGenerationBody({ ...request, prompt }, 'm', vllm)).toMatchObject({
      messages,
      continue_final_message: true,
      add_generation_prompt: false,
    });
  });

  it('follows what its server tells of itself', () => {
    const chosen: GenerationRequest = {
      ...request,
      sampling: { ...defaultSampling, repeatPenalty: 1.2, logitBias: new Map([[5, -100]]) },
      chosenSampling: ['repeatPenalty', 'logitBias'],
      reasoning: { enabled: true, effort: 'low', maxTokens: 512 },
      templateVariables: { tone: 'dry' },
    };
    expect(toGenerationBody(chosen, 'm', vllm)).toMatchObject({
      repetition_penalty: 1.2,
      logit_bias: { 5: -100 },
      reasoning_effort: 'low',
      chat_template_kwargs: { enable_thinking: true, tone: 'dry' },
    });
    expect(toGenerationBody(chosen, 'm', llama)).toMatchObject({ repeat_penalty: 1.2 });
    expect(toGenerationBody(chosen, 'm', unknownServer)['chat_template_kwargs']).toEqual({ tone: 'dry' });
    expect(readListedFacts({ data: 'nonsense' }, 'm')).toEqual({
      serverKind: unknownServer,
      contextTokens: undefined,
    });
  });

  it('passes a prediction on', () => {
    expect(toGenerationBody({ ...request, prediction: 'As before.' }, 'm', vllm)).toMatchObject({
      prediction: { type: 'content', content: 'As before.' },
    });
  });

  it('is refused here where its server would ignore it', () => {
    expect(() => toGenerationBody({ ...request, minTokens: 3 }, 'm', llama)).toThrow(
      /does not know 'min_tokens'/,
    );
    expect(toGenerationBody({ ...request, minTokens: 3 }, 'm', vllm)).toMatchObject({ min_tokens: 3 });
  });

  it('offers the functions that may be called, and names them back by their place in the request', () => {
    const definitions = ['a', 'b', 'c'].map((name) => ({ name, parameters: { type: 'object' } }));
    const some = { ...request, tools: { definitions, allowed: ['b', 'c'], required: true, parallel: true } };
    expect(toGenerationBody(some, 'm', vllm)).toMatchObject({
      tools: [{ function: { name: 'b' } }, { function: { name: 'c' } }],
      tool_choice: 'required',
    });
    expect(toEngineParam('tools[1].function.parameters.type', some)).toBe('tools[2].parameters.type');
    const one = { ...request, tools: { definitions, allowed: ['b'], required: true, parallel: false } };
    expect(toGenerationBody(one, 'm', vllm)).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'b' } },
      parallel_tool_calls: false,
    });
  });

  it('is refused where a tool has a grammar, which no server takes here', () => {
    const inputGrammar = { syntax: 'regex', definition: '[ab]+' } as const;
    const definitions = [{ name: 'a' }, { name: 'b', inputGrammar }];
    const tools = { definitions, required: false, parallel: true };
    expect(() => toGenerationBody({ ...request, tools }, 'm', vllm)).toThrow(
      expect.objectContaining({ code: 'unsupported_value', param: 'tools[1].inputGrammar' }),
    );
  });

  it('has the schema as it was sent', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { pattern: '(?=x)' } },
    };
    const body = toGenerationBody({ ...request, outputFormat: { kind: 'json-schema', schema } }, 'm', vllm);
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: true },
    });
  });
});

describe('what an upstream answers', () => {
  it('of log-probabilities keeps tokens that are parts of characters', () => {
    const lists = {
      tokens: ['a', String.raw`bytes:\xe2\x82`],
      token_logprobs: [-0.5, -1],
      top_logprobs: [{ a: -0.5, b: -2 }, {}],
    };
    expect(readTextLogprobs(lists, 1)).toEqual([
      { token: 'a', logprob: -0.5, bytes: [97], topLogprobs: [{ token: 'a', logprob: -0.5, bytes: [97] }] },
      { token: '\ufffd', logprob: -1, bytes: [0xe2, 0x82], topLogprobs: [] },
    ]);
    expect(() => readTextLogprobs({ tokens: ['a'], token_logprobs: ['x'] }, 1)).toThrow(/no number/);
  });

  it('of vectors is put in order and made of length 1, and refused where it is none', () => {
    const answer = {
      data: [
        { index: 1, embedding: [0, 2] },
        { index: 0, embedding: [3, 4] },
      ],
    };
    expect(readVectors(answer, 2).map((vector) => [...vector])).toEqual([
      [0.6, 0.8].map(Math.fround),
      [0, 1],
    ]);
    const unnumbered = { data: [{ embedding: [2, 0] }, { index: null, embedding: [0, 2] }] };
    expect(readVectors(unnumbered, 2).map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    for (const data of [
      ...[null, true, '1', [1]].map((number) => [
        { index: 0, embedding: [number, 1] },
        { index: 1, embedding: [1, 1] },
      ]),
      [{ index: 0, embedding: [1] }],
      [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
      [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [1, 2] },
      ],
      [
        { index: 0, embedding: [0] },
        { index: 1, embedding: [1] },
      ],
      [
        { index: 0, embedding: ['x'] },
        { index: 1, embedding: [1] },
      ],
      [
        { index: 0, embedding: 'AAA' },
        { index: 1, embedding: [1] },
      ],
    ])
      expect(() => readVectors({ data }, 2)).toThrow(/not valid/);
  });

  it('of speech may be no more than a text', () => {
    const audio = { samples: new Float32Array(32_000), language: 'de' } as Parameters<
      typeof readTranscript
    >[1];
    expect(readTranscript({ text: ' Hallo' }, audio)).toMatchObject({
      language: 'de',
      durationSeconds: 2,
      segments: [{ id: 0, startSeconds: 0, endSeconds: 2, text: ' Hallo' }],
    });
    expect(readTranscript({ text: '' }, audio).segments).toEqual([]);
    expect(
      readTranscript({ text: 'a', segments: [{ text: 'a', start: -5, end: 99 }] }, audio).segments,
    ).toMatchObject([{ startSeconds: 0, endSeconds: 2 }]);
  });

  it('is cleaned before anybody reads it', () => {
    const text = 'bad\u0000 key sk-1 at\n\nhttp://10.0.0.5/x in /srv/models/y, 10.1.2.3:80 \u202e';
    expect(cleanText(text, 'sk-1')).toBe('bad key … at … in …y, …');
    expect(cleanText('x'.repeat(5000), undefined)).toHaveLength(301);
    expect(cleanText('', undefined)).toMatch(/nothing/);
  });
});
