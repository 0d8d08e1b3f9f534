import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RemotePictures } from '../../../src/api/attachments/remote-pictures.ts';
import type { ChatMessage } from '../../../src/engine/types.ts';
import { fakeCatalog, fakeModel } from '../../support/fakes/fake-services.ts';
import { buildApp, jsonRequest } from '../../support/fakes/http-service.ts';
import { messageRequest } from '../../support/wire/messages.ts';
import { pictureFile, pictures } from '../../support/pictures/pictures.ts';
import { writeWav } from '../../support/audio/wav.ts';

const senses = { audio: false, image: true, functionCalling: true, reasoning: false };
const catalog = fakeCatalog([
  fakeModel('tiny'),
  fakeModel('eyes', { capabilities: senses }),
  fakeModel('all', { capabilities: { ...senses, audio: true } }),
]);
let service: ReturnType<typeof buildApp>;
beforeEach(() => {
  service = buildApp({}, { catalog });
});

const png = pictureFile('rgb.png');
/** A JPEG whose first segment comes after more padding than anybody should look through. */
const padding = Buffer.concat([Uint8Array.of(0xff, 0xd8), Buffer.alloc(2 ** 14, 0xff)]);
const address = `data:image/png;base64,${pictures['rgb.png']}`;
const part = { type: 'image_url', image_url: { url: address, detail: 'low' } };
const text = (said: string) => ({ type: 'text', text: said });

const post = async (path: string, body: object) => service.app.request(...jsonRequest(path, body));
const chat = (content: unknown, model = 'eyes') =>
  post('/v1/chat/completions', { model, messages: [{ role: 'user', content }] });

/** The last message that the engine was given. */
function lastMessage(): ChatMessage | undefined {
  const prompt = service.engine.calls.at(-1)?.request.prompt;
  return prompt?.kind === 'messages' ? prompt.messages.at(-1) : undefined;
}

async function errorOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { code: string; param: string; message: string };
  };
  return { status: response.status, ...error };
}

const picture = (offset: number) => ({ kind: 'picture', offset, file: expect.anything() as unknown });

describe('a picture reaches the engine where it stands in the text', () => {
  it('of a chat', async () => {
    const { status } = await chat([text('Look:'), part, text('What'), text('is it?'), part]);
    expect(status).toBe(200);
    expect(lastMessage()).toEqual({
      role: 'user',
      content: 'Look:What\nis it?',
      attachments: [picture(5), picture(16)],
    });
    expect(lastMessage()?.attachments?.[0]?.file).toEqual(Buffer.from(png));
  });

  it('of a chat with nothing else, and from clients that send the address alone', async () => {
    expect((await chat([{ type: 'image_url', image_url: address }])).status).toBe(200);
    expect(lastMessage()).toEqual({ role: 'user', content: '', attachments: [picture(0)] });
  });

  it('of a response, also as a file and in the result of a call', async () => {
    const image = { type: 'input_image', image_url: address };
    const file = { type: 'input_file', filename: 'a.png', file_data: address };
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'See' }, image, file] },
      call,
      { type: 'function_call_output', call_id: 'c', output: [image] },
    ];
    expect((await post('/v1/responses', { model: 'eyes', input })).status).toBe(200);
    expect(lastMessage()).toMatchObject({ role: 'tool', content: '', attachments: [picture(0)] });
    const { prompt } = service.engine.calls.at(-1)?.request ?? {};
    expect(prompt).toMatchObject({
      messages: [{ content: 'See', attachments: [picture(3), picture(3)] }, {}, {}],
    });
  });

  it('of a message, also in the failed result of a tool', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: pictures['rgb.png'] },
    };
    const messages = [
      { role: 'user', content: [image, text('What?')] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: [text('Bad'), image] }],
      },
    ];
    const response = await service.app.request(...messageRequest({ model: 'eyes', messages }));
    expect(response.status).toBe(200);
    expect(lastMessage()).toMatchObject({ content: 'Error: Bad', attachments: [picture(10)] });
    const count = { path: '/v1/messages/count_tokens' };
    const counted = await service.app.request(
      ...messageRequest({ model: 'eyes', messages, max_tokens: undefined }, count),
    );
    expect(counted.status).toBe(200);
  });

  it('of Ollama, before the text', async () => {
    const images = [pictures['rgb.png'], pictures['base.jpg']];
    const messages = [{ role: 'user', content: 'Both?', images }];
    expect((await post('/api/chat', { model: 'eyes', messages })).status).toBe(200);
    expect(lastMessage()).toMatchObject({ content: 'Both?', attachments: [picture(0), picture(0)] });
    expect((await post('/api/generate', { model: 'eyes', prompt: 'One?', images: [images[0]] })).status).toBe(
      200,
    );
    expect(lastMessage()).toMatchObject({ content: 'One?', attachments: [picture(0)] });
  });

  it('as a recording does', async () => {
    const data = Buffer.from(writeWav(new Float32Array(160))).toString('base64');
    expect((await chat([{ type: 'input_audio', input_audio: { data, format: 'wav' } }], 'all')).status).toBe(
      200,
    );
    expect(lastMessage()).toMatchObject({ attachments: [{ kind: 'sound', offset: 0 }] });
  });
});

