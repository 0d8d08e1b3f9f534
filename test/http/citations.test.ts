import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildApp, userKey } from '../support/fakes/http-service.ts';
import { pdfOf } from '../support/files/pdf.ts';
import { expectLegalEvents } from '../support/wire/response-events.ts';

const answer =
  'It says "Ships sail on the sea" and “come home late”. Notes: > no.\n\n> Grass is green\n\nAnd the sky is blue as it has been all day, "it is so today".';
const steps = [...answer.matchAll(/.{1,3}/gsu)].map(([text]) => ({ text }));
const [pages, notes] = [['Ships sail on the sea', 'and come home late.'], 'The grass is green.'];
const data = Buffer.from(pdfOf(pages)).toString('base64');
const sky = ['The sky is blue as', ' it has been all day'];

let service: ReturnType<typeof buildApp>;
let anthropic: Anthropic;
let openai: OpenAI;
beforeEach(() => {
  service = buildApp();
  service.engine.script = { steps };
  const connection = {
    apiKey: userKey,
    maxRetries: 0,
    fetch: async (url: string | URL | Request, init?: RequestInit) => await service.app.request(url, init),
  };
  anthropic = new Anthropic({ ...connection, baseURL: 'http://localhost' });
  openai = new OpenAI({ ...connection, baseURL: 'http://localhost/v1' });
});

const citations = { enabled: true };
const documents: Anthropic.ContentBlockParam[] = [
  { type: 'document', title: 'Not asked', source: { type: 'text', media_type: 'text/plain', data: 'blue' } },
  { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data }, citations },
  { type: 'document', source: { type: 'text', media_type: 'text/plain', data: notes }, citations },
  { type: 'document', title: 'Sky', source: { type: 'content', content: sky.map((text) => ({ type: 'text', text })) }, citations },
  { type: 'search_result', source: 'https://a.org', title: 'A', content: [{ type: 'text', text: 'Who knows? It is so today.' }], citations },
]; // prettier-ignore
const question = { role: 'user' as const, content: [...documents, { type: 'text' as const, text: 'Well?' }] };
const request = { model: 'tiny', max_tokens: 100, messages: [question] };

describe('Messages', () => {
  it('cite pages, characters, blocks and search results, whole and streamed', async () => {
    const { data: whole, response } = await anthropic.messages.create(request).withResponse();
    expect(response.headers.get('x-ignored-parameters')).toBeNull();
    const { content } = whole;
    const said = content.flatMap((block) => (block.type === 'text' ? [block] : []));
    expect(said.map(({ text }) => text).join('')).toBe(answer);
    const cited = said.filter((block) => (block.citations ?? []).length > 0);
    const [title, file] = ['document_title', 'file_id'];
    const pdf = { document_index: 1, [title]: 'a.pdf', [file]: null };
    expect(cited).toEqual([
      { type: 'text', text: '"Ships sail on the sea"', citations: [{ type: 'page_location', cited_text: pages[0], ...pdf, start_page_number: 1, end_page_number: 2 }] },
      { type: 'text', text: '“come home late”.', citations: [{ type: 'page_location', cited_text: 'come home late', ...pdf, start_page_number: 2, end_page_number: 3 }] },
      { type: 'text', text: '> Grass is green', citations: [{ type: 'char_location', cited_text: 'grass is green', document_index: 2, [title]: null, [file]: null, start_char_index: 4, end_char_index: 18 }] },
      { type: 'text', text: 'the sky is blue as it has been all day,', citations: [{ type: 'content_block_location', cited_text: sky.join(''), document_index: 3, [title]: 'Sky', [file]: null, start_block_index: 0, end_block_index: 2 }] },
      { type: 'text', text: '"it is so today".', citations: [{ type: 'search_result_location', cited_text: 'Who knows? It is so today.', search_result_index: 0, source: 'https://a.org', title: 'A', start_block_index: 0, end_block_index: 1 }] },
    ]); // prettier-ignore
    const stream = anthropic.messages.stream(request);
    const order: string[] = [];
    for await (const event of stream)
      if (event.type === 'content_block_delta' && order.at(-1) !== event.delta.type)
        order.push(event.delta.type);
    expect((await stream.finalMessage()).content).toEqual(content);
    expect(order.slice(0, 3)).toEqual(['text_delta', 'citations_delta', 'text_delta']);
  });

  it('are taken back as one text, behind the same beginning', async () => {
    const first = await anthropic.messages.create(request);
    const next = { role: 'user' as const, content: 'More?' };
    await anthropic.messages.create({ ...request, messages: [question, { role: 'assistant', content: first.content }, next] });
    const [asked, again] = service.engine.calls.map(({ request: { prompt } }) => (prompt.kind === 'messages' ? prompt.messages : []));
    expect(again?.slice(0, 2)).toEqual([...(asked ?? []), { role: 'assistant', content: answer }]);
    expect(asked?.[0]?.content.match(/quote the words/g)).toHaveLength(4);
  }); // prettier-ignore

  it('have none that nobody asked for', async () => {
    const plain = documents.map((block) => Object.assign({ ...block }, { citations: null }));
    const content = [...plain, { type: 'text' as const, text: 'Well?' }];
    const message = await anthropic.messages.create({ ...request, messages: [{ role: 'user', content }] });
    expect(message.content).toEqual([{ type: 'text', text: answer, citations: [] }]);
    const prompt = service.engine.lastCall.request.prompt;
    expect(JSON.stringify(prompt)).not.toContain('quote the words');
  });
});

describe('Responses', () => {
  const file = { type: 'input_file' as const, filename: 'a.pdf', file_data: data };
  const ask = (part: object, stream = false) => ({
    model: 'tiny',
    stream,
    input: [{ role: 'user' as const, content: [{ ...file, ...part }] }],
  });

  it('annotate what they quote from files that ask for it, whole and streamed', async () => {
    const whole = await openai.responses.create({ ...ask({ citations }), stream: false });
    const [item] = whole.output;
    const part = item?.type === 'message' ? item.content[0] : undefined;
    const annotation = { type: 'file_citation', file_id: '', filename: 'a.pdf' };
    const behind = ['"Ships sail on the sea"', '“come home late”.'].map((quote) => answer.indexOf(quote) + quote.length);
    const annotations = behind.map((index) => ({ ...annotation, index }));
    expect(part).toMatchObject({ text: answer, annotations });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await openai.responses.create({ ...ask({ citations }), stream: true })) events.push(event);
    expectLegalEvents(events as never);
    expect(events.at(-1)).toMatchObject({ response: { output: [{ content: [{ annotations }] }] } });
    const added = events.filter(({ type }) => type === 'response.output_text.annotation.added');
    expect(added).toMatchObject(annotations.map((one, index) => ({ annotation: one, annotation_index: index })));
  }); // prettier-ignore

  it('have none that nobody asked for, and name what they do not understand', async () => {
    for (const [asked, ignored] of [
      [{}, null],
      [{ citations: { enabled: false } }, null],
    ] as const) {
      const { data: whole, response } = await openai.responses.create({ ...ask(asked), stream: false }).withResponse();
      expect(whole.output).toMatchObject([{ content: [{ annotations: [] }] }]);
      expect(response.headers.get('x-ignored-parameters')).toBe(ignored);
    }
  }); // prettier-ignore
});
