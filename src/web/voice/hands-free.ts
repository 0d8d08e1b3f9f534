import { signal } from '@preact/signals';
import { liveIn } from '../chat/answers/answer.ts';
import { findConversation } from '../chat/conversations/store.ts';
import { writeDown } from '../speech/hearing/write-down.ts';
import { messageOf } from '../state/polled.ts';
import { voiceTexts } from './texts.ts';
import { listen } from './listening.ts';
import { openLoudspeakers } from './reading/player.ts';
import { readAloud, reading, readingProblem, stopReading } from './reading/reading.ts';

/** Whether the person talks with the model in the chat that is shown. */
export const isHandsFree = signal(false);

export function beginTalk(): void {
  // It is still the person's own press that opens them.
  openLoudspeakers();
  isHandsFree.value = true;
}

/** Whether the server is working on the last words. */
const isWorking = signal(false);
/** The microphone while the person talks with the model. */
export const heardMicrophone = signal<MediaStream | undefined>(undefined);

/** The last words that were said; '': there were none; undefined: they are not known yet. */
export const heardWords = signal<string | undefined>(undefined);

/** The phase of the talk: the model listens, thinks or speaks. */
export const currentPhase = (): 'listening' | 'thinking' | 'speaking' => {
  if (reading.value?.isHeard === true) return 'speaking';
  return isWorking.value ? 'thinking' : 'listening';
};

/**
 * Listens, asks the question, has the answer read, and listens again, until `left` is aborted or something fails.
 * `ask`: sends a question in the conversation of that id, or gives back why not.
 */
export async function talk(
  conversationId: string,
  ask: (question: string) => Promise<string | undefined>,
  left: AbortSignal,
): Promise<void> {
  let microphone: MediaStream | undefined;
  stopReading();
  readingProblem.value = undefined;
  heardWords.value = undefined;
  try {
    microphone = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => {
      throw new Error(voiceTexts.microphoneDenied);
    });
    heardMicrophone.value = microphone;
    while (!left.aborted) {
      isWorking.value = false;
      const clip = await listen(microphone, left);
      isWorking.value = true;
      heardWords.value = undefined;
      const question = await writeDown(clip, left);
      heardWords.value = question;
      if (question === '') continue;
      const problem = await ask(question);
      if (problem !== undefined) throw new Error(problem);
      if (!(await readAnswer(conversationId, left))) break;
    }
  } catch (error) {
    if (!left.aborted) readingProblem.value = messageOf(error);
  } finally {
    for (const track of microphone?.getTracks() ?? []) track.stop();
    // Who has ended it may have begun anew.
    if (heardMicrophone.value === microphone) heardMicrophone.value = undefined;
    if (!left.aborted) isHandsFree.value = false;
  }
}

/** Reads the answer that was begun just now; false: there is none, or it could not be read to its end. */
async function readAnswer(conversationId: string, left: AbortSignal): Promise<boolean> {
  const [live] = liveIn(conversationId);
  if (live === undefined) return false;
  left.addEventListener('abort', stopReading);
  await readAloud(live.message.id);
  left.removeEventListener('abort', stopReading);
  const answer = findConversation(conversationId)?.messages.find(({ id }) => id === live.message.id);
  return answer?.error === undefined && readingProblem.value === undefined;
}
