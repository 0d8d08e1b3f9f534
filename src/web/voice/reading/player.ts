/** Of the sound that the server makes as `pcm`. */
export const sampleRateHz = 24_000;

/** Seconds that a sound is begun later, so that its next piece comes in time. */
const leastHeadStart = 0.1;
/** Where pieces come slower than they are heard, pauses are then this long and not as many. */
const mostHeadStart = 1.6;

let shared: AudioContext | undefined;

/** The page's way to the loudspeakers. Some browsers open it only while the person presses something. */
export function openLoudspeakers(): AudioContext {
  shared ??= new AudioContext({ sampleRate: sampleRateHz });
  void shared.resume();
  return shared;
}

/** Plays pieces of sound one after the other, without a gap where they come in time. */
export class Player {
  readonly #context = openLoudspeakers();
  readonly #waiting = new Set<AudioBufferSourceNode>();
  #endsAt = 0;
  #headStart = leastHeadStart;
  #onStop: (() => void) | undefined;

  /** Seconds of sound that have not been heard yet. */
  get secondsAhead(): number {
    return Math.max(0, this.#endsAt - this.#context.currentTime);
  }

  /** `begins`: it is the first piece of a sentence, for which a pause is nothing to be made up for. */
  play(samples: Int16Array, begins: boolean): void {
    const buffer = this.#context.createBuffer(1, samples.length, sampleRateHz);
    buffer.copyToChannel(
      Float32Array.from(samples, (sample) => sample / 32_768),
      0,
    );
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#context.destination);
    if (this.secondsAhead === 0) {
      if (!begins) this.#headStart = Math.min(mostHeadStart, this.#headStart * 2);
      this.#endsAt = this.#context.currentTime + this.#headStart;
    }
    source.start(this.#endsAt);
    this.#endsAt += buffer.duration;
    this.#waiting.add(source);
    source.addEventListener('ended', () => this.#waiting.delete(source));
  }

  /** Resolves when everything was heard, or stopped. */
  async ended(): Promise<void> {
    const last = [...this.#waiting].at(-1);
    if (last === undefined) return;
    await new Promise<void>((resolve) => {
      last.addEventListener('ended', () => resolve());
      // Loudspeakers that the browser has not opened yet end nothing.
      this.#onStop = resolve;
    });
  }

  stop(): void {
    for (const source of this.#waiting) source.stop();
    this.#waiting.clear();
    this.#onStop?.();
  }
}
