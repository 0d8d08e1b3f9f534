import type { Transcription } from '../../api/types.ts';
import { speechModels } from '../../state/models.ts';
import { userJson } from '../../state/session.ts';

/** The request about a recording. `language`: a code such as `en`; '': the model finds out. */
export function toForm(audio: Blob, name: string, model: string, language = ''): FormData {
  const form = new FormData();
  form.append('model', model);
  form.append('language', language || 'auto');
  form.append('file', audio, name);
  return form;
}

/** The words in a recording of the microphone, by the first speech model; '': none. Throws ApiError. */
export async function writeDown(clip: Blob, signal?: AbortSignal): Promise<string> {
  const body = toForm(clip, 'dictation.webm', speechModels.value[0]?.id ?? '');
  const options = { method: 'POST', body, signal };
  const { text } = await userJson<Pick<Transcription, 'text'>>('audio/transcriptions', options);
  return text.trim();
}
