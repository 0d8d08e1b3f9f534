import type { GenerationChannel } from '../generation/generation-channel.ts';
import type { ServedModel } from '../model-backend.ts';
import type { EngineObserver } from '../observer.ts';
import { noMemory, type MemoryUse } from '../pool/memory-use.ts';
import { FairTurns, type TurnLimits } from '../queue/fair-turns.ts';
import {
  sampleRateHz,
  type TranscriptionEnd,
  type TranscriptionRequest,
} from '../speech/transcription-types.ts';
import { brokenOff, nothingComputed, type EmbeddingEnd, type Usage } from '../generation/generation.ts';
import type { AddressStatus } from '../pool/model-status.ts';
import type { EmbeddingRequest, GenerationRequest } from '../types.ts';
import type { SpeakingEnd, SpeakingRequest, SpokenPiece } from '../voice/speaking-types.ts';
import { embedUpstream } from './abilities/embed.ts';
import { speakUpstream } from './abilities/speak.ts';
import { transcribeUpstream } from './abilities/transcribe.ts';
import { estimatePromptTokens, estimateTextTokens, promptText } from './usage.ts';
import { UpstreamAnswer, type Upstream } from './abilities/upstream-answer.ts';

export interface UpstreamModelOptions extends TurnLimits, Upstream {
  readonly id: string;
  /** undefined: the one that the upstream tells. */
  readonly configuredContextTokens: number | undefined;
  readonly observer?: EngineObserver | undefined;
}

/** A model that other servers run. Requests beyond its `parallel` wait here for their turn. */
export class UpstreamModel implements ServedModel {
  readonly memory: MemoryUse = noMemory;
  readonly #options: UpstreamModelOptions;
  readonly #turns: FairTurns;

  constructor(options: UpstreamModelOptions) {
    this.#options = options;
    this.#turns = new FairTurns(options);
  }

  get slots(): number {
    return this.#options.parallel;
  }

  get busySlots(): number {
    return this.#turns.running;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  get contextTokens(): number | undefined {
    const { configuredContextTokens, addresses } = this.#options;
    return configuredContextTokens ?? addresses.contextTokens;
  }

  /** Never rejects. */
  readonly lookAgain = (): Promise<void> => this.#options.addresses.open();

  get addresses(): readonly AddressStatus[] {
    return this.#options.addresses.statuses;
  }

  get trouble(): string | undefined {
    return this.#options.addresses.trouble;
  }

  async generate(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    const askedAtMs = performance.now();
    const answer = new UpstreamAnswer(request, channel, this.#options);
    const running = this.#turns.take(request, channel.signal, async (charge) => {
      const waitMs = performance.now() - askedAtMs;
      try {
        await answer.run();
      } finally {
        charge(answer.roughTokens);
        this.#options.observer?.generationEnded(this.#options.id, { waitMs, gapMs: answer.gapMs });
      }
    });
    await answer.end(running);
  }

  /** Without the tokens that the chat template writes around texts; an estimate where the upstream has no tokenizer. */
  async countTokens(request: GenerationRequest, signal: AbortSignal): Promise<number> {
    const { addresses, connection } = this.#options;
    return await addresses.use(undefined, signal, async (address) => {
      const counted = await connection.countTokens(address, promptText(request));
      return counted ?? estimatePromptTokens(request);
    });
  }

  async embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingEnd> {
    try {
      return await this.#turns.take(request, signal, async (charge) => {
        const end = await embedUpstream(request, this.#options, signal);
        charge(end.usage.promptTokens);
        return { outcome: 'finished', ...end };
      });
    } catch (cause) {
      return brokenOff(signal, cause, { usage: nothingComputed });
    }
  }

  async transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<TranscriptionEnd> {
    const audioSeconds = request.samples.length / sampleRateHz;
    try {
      return await this.#turns.take(request, signal, async (charge) => {
        const transcript = await transcribeUpstream(request, this.#options, signal);
        charge(audioSeconds);
        return { outcome: 'finished', transcript, audioSeconds };
      });
    } catch (cause) {
      return brokenOff(signal, cause, { audioSeconds: 0 });
    }
  }

  async speak(
    request: SpeakingRequest,
    signal: AbortSignal,
    onPiece: (piece: SpokenPiece) => void,
  ): Promise<SpeakingEnd> {
    let spent = { usage: nothingComputed, audioSeconds: 0 };
    const usage = spokenText(request.text);
    try {
      return await this.#turns.take(request, signal, async (charge) => {
        try {
          await speakUpstream(request, this.#options, signal, (piece) => {
            const audioSeconds = spent.audioSeconds + piece.samples.length / piece.sampleRateHz;
            spent = { usage, audioSeconds };
            onPiece({ ...piece, usage });
          });
        } finally {
          charge(spent.audioSeconds);
        }
        return { outcome: 'finished', ...spent };
      });
    } catch (cause) {
      return brokenOff(signal, cause, spent);
    }
  }

  async dispose(): Promise<void> {
    this.#options.addresses.close();
  }
}

const spokenText = (text: string): Usage => ({
  ...nothingComputed,
  promptTokens: estimateTextTokens(text),
  source: 'estimated',
});
