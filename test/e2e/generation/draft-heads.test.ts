import type { ChatCompletionMessageParam as Message } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { hasStepper } from '../../support/engine/draw-tokens.ts';
import { completeChat, textOf } from '../../support/server/chat-client.ts';
import { oneThread, useChatServer } from '../../support/server/chat-fixture.ts';
import { openIsolated } from '../../support/server/isolated-server.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const sizes = { layers: 8, contextTokens: 4096, endOfTurnGain: 0, asciiOnly: true } as const;
/** Each is served twice, with its head and without. Only the state of the mixture can be cut anywhere. */
const kinds = {
  hybrid: { architecture: 'qwen35', draftHead: 'knowing', seed: 3 },
  mixture: { architecture: 'glm4moe', draftHead: 'knowing', seed: 4 },
  ignorant: { architecture: 'qwen35', draftHead: 'random', seed: 5 },
} as const;
const names = ['hybrid', 'mixture', 'ignorant'] as const;

const chat = useChatServer({
  models: async () => {
    const files: Record<string, string> = {};
    for (const name of names)
      for (const id of [name, `${name}-plain`]) files[id] = await tinyModel({ ...sizes, ...kinds[name] });
    return files;
  },
  settings: Object.fromEntries(
    names.flatMap((name) => [
      [name, oneThread],
      [`${name}-plain`, { ...oneThread, drafts: 'none' }],
    ]),
  ),
});

const samplings = [
  { temperature: 0 },
  { temperature: 1, seed: 7 },
  { temperature: 0.7, seed: 8, top_p: 0.9, frequency_penalty: 0.5 },
  { temperature: 0, stop: ['e'] },
];

/** A conversation of two turns whose last answer is asked for again, and one with another question. */
async function converse(model: string, topic: string, sampling: object): Promise<string[]> {
  const answer = async (messages: Message[], more = {}) =>
    textOf(await completeChat(chat().client, model, messages, { max_tokens: 32, ...sampling, ...more }));
  const question = `Tell me about ${topic}, and do not leave out what the wind has to do with it.`;
  const said = (content: string): Message => ({ role: 'user', content });
  const first = await answer([said(question)]);
  const turns: Message[] = [said(question), { role: 'assistant', content: first }, said('And then?')];
  const second = await answer(turns);
  const again = await answer(turns, { seed: 99 });
  return [first, second, again, await answer([said(`${question} Be short.`)])];
}

const countOf = async (what: string, model: string) =>
  (await readMetrics(chat().server)).get(`hearth_${what}_tokens_total{model="${model}",drafter="heads"}`);

/** How often a tiny model drafts hangs on the speed of the machine; after each load its first drafts are tried. */
async function expectSome(what: string, name: string): Promise<void> {
  const isolated = await openIsolated(chat().server);
  for (let load = 0; load < 30 && ((await countOf(what, name)) ?? 0) === 0; load++) {
    await isolated.admin(`/${name}/unload`, 'POST');
    await converse(name, `${load} hills`, { temperature: 0 });
  }
  expect(await countOf(what, name)).toBeGreaterThan(0);
}

describe.runIf(hasStepper)('a model with a draft head of its own', () => {
  it.each(names)('writes what it writes without it: %s', { timeout: 240_000 }, async (name) => {
    for (const sampling of samplings)
      expect(await converse(name, 'the sea', sampling), JSON.stringify(sampling)).toEqual(
        await converse(`${name}-plain`, 'the sea', sampling),
      );
    const topics = ['a river', 'the hills', 'a road', 'the night'];
    const together = (model: string) =>
      Promise.all(topics.map((topic, at) => converse(model, topic, samplings[at] ?? {})));
    const [own, plain] = [await together(name), await together(`${name}-plain`)];
    // llama.cpp rounds differently where it computes several tokens together: of two that are equally likely that decides.
    const parted = own.filter((texts, at) => texts.join('\n') !== plain[at]?.join('\n'));
    expect(parted.length, JSON.stringify([own, plain])).toBeLessThanOrEqual(1);
    await expectSome('drafted', name);
    expect(await countOf('drafted', `${name}-plain`)).toBeUndefined();
  });

  it.each(['hybrid', 'mixture'])('often guesses what comes: %s', { timeout: 240_000 }, async (name) => {
    await expectSome('accepted', name);
  });
});
