import { fc } from '../../../support/properties.ts';
import { expect, it } from 'vitest';
import { QuoteIndex } from '../../../../src/documents/quotes/quote-index.ts';
import { responseSchema } from '../../../../src/api/responses/schema.ts';
import { ResponseStream, toResponse } from '../../../../src/api/responses/answer.ts';
import type { ItemOptions } from '../../../../src/api/responses/events/output-item.ts';
import { toBegunResponse } from '../../../../src/api/responses/response-object.ts';
import { Answer } from '../../../../src/engine/generation/answer.ts';
import { defaultSampling } from '../../../../src/engine/generation/sampling-options.ts';
import type { GenerationEvent } from '../../../../src/engine/generation/generation.ts';
import { AppError } from '../../../../src/errors/errors.ts';
import {
  expectLegalEvents,
  finalResponse,
  readResponseEvents,
} from '../../../support/wire/response-events.ts';

type OutputEvent = Exclude<GenerationEvent, { type: 'started' }>;

const usage = { promptTokens: 3, cachedTokens: 1, completionTokens: 5, reasoningTokens: 2 };

/** JSON as a model may write it: every other character escaped, in pieces of three characters. */
function piecesOf(value: object): string[] {
  const escaped = JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
  return escaped.match(/[^]{1,3}/g) ?? [];
}

const tools = [
  { name: 'free', called: { kind: 'custom', name: 'free' }, path: [] },
  { name: 'tool_search', called: { kind: 'tool_search', name: 'tool_search' }, path: [] },
] as const;

/** Events of an engine, in any order that it promises. */
const told = fc
  .array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
      fc.record({ type: fc.constant('reasoning' as const), text: fc.string({ unit: 'grapheme' }) }),
      fc.record({
        type: fc.constant('tool-call' as const),
        name: fc.constant('f'),
        pieces: fc.array(fc.string({ maxLength: 4 })),
      }),
      fc.record({
        type: fc.constant('tool-call' as const),
        name: fc.constant('free'),
        pieces: fc.string({ unit: 'grapheme' }).map((input) => piecesOf({ input })),
      }),
      fc.record({
        type: fc.constant('tool-call' as const),
        name: fc.constant('tool_search'),
        pieces: fc.string().map((query) => piecesOf({ query })),
      }),
    ),
    { maxLength: 12 },
  )
  .map((steps) => {
    let index = -1;
    return steps.flatMap((step): OutputEvent[] => {
      if (step.type === 'text') return [{ ...step, logprobs: [] }];
      if (step.type === 'reasoning') return [step];
      index += 1;
      const pieces = step.pieces.map((text) => ({ type: 'tool-arguments' as const, index, text }));
      return [{ type: 'tool-call', index, name: step.name }, ...pieces];
    });
  });

type Thoughts = Omit<ItemOptions, 'tools'>;

const optionsFor = (thoughts: Thoughts) => {
  const summary = thoughts.thoughtPlace === 'summary' ? 'auto' : null;
  const parameters = responseSchema.parse({ model: 'tiny', input: 'Hi', reasoning: { summary } });
  return {
    begun: toBegunResponse(parameters, defaultSampling, 1_795_000_000),
    first: [],
    quotes: new QuoteIndex<never>(),
    tools,
    ending: () => ({ store: false, atSeconds: 1_795_000_001 }),
    keep: () => Promise.resolve(),
    ...thoughts,
  };
};
const thoughtOptions = fc.record({
  thoughtPlace: fc.constantFrom('content' as const, 'summary' as const),
  packsThoughts: fc.boolean(),
});
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part: unknown) => (/^(?:call_)?id$/.test(key) ? undefined : part)));
/** The values in the arguments of the calls of `name`. */
const called = (events: readonly OutputEvent[], name: string): unknown[] =>
  events.flatMap((event) => {
    if (event.type !== 'tool-call' || event.name !== name) return [];
    const { index } = event;
    const pieces = events.flatMap((other) =>
      other.type === 'tool-arguments' && other.index === index ? [other.text] : [],
    );
    return Object.values(JSON.parse(pieces.join('')) as object);
  });
const joined = (events: readonly OutputEvent[], type: OutputEvent['type']): string =>
  events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');

it('whatever an engine tells becomes a legal sequence that loses nothing, and in one piece the same', async () => {
  await fc.assert(
    fc.asyncProperty(told, thoughtOptions, fc.constantFrom('stop', 'length', 'tool_calls'), async (events, thoughts, finishReason) => {
      const options = optionsFor(thoughts);
      const [answer, stream] = [new Answer(), new ResponseStream(options)];
      const end = { outcome: 'finished' as const, finishReason, usage };
      const blocks = [...events.flatMap((event) => answer.add(event)), ...answer.finish(finishReason)];
      const sent = [stream.begin(), ...blocks.map((event) => stream.add(event))];
      for await (const last of stream.end(end)) sent.push(last);
      const all = readResponseEvents(sent.join(''));
      expectLegalEvents(all);
      const { output } = finalResponse(all);
      expect(output).not.toHaveLength(0);
      expect(withoutIds(await toResponse(options)(end, answer))).toEqual(withoutIds(finalResponse(all)));
      const texts = { message: '', reasoning: '', function_call: '' };
      for (const item of output) {
        if (item.type === 'function_call') texts.function_call += item.arguments;
        else if (item.type === 'message') texts.message += item.content[0]?.text ?? '';
        else if (item.type === 'reasoning') texts.reasoning += [...item.content, ...item.summary].map(({ text }) => text).join('');
      }
      const inputs = output.flatMap((item) => (item.type === 'custom_tool_call' ? [item.input] : []));
      expect(inputs).toEqual(called(events, 'free'));
      const searches = output.flatMap((item) => (item.type === 'tool_search_call' && item.status === 'completed' ? [item.arguments['query']] : []));
      expect(searches).toEqual(called(events, 'tool_search').slice(0, searches.length));
      const functionEvents = events.filter((event) => event.type !== 'tool-arguments' || events.some((call) => call.type === 'tool-call' && call.index === event.index && call.name === 'f'));
      expect(texts.message).toBe(joined(events, 'text'));
      expect(texts.reasoning).toBe(joined(events, 'reasoning'));
      expect(texts.function_call.replaceAll('{}', '')).toBe(joined(functionEvents, 'tool-arguments').replaceAll('{}', ''));
    }),
  );
}); // prettier-ignore

it('and so does what it tells before it fails, wherever that is', () => {
  fc.assert(
    fc.property(told, thoughtOptions, fc.nat(30), (events, thoughts, count) => {
      const [answer, stream] = [new Answer(), new ResponseStream(optionsFor(thoughts))];
      const blocks = events.slice(0, count).flatMap((event) => answer.add(event));
      const sent = [stream.begin(), ...blocks.map((event) => stream.add(event))];
      sent.push(stream.fail(new AppError('engine_error', 'It failed.'), usage));
      const all = readResponseEvents(sent.join(''));
      expectLegalEvents(all);
      const { output } = finalResponse(all);
      expect(output.slice(0, -1).every((item) => 'status' in item && item.status === 'completed')).toBe(true);
    }),
  );
});
