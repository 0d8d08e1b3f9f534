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
