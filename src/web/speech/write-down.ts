import type { Transcription } from '../api/types.ts';
import { speechModels } from '../state/models.ts';
import { userJson } from '../state/session.ts';

/** The words in a recording of the microphone, by the first speech model; '': none. Throws ApiError. */
export async function writeDown(clip: Blob, signal?: AbortSignal): Promise<string> {
  const form = new FormData();
  form.append('model', speechModels.value[0]?.id ?? '');
  form.append('language', 'auto');
  form.append('file', clip, 'dictation.webm');
  const { text } = await userJson<Pick<Transcription, 'text'>>('audio/transcriptions', {
    method: 'POST',
    body: form,
    signal,
  });
  return text.trim();
}
