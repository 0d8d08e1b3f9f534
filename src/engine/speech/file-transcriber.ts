import type { AudioDecoder } from '../audio/audio-decoder.ts';
import type { AudioFile } from '../audio/audio-file.ts';
import {
  sampleRateHz,
  type SpeechEngine,
  type TranscriptionEnd,
  type TranscriptionRequest,
} from './transcription-types.ts';
import { FairTurns, type TurnLimits } from '../queue/fair-turns.ts';
import { RunningWork } from '../queue/running-work.ts';
import { shuttingDown } from '../../errors/unavailable.ts';
import { brokenOff } from '../generation/generation.ts';

type OnProgress = Parameters<SpeechEngine['transcribe']>[2];

export interface FileTranscriptionRequest extends Omit<TranscriptionRequest, 'samples'> {
  readonly file: AudioFile;
}

/** Transcribes files that somebody sent. */
export interface Transcriber {
  /**
   * How the transcription ended; never rejects. Failures are AppErrors: those of SpeechEngine, invalid_audio and
   * audio_too_long. The file is no longer needed then.
   */
  transcribe(
    request: FileTranscriptionRequest,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TranscriptionEnd>;
}

export interface FileTranscriberOptions extends TurnLimits {
  readonly decoder: Pick<AudioDecoder, 'decode'>;
  readonly speech: Pick<SpeechEngine, 'transcribe'>;
}

/**
 * Decodes files and has them transcribed, `parallel` at a time. Decoded audio is large (230 MB an hour), so waiting
 * files stay on the disk. The key that was served least goes first.
 */
export class FileTranscriber implements Transcriber {
  readonly #options: FileTranscriberOptions;
  readonly #turns: FairTurns;
  readonly #work = new RunningWork();

  constructor(options: FileTranscriberOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options);
  }

  transcribe(
    request: FileTranscriptionRequest,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TranscriptionEnd> {
    return this.#work.run(signal, (ending) => this.#run(request, ending, onProgress));
  }

  /** Ends all work, after `graceMs` at the latest. To be called before the speech engine is closed. */
  close(graceMs: number): Promise<void> {
    return this.#work.close(graceMs);
  }

  async #run(
    { file, ...request }: FileTranscriptionRequest,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TranscriptionEnd> {
    const { decoder, speech } = this.#options;
    try {
      if (this.#work.isClosed) throw shuttingDown();
      return await this.#turns.take(request, signal, async (charge) => {
        const samples = await decoder.decode(file, signal);
        charge(samples.length / sampleRateHz);
        return await speech.transcribe({ ...request, samples }, signal, onProgress);
      });
    } catch (cause) {
      const failure = 'The audio could not be transcribed. Try it again.';
      return brokenOff(signal, cause, { audioSeconds: 0 }, failure);
    }
  }
}
