import libavFactory from '@libav.js/variant-obsolete';
import type LibAV from '@libav.js/variant-obsolete';
import { DecodingError, TooLongError, type PcmSink } from './pcm-output.ts';

/**
 * FFmpeg's libraries as WebAssembly, in the build that has FLAC, MP3, Opus, Vorbis, Ogg and WebM. It has no AAC and no
 * MP4.
 */
type Libav = LibAV.LibAV;

interface AudioStream {
  readonly packets: readonly LibAV.Packet[];
  readonly format: LibAV.Stream;
}

const inputName = 'input';
/** Bytes of packets that are read, and decoded, at once. */
const batchBytes = 64 * 1024;
/** FFmpeg's numbers of codecs. */
const codecIds = { mp1: 0x1503a, mp2: 0x15000, mp3: 0x15001 };

/**
 * Decodes the first audio stream of `file` into `sink`. Throws DecodingError, and TooLongError before anything is
 * decoded when the stream lasts longer than `maxSeconds`.
 */
export async function decodeWithLibav(file: Uint8Array, maxSeconds: number, sink: PcmSink): Promise<void> {
  // oxlint-disable-next-line import/no-named-as-default-member -- Its types promise a named export that it has not.
  const libav = await libavFactory.LibAV({ noworker: true, nothreads: true });
  const { packets, format } = await readAudioStream(libav, file, maxSeconds);
  // The decoder of all three layers of MPEG audio is in this build under the name of the third only.
  const isOtherLayer = format.codec_id === codecIds.mp1 || format.codec_id === codecIds.mp2;
  const codecId = isOtherLayer ? codecIds.mp3 : format.codec_id;
  await libav.AVCodecParameters_codec_id_s(format.codecpar, codecId);
  const [, context, packet, frame] = await libav
    .ff_init_decoder(codecId, {
      codecpar: format.codecpar,
      time_base: [format.time_base_num, format.time_base_den],
    })
    .catch(notUnderstood);
  for (let begin = 0; begin <= packets.length;) {
    const end = batchEnd(packets, begin);
    const isLast = end === packets.length;
    const batch = packets.slice(begin, end);
    const options = { fin: isLast, ignoreErrors: true };
    const frames = await libav.ff_decode_multi(context, packet, frame, batch, options);
    for (const decoded of frames) {
      if (!(await sink.write(toMono(decoded), decoded.sample_rate ?? 0))) return;
    }
    if (isLast) return;
    begin = end;
  }
}

/** All packets of the first audio stream, not decoded. Throws TooLongError when they last longer than `maxSeconds`. */
async function readAudioStream(libav: Libav, file: Uint8Array, maxSeconds: number): Promise<AudioStream> {
  await libav.writeFile(inputName, file);
  const [demuxer, streams] = await libav.ff_init_demuxer_file(inputName).catch(notUnderstood);
  const format = streams.find(({ codec_type }) => codec_type === libav.AVMEDIA_TYPE_AUDIO);
  if (format === undefined) throw new DecodingError('it has no audio track');
  const reading = await libav.av_packet_alloc();
  const packets: LibAV.Packet[] = [];
  let units = 0;
  let previousPts = 0;
  for (;;) {
    const [result, read] = await libav.ff_read_frame_multi(demuxer, reading, { limit: batchBytes });
    for (const packet of read[format.index] ?? []) {
      // The durations of the packets are added up, since the length in the file's header may be wrong or missing. Some
      // packets in WebM have no duration: then the time since the one before counts.
      const { duration = 0, pts = 0 } = packet;
      units += duration > 0 ? duration : Math.max(0, pts - previousPts);
      previousPts = Math.max(previousPts, pts);
      // Side data would make the decoder cut off the silence that encoders add at both ends. Without it the length is
      // the one that ffprobe tells.
      packet.side_data = null;
      packets.push(packet);
    }
    if ((units * format.time_base_num) / format.time_base_den > maxSeconds) throw new TooLongError();
    if (result !== 0 && result !== -libav.EAGAIN) return { packets, format };
  }
}

/** Where the batch of packets that begins at `begin` ends. */
function batchEnd(packets: readonly LibAV.Packet[], begin: number): number {
  let end = begin;
  for (let bytes = 0; end < packets.length && bytes < batchBytes; end++) {
    bytes += packets[end]?.data.length ?? 0;
  }
  return end;
}

function notUnderstood(cause: unknown): never {
  throw new DecodingError('it is damaged, or its format needs ffmpeg, which this server does not have', {
    cause,
  });
}

/** The mean of all channels of a decoded frame. */
function toMono(frame: LibAV.Frame): Float32Array {
  const planes = (Array.isArray(frame.data) ? frame.data : [frame.data]) as SampleArray[];
  const count = frame.nb_samples ?? 0;
  const mono = new Float32Array(count);
  for (const plane of planes) {
    // There is one plane per channel, or one plane in which the channels' samples alternate.
    const turns = planes.length > 1 ? 1 : Math.max(1, Math.floor(plane.length / Math.max(1, count)));
    const scale = 1 / (fullScale(plane) * turns * planes.length);
    for (let index = 0; index < count * turns; index++) {
      const position = Math.floor(index / turns);
      mono[position] = (mono[position] ?? 0) + (plane[index] ?? 0) * scale;
    }
  }
  return mono;
}

type SampleArray = Float32Array | Float64Array | Int16Array | Int32Array;

function fullScale(samples: SampleArray): number {
  if (samples instanceof Int16Array) return 2 ** 15;
  return samples instanceof Int32Array ? 2 ** 31 : 1;
}
