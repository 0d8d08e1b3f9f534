import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerTokens,
  pictureFile,
  pictureQuestions,
  seeingFamilies,
  type PictureQuestion,
  type SeeingFamily,
} from '../../../../../scripts/compare/pictures/families.ts';
import { neutralSampling } from '../../../../../src/engine/generation/sampling-options.ts';
import type { ChatMessage, GenerationRequest } from '../../../../../src/engine/types.ts';
import { openEngine, type OpenedEngine } from '../../../../support/engine/open-model-engine.ts';
import recorded from '../../../../support/pictures/picture-answers.json' with { type: 'json' };
import { tinyModel, tinyProjector } from '../../../../support/models/tiny-model.ts';

/** A question as a message of the user. */
function messageOf({ texts, pictures }: PictureQuestion): ChatMessage {
  let content = '';
  const attachments = texts.flatMap((text, index) => {
    content += text;
    const number = pictures[index];
    const attachment = { kind: 'picture', offset: content.length } as const;
    return number === undefined ? [] : [{ ...attachment, file: pictureFile(number) }];
  });
  return { role: 'user', content, attachments };
}

const requestOf = (message: ChatMessage, accountId = 'account'): GenerationRequest => ({
  modelId: 'endless',
  accountId,
  keyId: accountId,
  prompt: { kind: 'messages', messages: [message] },
  sampling: { ...neutralSampling, temperature: 0 },
  stop: [],
  maxTokens: answerTokens,
  minTokens: 0,
  ignoreEos: false,
  topLogprobs: undefined,
});

async function ask(
  engine: OpenedEngine,
  message: ChatMessage,
  accountId?: string,
  signal = new AbortController().signal,
) {
  const generation = engine.generate(requestOf(message, accountId), signal);
  let text = '';
  for await (const event of generation.events) if (event.type === 'delta') text += event.text;
  return { text, end: await generation.ended };
}

const [first, second] = pictureQuestions;

describe.each(Object.keys(seeingFamilies) as SeeingFamily[])('a model that sees as %s', (family) => {
  const answers: Readonly<Record<string, { promptTokens: number; text: string }>> = recorded[family];
  let engine: OpenedEngine;
  beforeAll(async () => {
    const { model, projector } = seeingFamilies[family];
    const [path, projectorPath] = [await tinyModel(model), await tinyProjector(projector)];
    engine = await openEngine({ path, projectorPath, parallel: 8 });
  });
  afterAll(() => engine.close(0));

  it.each(pictureQuestions)('answers as llama.cpp’s server, also from its cache: $name', async (question) => {
    const { text, promptTokens } = answers[question.name] ?? {};
    const fresh = await ask(engine, messageOf(question));
    expect(fresh.text).toBe(text);
    expect(fresh.end.usage.promptTokens).toBe(promptTokens);
    const cached = await ask(engine, messageOf(question));
    expect(cached.text).toBe(text);
    expect(cached.end.usage.cachedTokens).toBeGreaterThan((promptTokens ?? 0) / 2);
  });

  it('answers so beside seven streams of text', async () => {
    const leaving = new AbortController();
    const streams = Array.from({ length: 7 }, (_, index) =>
      engine.generate(
        { ...requestOf({ role: 'user', content: `Tell me story ${index}.` }), maxTokens: 300 },
        leaving.signal,
      ),
    );
    const texts = Promise.allSettled(streams.map(({ ended }) => ended));
    for (const question of pictureQuestions) {
      const { text } = await ask(engine, messageOf(question), 'another account');
      expect(text).toBe(answers[question.name]?.text);
    }
    leaving.abort();
    await texts;
  });

  it('looks at a picture once for two questions, and never for another account', async () => {
    const message = messageOf({ name: '', texts: ['Look at ', ' once.'], pictures: [2] });
    const other = { ...message, content: message.content.replace('once', 'again, and say more') };
    const one = await ask(engine, message, 'owner');
    const two = await ask(engine, other, 'owner');
    expect(two.end.usage.cachedTokens).toBeGreaterThan(one.end.usage.promptTokens / 2);
    expect((await ask(engine, other, 'stranger')).end.usage.cachedTokens).toBe(0);
    expect((await ask(engine, other, 'stranger')).text).toBe(two.text);
  });

  it('goes on after clients that left while their pictures were computed', async () => {
    if (first === undefined || second === undefined) throw new Error('two questions are needed');
    for (let turns = 0; turns < 40; turns += 2) {
      const leaving = new AbortController();
      const left = ask(engine, messageOf({ ...second, pictures: [3] }), `leaver ${turns}`, leaving.signal);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      leaving.abort();
      await left.catch(() => undefined);
    }
    expect((await ask(engine, messageOf(first), 'leaver')).text).toBe(answers[first.name]?.text);
  });

  it('counts a picture’s tokens, and refuses a prompt that is too long by name', async () => {
    if (first === undefined) throw new Error('a question is needed');
    const request = requestOf(messageOf(first));
    const { signal } = new AbortController();
    expect(await engine.countTokens(request, signal)).toBe(answers[first.name]?.promptTokens);
    const texts = Array.from({ length: 401 }, () => 'and ');
    const long = messageOf({ name: '', texts, pictures: Array.from({ length: 400 }, () => 0) });
    const { end } = await ask(engine, long).catch((error: unknown) => ({ end: { error } as never }));
    expect(end).toMatchObject({ error: { code: 'context_length_exceeded' } });
  });

  it('refuses a file that is no picture, and answers the next', async () => {
    const message = { ...messageOf(first ?? (pictureQuestions[0] as PictureQuestion)) };
    const attachments = message.attachments?.map((attachment) => ({
      ...attachment,
      file: Buffer.from('no picture'),
    }));
    await expect(ask(engine, { ...message, ...(attachments && { attachments }) })).rejects.toMatchObject({
      code: 'invalid_image',
    });
    expect((await ask(engine, message)).end.outcome).toBe('finished');
  });
});

it.each([
  ['that of another model', { embeddingSize: 32 }, 'text model (n_embd = 64) and mmproj (n_embd = 32)'],
  ['of a kind that cannot be used', { projectorType: 'hunyuanvl' }, 'of the kind hunyuanvl cannot be used'],
])('is not opened where its projector is %s, and the reason says so', async (_, projector, reason) => {
  const projectorPath = await tinyProjector({ family: 'gemma3', ...projector });
  const engine = await openEngine({ path: await tinyModel(), projectorPath });
  await expect(ask(engine, { role: 'user', content: 'Hello.' })).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining(reason) as string,
  });
  await engine.close(0);
});
