import { describe, expect, it } from 'vitest';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const markers = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>', '<|file_sep|>', '<|repo_name|>'];
const chat = useChatServer({ models: async () => ({ coder: await tinyModel({ controlTexts: markers }) }) });

const complete = (model: string, options: Record<string, unknown>) =>
  chat().client.completions.create({ model, prompt: 'def add(a, b):', temperature: 0, ...options });

const postTo = (path: string) => (body: object) => {
  const { baseUrl, apiKey } = chat().server;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return fetch(new URL(path, baseUrl), { method: 'POST', headers, body: JSON.stringify(body) });
};

interface Written {
  readonly content: string;
  readonly stop: boolean;
  readonly tokens_evaluated: number;
  readonly completion_probabilities?: readonly { readonly token: string; readonly top_logprobs: object[] }[];
}

const eventsOf = async (response: Response): Promise<Written[]> =>
  [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Written);

describe('/completion', () => {
  const post = postTo('/completion');
  const ask = async (body: object): Promise<Written> =>
    (await (await post({ model: 'tiny', n_predict: 8, temperature: 0, ...body })).json()) as Written;

  it('continues a text or tokens as /v1/completions does, whole and streamed', async () => {
    const expected = await complete('tiny', { prompt: 'Once upon', max_tokens: 8 });
    const [choice] = expected.choices;
    const whole = await ask({ prompt: 'Once upon', n_probs: 2 });
    expect(whole).toMatchObject({
      content: choice?.text,
      stop: true,
      model: 'tiny',
      stop_type: choice?.finish_reason === 'length' ? 'limit' : 'eos',
      tokens_evaluated: expected.usage?.prompt_tokens,
      tokens_predicted: expected.usage?.completion_tokens,
    });
    const told = whole.completion_probabilities ?? [];
    expect(told).toHaveLength(expected.usage?.completion_tokens ?? 0);
    const response_fields = ['completion_probabilities'];
    expect(await ask({ prompt: 'Once upon', n_probs: 2, response_fields })).toEqual({
      completion_probabilities: told,
    });
    expect(told.map(({ top_logprobs }) => top_logprobs.length)).toEqual(told.map(() => 2));

    const { tokens } = (await (await postTo('/tokenize')({ model: 'tiny', prompt: 'Once upon' })).json()) as {
      tokens: number[];
    };
    expect((await ask({ prompt: tokens })).content).toBe(whole.content);

    const events = await eventsOf(
      await post({
        model: 'tiny',
        prompt: 'Once upon',
        n_predict: 8,
        temperature: 0,
        n_probs: 2,
        stream: true,
      }),
    );
    expect(events.map(({ content }) => content).join('')).toBe(whole.content);
    expect(events.flatMap((event) => event.completion_probabilities ?? [])).toEqual(told);
    expect(events.map(({ stop }) => stop)).toEqual([...events.slice(1).map(() => false), true]);
  });

  it('answers what /apply-template makes of a conversation as the chat does', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'Hello' },
    ];
    const rendered = await postTo('/apply-template')({ model: 'tiny', messages });
    const { prompt } = (await rendered.json()) as { prompt: string };
    expect(prompt).toContain('Be brief.');
    const answer = await chat().client.chat.completions.create({ model: 'tiny', messages, max_tokens: 8, temperature: 0 });
    const written = await ask({ prompt });
    expect(written.content).toBe(answer.choices[0]?.message.content);
    expect(written.tokens_evaluated).toBe(answer.usage?.prompt_tokens);
  }); // prettier-ignore

  it('draws anew with the seed -1, and the same with any other', async () => {
    const wild = { prompt: 'Once', temperature: 2, top_k: 0, top_p: 1, min_p: 0, n_predict: 12 };
    const draw = async (seed: number) => (await ask({ ...wild, seed })).content;
    expect(await draw(-1)).not.toBe(await draw(-1));
    expect(await draw(4_294_967_295)).not.toBe(await draw(4_294_967_295));
    expect(await draw(-2)).toBe(await draw(-2));
    const { n_predict: num_predict, prompt, ...sampling } = wild;
    const drawAtOllama = async (seed: number) => {
      const body = {
        model: 'tiny',
        raw: true,
        stream: false,
        prompt,
        options: { ...sampling, num_predict, seed },
      };
      return ((await (await postTo('/api/generate')(body)).json()) as { response: string }).response;
    };
    expect(await drawAtOllama(-1)).not.toBe(await drawAtOllama(-1));
    expect(await drawAtOllama(7)).toBe(await drawAtOllama(7));
  });

  it('takes biases as pairs, and a form for the answer', async () => {
    const [first = 0] = ((await (await postTo('/tokenize')({ model: 'tiny', content: 'Z' })).json()) as { tokens: number[] }).tokens;
    expect((await ask({ prompt: 'Once', n_predict: 3, logit_bias: [[first, 100]] })).content).toBe('ZZZ');
    expect((await ask({ prompt: 'Once', grammar: 'root ::= "yes"' })).content).toBe('yes');
    expect((await ask({ prompt: 'Once', json_schema: { const: 7 } })).content).toBe('7');
  }); // prettier-ignore

  it('takes all that programs for llama-server send, and names what has no effect', async () => {
    const response = await post({
      prompt: 'Once', n_predict: 2, stop: [], seed: -1, logit_bias: [], typical_p: 1, repeat_last_n: 64,
      repeat_penalty: 1.1, dynatemp_range: 0, dynatemp_exponent: 1, n_keep: 0, n_cmpl: 1, n_cache_reuse: 0, n_indent: 0,
      dry_multiplier: 0, dry_base: 1.75, dry_allowed_length: 2, dry_penalty_last_n: 64, dry_sequence_breakers: ['\n'],
      mirostat: 0, mirostat_tau: 5, mirostat_eta: 0.1, min_keep: 0, t_max_predict_ms: 0, id_slot: -1, return_tokens: false,
      samplers: ['top_k'], timings_per_token: false, return_progress: false, post_sampling_probs: false, lora: [],
      ignore_eos: false, cache_prompt: true, sse_ping_interval: 30, top_n_sigma: -1, api_key: '',
    }); // prettier-ignore
    expect(response.status, await response.clone().text()).toBe(200);
    expect(response.headers.get('x-ignored-parameters')).toContain('mirostat');
  });

  it('is refused with wrong bodies', async () => {
    for (const [body, param] of [
      [{ prompt: 7 }, 'prompt'],
      [{ prompt: ['one', 'two'] }, 'prompt'],
      [{ prompt: 'a', n_probs: 21 }, 'n_probs'],
      [{ prompt: 'a', n_predict: -2 }, 'n_predict'],
      [{ prompt: 'a', logit_bias: [['Hello', 1]] }, 'logit_bias'],
      [{ prompt: 'a', logit_bias: [7] }, 'logit_bias'],
      [{ prompt: 'a', grammar: 'root ::= "' }, 'grammar'],
      [{ prompt: [99_999_999] }, 'prompt[0]'],
    ] as const) {
      const response = await post({ model: 'tiny', ...body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param } });
    }
  });
});

describe('/infill', () => {
  const post = postTo('/infill');
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
    const pieces = await eventsOf(await post({ ...gap, stream: true }));
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
