import { describe, expect, it } from 'vitest';
import { completeChat, streamChat, textOf } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const chat = useChatServer({ models: async () => ({ stray: await tinyModel({ strayBytes: true }) }) });
const seeds = [1, 2, 3, 4, 5, 6];
const prompt = 'Grüße! 昔々、小さな家が 🔥 ありました。';

describe('text whose characters span tokens', () => {
  it('is never split', async () => {
    for (const seed of seeds) {
      const options = { max_tokens: 80, min_tokens: 70, temperature: 1, seed };
      const { pieces, text } = await streamChat(chat().client, 'tiny', prompt, options);
      // The tiny model writes valid UTF-8 only: a replacement character is a character that was torn apart.
      // The last one may be incomplete, where max_tokens cut it.
      for (const piece of pieces.slice(0, -1)) expect(piece).not.toContain('\uFFFD');
      expect(pieces.at(-1)?.slice(0, -1)).not.toContain('\uFFFD');
      expect(text).toMatch(/\P{ASCII}{3}/u);
      for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      expect(text).toBe(textOf(await completeChat(chat().client, 'tiny', prompt, options)));
    }
  });

  it('really has tokens that end inside a character, and their bytes are told exactly', async () => {
    let splitTokens = 0;
    for (const seed of seeds) {
      const options = {
        max_tokens: 60,
        min_tokens: 50,
        temperature: 1,
        seed,
        logprobs: true,
        top_logprobs: 2,
      };
      const completion = await completeChat(chat().client, 'tiny', prompt, options);
      const tokens = completion.choices[0]?.logprobs?.content ?? [];
      const bytes = tokens.flatMap((token) => token.bytes ?? []);
      const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
      expect(withoutCutEnd(decoded)).toBe(withoutCutEnd(textOf(completion)));
      splitTokens += tokens.filter(({ bytes: own }) => !isValidUtf8(own ?? [])).length;
      for (const token of tokens) expect(token.logprob).toBeLessThanOrEqual(0);
    }
    expect(splitTokens).toBeGreaterThan(10);
  });

  it('streams the same text as in one piece even when the bytes are no UTF-8 at all', async () => {
    for (const seed of seeds) {
      const options = { max_tokens: 80, min_tokens: 70, temperature: 1, seed };
      const { pieces, text } = await streamChat(chat().client, 'stray', prompt, options);
      expect(text).toBe(textOf(await completeChat(chat().client, 'stray', prompt, options)));
      for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
    }
  });

  it('goes in unharmed too', async () => {
    // One token more or less per character: only exact tokenising gives the same text for the same prompt.
    const strange = 'e\u0301 👩‍👩‍👧 \u2028 \uFEFF \u0000 ﷽ 한국어 <|im_end|>';
    const options = { max_tokens: 20, temperature: 0 };
    const text = textOf(await completeChat(chat().client, 'tiny', strange, options));
    const parts = [{ type: 'text', text: strange }] as const;
    const asParts = await completeChat(
      chat().client,
      'tiny',
      [{ role: 'user', content: [...parts] }],
      options,
    );
    expect(textOf(asParts)).toBe(text);
  });
});

/** Without a last character that max_tokens may have cut. */
function withoutCutEnd(text: string): string {
  return text.replace(/\uFFFD+$/, '');
}

function isValidUtf8(bytes: readonly number[]): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}