describe('refused is', () => {
  const image = (url: string) => [{ type: 'image_url', image_url: { url } }];
  const data = (file: Uint8Array) => `data:image/png;base64,${Buffer.from(file).toString('base64')}`;
  const bomb = Uint8Array.from(png);
  bomb.set([0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0], 16);

  it('a picture for a model that does not see, and named are those that do', async () => {
    const error = await errorOf(await chat([part], 'tiny'));
    expect(error).toMatchObject({
      status: 400,
      code: 'unsupported_content',
      param: 'messages[0].content[0]',
    });
    expect(error.message).toContain("use 'eyes' or 'all'");
    const sound = [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } }];
    expect((await errorOf(await chat(sound))).message).toContain("use 'all'");
  });

  it.each([
    ['no picture', image(data(Buffer.from('hello'))), 'invalid_image', 'no picture in PNG'],
    ['a picture of too many pixels', image(data(bomb)), 'invalid_image', '100000 × 100000'],
    ['a picture without its end', image(data(png.subarray(0, 20))), 'invalid_image', 'cut off'],
    ['a picture of padding', image(data(padding)), 'invalid_image', 'does not say its size'],
    ['no address', image('picture.png'), 'invalid_value', 'must be a data: URL'],
    ['an address where none are fetched', image('https://example.com/a.png'), 'unsupported_value', 'imageUrls: true'],
    ['one picture too many', Array.from({ length: 200 }, () => part), 'invalid_value', 'a request may have 32'],
    ['no recording', [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }], 'invalid_audio', 'no WAV'],
  ])('%s', async (_what, content, code, reason) => {
    const error = await errorOf(await chat(content, 'all'));
    expect(error).toMatchObject({ status: 400, code });
    expect(error.param).toMatch(/^messages\[0\]\.content\[\d+\]$/);
    expect(error.message).toContain(reason);
    expect(service.engine.calls).toEqual([]);
  }); // prettier-ignore

  it('to list the tokens of a picture', async () => {
    const messages = [{ role: 'user', content: [part] }];
    expect(await errorOf(await post('/tokenize', { model: 'eyes', messages }))).toMatchObject({
      status: 400,
      code: 'unsupported_content',
    });
  });

  it('a large body only where no model sees', async () => {
    const large = 'x'.repeat(100_000);
    expect((await chat(large)).status).toBe(200);
    service = buildApp();
    expect((await chat(large, 'tiny')).status).toBe(413);
    service = buildApp({}, { catalog });
    expect((await chat('x'.repeat(2 ** 20), 'tiny')).status).toBe(413);
    expect((await post('/v1/embeddings', { model: 'tiny', input: large })).status).toBe(413);
  });
});

describe('a picture at an address', () => {
  let port = 0;
  const server = createServer((request, response) => {
    if (request.url === '/a.png') return response.setHeader('content-type', 'image/png').end(png);
    if (request.url === '/page') return response.setHeader('content-type', 'text/html').end('<p>');
    if (request.url === '/inside')
      return response.writeHead(302, { location: 'http://127.0.0.1/a.png' }).end();
    if (request.url === '/endless')
      return response.setHeader('content-type', 'image/png').write(Buffer.alloc(9));
    return response.writeHead(404).end();
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (url: string, remotePictures: RemotePictures) => {
    service = buildApp({}, { catalog, remotePictures });
    return chat([{ type: 'image_url', image_url: { url } }]);
  };
  /** Takes this machine for a public one, since no test reaches another. */
  const reaching = () => new RemotePictures({ env: {}, publicOnly: false, stallTimeoutMs: 200 });

  it('is fetched', async () => {
    expect((await ask(`http://127.0.0.1:${port}/a.png`, reaching())).status).toBe(200);
    expect(lastMessage()?.attachments?.[0]?.file).toEqual(Buffer.from(png));
  });

  it.each([
    ['/page', 'no picture at this address'],
    ['/nothing', 'does not exist'],
    ['/endless', 'sent nothing for'],
  ])('is refused where it is none: %s', async (path, reason) => {
    const error = await errorOf(await ask(`http://127.0.0.1:${port}${path}`, reaching()));
    expect(error).toMatchObject({ status: 400, code: 'invalid_image', param: 'messages[0].content[0]' });
    expect(error.message).toContain(reason);
  });

  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://10.0.0.1',
    'http://[::1]',
    'http://169.254.169.254',
  ])('is refused inside the network: %s', async (origin) => {
    const error = await errorOf(await ask(`${origin}:${port}/a.png`, new RemotePictures({ env: {} })));
    expect(error).toMatchObject({ status: 400, code: 'invalid_image' });
    expect(error.message).toContain('inside this machine or its network');
  });

  it('is refused where a name or a redirect leads into the network', async () => {
    const lookup: LookupFunction = (_host, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const inside = 'inside this machine or its network';
    const origin = `http://pictures.example:${port}`;
    const byName = await errorOf(await ask(`${origin}/a.png`, new RemotePictures({ env: {}, lookup })));
    expect(byName.message).toContain(inside);
    const trusting = new RemotePictures({ env: {}, lookup, publicOnly: false });
    expect((await ask(`${origin}/a.png`, trusting)).status).toBe(200);
    expect((await errorOf(await ask(`${origin}/inside`, trusting))).message).toContain(inside);
  });
});
