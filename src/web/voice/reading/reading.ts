import { signal } from '@preact/signals';
import { importPart } from '../../api/connection.ts';
import { liveAnswers } from '../../chat/answers/answer.ts';
import type { ChatSettings, Message } from '../../chat/conversations/conversation.ts';
import { conversations } from '../../chat/conversations/store.ts';
import { voiceModels } from '../../state/models.ts';
import { messageOf } from '../../state/polled.ts';
import { afterMs } from '../../state/after-ms.ts';
import { speak, type VoiceWish } from './speaking.ts';

/** The answer that is read aloud now. */
export const reading = signal<{ readonly messageId: string; readonly isHeard: boolean } | undefined>(
  undefined,
);
/** Why the last answer was not read, or not to its end. */
export const readingProblem = signal<string | undefined>(undefined);

let leaving: AbortController | undefined;

export function stopReading(): void {
  leaving?.abort();
  reading.value = undefined;
}

/** Reads the answer of that id aloud, also while it is being written; resolves when that is over. An answer that was read before is stopped. */
export async function readAloud(messageId: string): Promise<void> {
  stopReading();
  const own = new AbortController();
  leaving = own;
  readingProblem.value = undefined;
  reading.value = { messageId, isHeard: false };
  const { settings = {} } =
    conversations.value.find(({ messages }) => messages.some(({ id }) => id === messageId)) ?? {};
  try {
    await speak(sentencesOf(messageId, own.signal), toWish(settings), own.signal, () => {
      if (leaving === own && reading.value?.isHeard === false) reading.value = { messageId, isHeard: true };
    });
  } catch (error) {
    if (leaving === own) readingProblem.value = messageOf(error);
  }
  own.abort();
  if (leaving === own) reading.value = undefined;
}

/** Who speaks in a chat with those settings. */
export function toWish({ voiceModel, voice }: ChatSettings): VoiceWish {
  const model = voiceModels.value.find(({ id }) => id === voiceModel) ?? voiceModels.value[0];
  return { model: model?.id ?? '', voice };
}

const lookAgainMs = 150;
/** In characters. Sentences that wait are asked for together up to here: fewer requests, and a steadier voice. */
const mostTogether = 400;

/** The sentences of an answer, each as soon as it is written; ends with the answer. */
async function* sentencesOf(messageId: string, left: AbortSignal): AsyncGenerator<string> {
  // The reader of Markdown is loaded with the first answer that is read.
  const { toSentences } = await importPart(() => import('./sentences.ts'));
  let told = 0;
  while (!left.aborted) {
    const live = liveAnswers.value.find(({ message }) => message.id === messageId)?.message;
    const message = live ?? findMessage(messageId);
    const growing = live !== undefined || message?.stream !== undefined;
    const sentences = toSentences(message?.content ?? '', growing);
    let [text, next] = sentences.slice(told);
    if (text === undefined) {
      if (!growing) return;
      await afterMs(lookAgainMs);
      continue;
    }
    told += 1;
    // The first one is asked for alone, so that it is heard soon.
    while (told > 1 && next !== undefined && text.length + next.length < mostTogether) {
      text += ` ${next}`;
      told += 1;
      next = sentences[told];
    }
    yield text;
  }
}

function findMessage(messageId: string): Message | undefined {
  for (const { messages } of conversations.value) {
    const message = messages.find(({ id }) => id === messageId);
    if (message !== undefined) return message;
  }
  return undefined;
}
