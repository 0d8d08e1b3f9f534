import { beforeAll, describe, expect, it } from 'vitest';
import { completeChat, streamChat, textOf } from '../../support/server/chat-client.ts';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';

const chat = useSharedServer();

describe.for(chatModelIds)('stop sequences on %s', (model) => {
  const prompt = 'Once upon a time there was a little house';
  const options = { max_tokens: 60, temperature: 0, ignore_eos: true } as const;
  /** The model's text without any stop sequence, in the pieces in which it comes. */
  let pieces: readonly string[];
  let text: string;

  beforeAll(async () => {
    ({ pieces, text } = await streamChat(chat().client, model, prompt, options));
    expect(pieces.length).toBeGreaterThan(20);
  });

  /** The text up to `stop`, streamed and in one piece, which must agree. */
  async function textUntil(stop: string | string[]): Promise<{ text: string; finishReason: string | null }> {
    const streamed = await streamChat(chat().client, model, prompt, { ...options, stop });
    const whole = await completeChat(chat().client, model, prompt, { ...options, stop });
    expect(streamed.text).toBe(textOf(whole));
    expect(streamed.finishReason).toBe(whole.choices[0]?.finish_reason);
    return { text: streamed.text, finishReason: streamed.finishReason };
  }

  it('that span pieces never leak, not even their beginning', async () => {
    for (const [start, length] of [
      [3, 2],
      [6, 3],
      [10, 4],
      [15, 5],
    ] as const) {
      const spanned = pieces.slice(start, start + length).join('');
      // From within the first piece to within the last one.
      const stop = Array.from(spanned).slice(1, -1).join('') || spanned;
      expect(await textUntil(stop)).toEqual({
        text: text.slice(0, text.indexOf(stop)),
        finishReason: 'stop',
      });
    }
  });

  it('of several, the one that comes first counts', async () => {
    const early = pieces.slice(5, 7).join('');
    const late = pieces.slice(12, 15).join('');
    const expected = text.slice(0, Math.min(text.indexOf(early), text.indexOf(late)));
    expect(await textUntil([late, 'never in the text', early])).toEqual({
      text: expected,
      finishReason: 'stop',
    });
  });

  it('that only begin to match hold nothing back in the end', async () => {
    const almost = `${pieces.slice(8, 11).join('')}\u0000`;
    const plain = await textUntil([almost, `${text.slice(-3)}\u0000`]);
    expect(plain.text).toBe(text);
  });

  it('up to 16 are taken, more are refused', async () => {
    const many = Array.from({ length: 16 }, (_, index) => `never ${index}`);
    expect((await textUntil(many)).text).toBe(text);
    await expect(
      completeChat(chat().client, model, prompt, { ...options, stop: [...many, 'x'] }),
    ).rejects.toMatchObject({ status: 400 });
  });
});
