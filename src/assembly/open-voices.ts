import type { LiveCatalog } from '../catalog/catalog.ts';
import type { Config } from '../config/types.ts';
import { AudioDecoder } from '../engine/audio/audio-decoder.ts';
import { mostVoiceSeconds } from '../engine/voice/speaking-types.ts';
import { can } from '../model-kinds.ts';
import type { Log } from '../telemetry/log.ts';
import { Voices } from '../voices/voices.ts';

/** The voices of the folders that the configuration and the catalog name; `configured` gives those named by hand. */
export function openVoices(
  { voicesDir }: Pick<Config, 'voicesDir'>,
  catalog: LiveCatalog,
  configured: () => Config['voices'],
  log: Log,
): Voices {
  return new Voices({
    configured,
    modelFiles: () =>
      catalog
        .list()
        .flatMap((model) => (can(model, 'speak') && model.path !== undefined ? [model.path] : [])),
    filesBeside: (folder) => catalog.filesIn(folder),
    folder: voicesDir,
    decoder: new AudioDecoder({ ffmpeg: undefined, maxSeconds: mostVoiceSeconds, log }),
  });
}
