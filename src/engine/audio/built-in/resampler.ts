/** Zero crossings of the kernel on each side: more of them make the edge of the band steeper. */
const crossings = 32;
/** Kernel values between two zero crossings; places between two values are interpolated. */
const stepsPerCrossing = 512;
/** Where the band ends, as a part of the lower half rate: the rest is for the edge. */
const rolloff = 0.95;
/** Kaiser's shape parameter: frequencies beyond the band are attenuated by 90 dB. */
const kaiserBeta = 9;

/**
 * Changes the sample rate of a signal that comes in pieces, with a windowed sinc as an interpolating and
 * band-limiting filter (Julius O. Smith, Digital Audio Resampling). Output sample k lies at time k / outputRateHz;
 * n input samples give n × outputRateHz ÷ inputRateHz of them, rounded up.
 */
export class Resampler {
  /** Input samples per output sample. */
  readonly #step: number;
  /** Kernel values per input sample, and the gain that keeps the level. */
  readonly #kernelStep: number;
  readonly #gain: number;
  /** Input samples on each side that an output sample depends on. */
  readonly #reach: number;
  readonly #kernel: Float64Array;
  /** Input from index `#start` on, which begins with silence before the signal. */
  #window: Float32Array;
  #start: number;
  #inputCount = 0;
  #outputCount = 0;

  constructor(inputRateHz: number, outputRateHz: number) {
    this.#step = inputRateHz / outputRateHz;
    this.#gain = Math.min(1, outputRateHz / inputRateHz) * rolloff;
    this.#kernelStep = this.#gain * stepsPerCrossing;
    this.#reach = Math.ceil(crossings / this.#gain);
    this.#kernel = createKernel();
    this.#window = new Float32Array(this.#reach);
    this.#start = -this.#reach;
  }

  /** The output that `input` completes. */
  push(input: Float32Array): Float32Array {
    this.#inputCount += input.length;
    this.#append(input);
    // An output sample is complete when all input that it depends on is there.
    return this.#take(this.#inputCount - this.#reach);
  }

  /** The rest of the output; the signal is followed by silence. */
  finish(): Float32Array {
    this.#append(new Float32Array(this.#reach));
    return this.#take(this.#inputCount);
  }

  #append(input: Float32Array): void {
    const joined = new Float32Array(this.#window.length + input.length);
    joined.set(this.#window);
    joined.set(input, this.#window.length);
    this.#window = joined;
  }

  /** All output not taken so far that lies before `end`, a time in input samples. */
  #take(end: number): Float32Array {
    const output = new Float32Array(Math.max(0, Math.ceil(end / this.#step) - this.#outputCount));
    for (let index = 0; index < output.length; index++) {
      output[index] = this.#at((this.#outputCount + index) * this.#step);
    }
    this.#outputCount += output.length;
    const needed = Math.floor(this.#outputCount * this.#step) - this.#reach;
    const passed = Math.min(Math.max(0, needed - this.#start), this.#window.length);
    this.#window = this.#window.subarray(passed);
    this.#start += passed;
    return output;
  }

  /** The signal at `time`, in input samples. */
  #at(time: number): number {
    const first = Math.max(Math.ceil(time) - this.#reach, this.#start);
    const last = Math.min(Math.floor(time) + this.#reach, this.#start + this.#window.length - 1);
    let sum = 0;
    for (let index = first; index <= last; index++) {
      const position = Math.abs(time - index) * this.#kernelStep;
      const step = Math.floor(position);
      const left = this.#kernel[step];
      const right = this.#kernel[step + 1];
      if (left === undefined || right === undefined) continue;
      sum += (this.#window[index - this.#start] ?? 0) * (left + (right - left) * (position - step));
    }
    return sum * this.#gain;
  }
}

/** One side of the windowed sinc, from its peak of 1 to its last zero crossing. */
function createKernel(): Float64Array {
  const kernel = new Float64Array(crossings * stepsPerCrossing + 1);
  for (let index = 0; index < kernel.length; index++) {
    const phase = Math.PI * (index / stepsPerCrossing);
    const sinc = phase === 0 ? 1 : Math.sin(phase) / phase;
    const along = index / (kernel.length - 1);
    const window = besselI0(kaiserBeta * Math.sqrt(1 - along * along)) / besselI0(kaiserBeta);
    kernel[index] = sinc * window;
  }
  return kernel;
}

/** The modified Bessel function of the first kind of order 0, by its power series. */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let index = 1; term > sum * 1e-12; index++) {
    term *= (x / 2 / index) ** 2;
    sum += term;
  }
  return sum;
}
