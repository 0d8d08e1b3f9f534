import type { Frame } from '@libav.js/variant-obsolete';
import type { Libav } from './libav.ts';

const outputName = 'output.mp3';
const bitRate = 96_000;
/** libav's channel layout of one channel. */
const monoLayout = 4;

/** Encodes what is written to it as one MP3 file. */
export class Mp3Encoder {
  readonly #libav: Libav;
  readonly #rateHz: number;
  readonly #context: number;
  readonly #frame: number;
  readonly #packet: number;
  readonly #frameSize: number;
  readonly #muxer: number;
  readonly #muxerFile: number;
  /** What does not fill a frame yet. */
  #rest = new Float32Array(0);
  #samples = 0;

  private constructor(
    libav: Libav,
    rateHz: number,
    encoder: readonly [context: number, frame: number, packet: number, frameSize: number],
    muxer: readonly [format: number, file: number],
  ) {
    this.#libav = libav;
    this.#rateHz = rateHz;
    [this.#context, this.#frame, this.#packet, this.#frameSize] = encoder;
    [this.#muxer, this.#muxerFile] = muxer;
  }

  static async open(libav: Libav, rateHz: number): Promise<Mp3Encoder> {
    const [, context, frame, packet, frameSize] = await libav.ff_init_encoder('libmp3lame', {
      ctx: {
        bit_rate: bitRate,
        sample_fmt: libav.AV_SAMPLE_FMT_FLTP,
        sample_rate: rateHz,
        channel_layout: monoLayout,
        channels: 1,
      },
      time_base: [1, rateHz],
    });
    const [muxer, , muxerFile] = await libav.ff_init_muxer({ filename: outputName, open: true }, [
      [context, 1, rateHz],
    ]);
    await libav.avformat_write_header(muxer, 0);
    return new Mp3Encoder(libav, rateHz, [context, frame, packet, frameSize], [muxer, muxerFile]);
  }

  async write(samples: Float32Array): Promise<void> {
    const joined = new Float32Array(this.#rest.length + samples.length);
    joined.set(this.#rest);
    joined.set(samples, this.#rest.length);
    const whole = joined.length - (joined.length % this.#frameSize);
    await this.#encode(joined.subarray(0, whole), false);
    this.#rest = joined.slice(whole);
  }

  /** The MP3 file. */
  async finish(): Promise<Uint8Array> {
    await this.#encode(this.#rest, true);
    await this.#libav.av_write_trailer(this.#muxer);
    await this.#libav.ff_free_muxer(this.#muxer, this.#muxerFile);
    return await this.#libav.readFile(outputName);
  }

  async #encode(samples: Float32Array, isLast: boolean): Promise<void> {
    const frames: Frame[] = [];
    for (let offset = 0; offset < samples.length; offset += this.#frameSize) {
      const data = samples.subarray(offset, offset + this.#frameSize);
      frames.push({
        data: [data],
        format: this.#libav.AV_SAMPLE_FMT_FLTP,
        sample_rate: this.#rateHz,
        channel_layout: monoLayout,
        channels: 1,
        nb_samples: data.length,
        pts: this.#samples,
        ptshi: 0,
      });
      this.#samples += data.length;
    }
    const packets = await this.#libav.ff_encode_multi(
      this.#context,
      this.#frame,
      this.#packet,
      frames,
      isLast,
    );
    await this.#libav.ff_write_multi(this.#muxer, this.#packet, packets);
  }
}
