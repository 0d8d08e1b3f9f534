import { describe, expect, it } from 'vitest';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const markers = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>', '<|file_sep|>', '<|repo_name|>'];
const chat = useChatServer({ models: async () => ({ coder: await tinyModel({ controlTexts: markers }) }) });

const complete = (model: string, options: Record<string, unknown>) =>
  chat().client.completions.create({ model, prompt: 'def add(a, b):', temperature: 0, ...options });

describe('a suffix', () => {
  const suffix = '\n    return sum';

  it('is put behind the prompt, between the tokens of the model', async () => {
    const filled = await complete('coder', { suffix });
    const spelledOut = await complete('coder', {
      prompt: `<|fim_prefix|>def add(a, b):<|fim_suffix|>${suffix}<|fim_middle|>`,
    });
    expect(filled.choices[0]?.text).toBe(spelledOut.choices[0]?.text);
    expect(filled.usage?.prompt_tokens).toBe(spelledOut.usage?.prompt_tokens);
    const plain = await complete('coder', {});
    expect(filled.choices[0]?.text).not.toBe(plain.choices[0]?.text);
  });

  it('and its prompt are taken literally', async () => {
    const [marked, plain] = [
      await complete('coder', { prompt: '<|fim_middle|>', suffix: '<|fim_prefix|>' }),
      await complete('coder', { prompt: '<|fim_middle|>' }),
    ];
    expect(plain.usage?.prompt_tokens).toBe(1);
    expect(marked.usage?.prompt_tokens).toBeGreaterThan(3 + 2 * 5);
  });

  it('that is empty asks for nothing', async () => {
    const [empty, none] = [await complete('tiny', { suffix: '' }), await complete('tiny', {})];
    expect(empty.choices[0]?.text).toBe(none.choices[0]?.text);
  });

  it('is refused where the model cannot write towards it', async () => {
    await expect(complete('tiny', { suffix })).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'suffix',
    });
  });
});

describe('/infill', () => {
  const post = async (body: object) => {
    const { baseUrl, apiKey } = chat().server;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    return await fetch(new URL('/infill', baseUrl), { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const gap = {
    input_prefix: 'def add(a, b):',
    input_suffix: '\n    return sum',
    n_predict: 8,
    temperature: 0,
  };

  it('fills a gap as a completion with a suffix does, by a model that can, whole and streamed', async () => {
    const expected = await complete('coder', { suffix: gap.input_suffix, max_tokens: 8 });
    const whole = (await (await post(gap)).json()) as { content: string };
    expect(whole).toMatchObject({
      content: expected.choices[0]?.text,
      stop: true,
      model: 'coder',
      tokens_evaluated: expected.usage?.prompt_tokens,
      timings: { predicted_n: expected.usage?.completion_tokens },
    });
    const events = (await (await post({ ...gap, stream: true })).text()).matchAll(/^data: (.*)$/gm);
    const pieces = [...events].map(([, data = '']) => JSON.parse(data) as { content: string; stop: boolean });
    expect(pieces.map(({ content }) => content).join('')).toBe(whole.content);
    expect(pieces.map(({ stop }) => stop)).toEqual([...pieces.slice(1).map(() => false), true]);
  });

  it('shows the model other files and the beginning of the gap, each between its tokens', async () => {
    const input_extra = [{ filename: 'a.py', text: 'sum = 1' }];
    const shown = (await (
      await post({ ...gap, model: 'coder', input_extra, prompt: ' sum' })
    ).json()) as object;
    const spelledOut = await complete('coder', {
      prompt: `<|repo_name|>project\n<|file_sep|>a.py\nsum = 1\n<|file_sep|><|fim_prefix|>${gap.input_prefix}<|fim_suffix|>${gap.input_suffix}<|fim_middle|> sum`,
      max_tokens: 8,
    });
    expect(shown).toMatchObject({
      content: spelledOut.choices[0]?.text,
      tokens_evaluated: spelledOut.usage?.prompt_tokens,
    });
  });

  it('gives only the fields that are asked for, under their paths', async () => {
    const response = await post({ ...gap, response_fields: ['content', 'timings/prompt_n', 'nothing'] });
    expect(Object.keys((await response.json()) as object)).toEqual(['content', 'timings/prompt_n']);
  });

  it('is refused by a model without such tokens, and with wrong bodies', async () => {
    for (const [body, param] of [
      [{ ...gap, model: 'tiny' }, 'input_suffix'],
      [{ ...gap, input_prefix: 1 }, 'input_prefix'],
      [{ ...gap, input_extra: [{ text: 1 }] }, 'input_extra[0].text'],
      [{ ...gap, n_predict: -2 }, 'n_predict'],
    ] as const) {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param } });
    }
  });

  it('and who can, is told as `insert` to Ollama’s programs', async () => {
    const { baseUrl, apiKey } = chat().server;
    const response = await fetch(new URL('/api/tags', baseUrl), {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { models } = (await response.json()) as { models: { name: string; capabilities: string[] }[] };
    const capable = models.filter(({ capabilities }) => capabilities.includes('insert'));
    expect(capable.map(({ name }) => name)).toEqual(['coder:latest']);
  });
});
