import { can } from '../../model-kinds.ts';
import { sendForm } from '../send-form.ts';
import type { ServerConnection } from '../server-connection.ts';
import type { SpeechBackend, Transcription } from './backend.ts';

/** Transcribes with a model in the running server. Tells no progress: the API does not. */
export function speechServer(connection: ServerConnection): SpeechBackend {
  return {
    models: async () => (await connection.models()).filter((model) => can(model, 'transcribe')),
    async transcribe({ model, audio, language, prompt, temperature }, signal) {
      const fields = {
        model,
        language,
        temperature: String(temperature),
        ...(prompt !== undefined && { prompt }),
      };
      const form = { fields, path: audio.path, filename: `audio.${audio.extension}` };
      return (await sendForm(connection, '/audio/transcriptions', form, signal)) as Transcription;
    },
    close: async () => connection.close(),
  };
}
