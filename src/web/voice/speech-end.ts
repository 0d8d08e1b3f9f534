/** Least root mean square of samples in -1..1 that may be speech. */
const leastLevel = 0.012;
/** Speech is this many times as loud as the noise of the room. */
const aboveNoise = 3;
/** A shorter sound is a cough, or a key that is pressed. */
const leastSpeechMs = 250;
/** Silence after which somebody has said all they wanted to. */
const endSilenceMs = 1200;

/** Levels by which the noise is known: of the last three seconds, in which who speaks has paused for breath. */
const noiseLevels = 60;

/** Tells by the level of the sound when somebody has spoken and is done. */
export class SpeechEnd {
  readonly #recent: number[] = [];
  #spokenMs = 0;
  #silentMs = 0;

  get hasBegun(): boolean {
    return this.#spokenMs >= leastSpeechMs;
  }

  /** Takes the level of the next `ms`, about 50; true: speech has ended. */
  take(level: number, ms: number): boolean {
    this.#recent.push(level);
    if (this.#recent.length > noiseLevels) this.#recent.shift();
    const isSpeech = level > Math.max(leastLevel, Math.min(...this.#recent) * aboveNoise);
    if (isSpeech) {
      this.#spokenMs += ms;
      this.#silentMs = 0;
    } else this.#silentMs += ms;
    const isOver = this.#silentMs >= endSilenceMs;
    if (isOver && !this.hasBegun) this.#spokenMs = 0;
    return isOver && this.hasBegun;
  }
}
