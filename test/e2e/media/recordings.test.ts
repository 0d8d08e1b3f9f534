import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { pictureFile } from '../../support/pictures/pictures.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel, tinyProjector } from '../../support/models/tiny-model.ts';
import { writeWav } from '../../support/audio/wav.ts';

let server: RunningServer;
beforeAll(async () => {
  const source = await tinyModel({ endOfTurnGain: 0, contextTokens: 4096 });
  const projector = await tinyProjector({ family: 'ultravox' });
  server = await startServer({
    modelsDirs: [],
    config: { models: [{ id: 'hearing', source, projector, ...oneThread }] },
  });
});
afterAll(() => server.stop());

/** Two seconds of a tone. */
function toneWav(hertz: number): Buffer {
  const samples = Float32Array.from(
    { length: 32_000 },
    (_, at) => Math.sin((at * hertz * Math.PI) / 8000) / 2,
  );
  return writeWav(samples);
}

async function ask(file: Uint8Array, question = 'What do you hear?') {
  const data = Buffer.from(file).toString('base64');
  const { choices, usage } = await openClient(server).chat.completions.create({
    model: 'hearing',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data, format: 'wav' } },
          { type: 'text', text: question },
        ],
      },
    ],
    temperature: 0,
    max_tokens: 12,
  });
  const { prompt_tokens = 0, prompt_tokens_details } = usage ?? {};
  const text = choices[0]?.message.content;
  return { text, promptTokens: prompt_tokens, cachedTokens: prompt_tokens_details?.cached_tokens };
}

describe.runIf(hasMedia)('a model that hears', () => {
  it('answers about a recording, and computes it once', async () => {
    const first = await ask(toneWav(440));
    expect(first.promptTokens).toBeGreaterThan(40);
    expect(await ask(toneWav(440))).toEqual({ ...first, cachedTokens: first.promptTokens - 1 });
    const other = await ask(toneWav(440), 'Is it loud?');
    expect(other.cachedTokens).toBeGreaterThan(30);
    expect((await ask(toneWav(1500))).cachedTokens).toBeLessThan(30);
  });

  it('says in the listing what it takes', async () => {
    const model = await openClient(server).models.retrieve('hearing');
    expect(model).toMatchObject({ capabilities: { supports_audio: true, supports_image: false } });
  });

  it.each([
    ['none', Buffer.from('no recording')],
    ['cut off within its head', toneWav(440).subarray(0, 30)],
  ])('refuses a recording that is %s', async (_, file) => {
    await expect(ask(file)).rejects.toMatchObject({ status: 400, code: 'invalid_audio' });
  });

  it('refuses pictures', async () => {
    const url = `data:image/png;base64,${Buffer.from(pictureFile('rgb.png')).toString('base64')}`;
    const asked = openClient(server).chat.completions.create({
      model: 'hearing',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'unsupported_content' });
  });
});
