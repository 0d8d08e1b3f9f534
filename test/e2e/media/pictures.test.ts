import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerTokens,
  pictureFile,
  pictureQuestions,
  seeingFamilies,
  type PictureQuestion,
} from '../../../scripts/compare/pictures/families.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import { openClient } from '../../support/server/chat-client.ts';
import recorded from '../../support/pictures/picture-answers.json' with { type: 'json' };
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel, tinyProjector } from '../../support/models/tiny-model.ts';

const { model, projector } = seeingFamilies.gemma3;

async function startSeeing(settings: {
  isolation?: 'process';
  env?: Readonly<Record<string, string>>;
}): Promise<RunningServer> {
  const { isolation, env = {} } = settings;
  const entry = {
    id: 'seeing',
    source: await tinyModel(model),
    projector: await tinyProjector(projector),
    threads: 1,
  };
  return await startServer({
    modelsDirs: [],
    env,
    config: { models: [entry], ...(isolation && { isolation }) },
  });
}

const partsOf = ({ texts, pictures }: PictureQuestion) =>
  texts.flatMap((text, index) => {
    const number = pictures[index];
    if (number === undefined) return [{ type: 'text' as const, text }];
    const url = `data:image/bmp;base64,${pictureFile(number).toString('base64')}`;
    return [
      { type: 'text' as const, text },
      { type: 'image_url' as const, image_url: { url } },
    ];
  });

const ask = (server: RunningServer, content: ReturnType<typeof partsOf> | string) =>
  openClient(server).chat.completions.create({
    model: 'seeing',
    messages: [{ role: 'user', content }],
    temperature: 0,
    max_tokens: answerTokens,
  });

describe.runIf(hasMedia).each([{}, { isolation: 'process' as const }])(
  'a model that sees, with %j',
  (settings) => {
    let server: RunningServer;
    beforeAll(async () => {
      server = await startSeeing(settings);
    });
    afterAll(() => server.stop());

    it.each(pictureQuestions)(
      'answers as llama.cpp’s server, and reuses the picture: $name',
      async (question) => {
        const { text, promptTokens } = recorded.gemma3[question.name as keyof typeof recorded.gemma3];
        const fresh = await ask(server, partsOf(question));
        expect(fresh.choices[0]?.message.content).toBe(text);
        expect(fresh.usage?.prompt_tokens).toBe(promptTokens);
        const cached = await ask(server, partsOf(question));
        expect(cached.choices[0]?.message.content).toBe(text);
        expect(cached.usage?.prompt_tokens_details?.cached_tokens).toBe(promptTokens - 1);
      },
    );
  },
);

describe.runIf(hasMedia)('without the addon for pictures', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startSeeing({ env: { HEARTH_MTMD: 'off' } });
  });
  afterAll(() => server.stop());

  it('a request with a picture is told so, with the remedy, and texts are answered', async () => {
    const [question] = pictureQuestions;
    const asked = ask(server, partsOf(question ?? { name: '', texts: [], pictures: [] }));
    await expect(asked).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("'hearth doctor' says what to do") as string,
    });
    expect((await ask(server, 'Hello.')).choices[0]?.finish_reason).toBe('length');
  });
});
