import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether files of other formats than WAV can be made and measured here. */
export const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((program) => {
  try {
    execFileSync(program, ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

if (!hasFfmpeg)
  console.warn(
    'ffmpeg or ffprobe is missing (Debian: apt-get install ffmpeg): formats of audio but WAV are not tested',
  );

/** Converts with ffmpeg; `args`, parted by spaces, stand between input and output. */
export async function convert(input: string, output: string, args: string): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', '-i', input, ...args.split(' '), output]);
}

/** Files of these kinds in `folder`, made in one process save for those that have an input of their own. */
export async function convertAll(input: string, folder: string, kinds: readonly AudioKind[]): Promise<void> {
  const together = kinds.filter(([, args]) => !args.includes('-i '));
  const outputs = together.flatMap(([name, args]) => [...args.split(' '), path.join(folder, name)]);
  await run('ffmpeg', ['-v', 'error', '-y', '-i', input, ...outputs]);
  for (const [name, args] of kinds)
    if (args.includes('-i ')) await convert(input, path.join(folder, name), args);
}

export async function probeSeconds(file: string): Promise<number> {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file];
  return Number((await run('ffprobe', args)).stdout);
}

/** A kind of file: its name, and how ffmpeg makes it. */
type AudioKind = readonly [file: string, args: string];

/** The kinds that hearth decodes where there is no ffmpeg. */
export const builtInKinds: readonly AudioKind[] = [
  ['mono.flac', '-c:a flac'],
  ['stereo.flac', '-c:a flac -ac 2 -ar 44100'],
  ['stereo.mp3', '-c:a libmp3lame -ac 2 -ar 44100'],
  ['rate-8k.mp3', '-c:a libmp3lame -ar 8000'],
  ['rate-48k.mp3', '-c:a libmp3lame -ar 48000'],
  ['mp2.mpga', '-c:a mp2 -ar 48000 -f mp2'],
  ['mp3.mpga', '-c:a libmp3lame -ar 16000 -f mp3'],
  ['opus.ogg', '-c:a libopus'],
  ['vorbis.ogg', '-c:a libvorbis -ar 44100 -ac 2'],
  ['flac.ogg', '-c:a flac'],
  ['opus.webm', '-c:a libopus'],
  ['vorbis.webm', '-c:a libvorbis -ar 48000 -ac 2'],
  ['mu-law.wav', '-c:a pcm_mulaw -ar 8000'],
  ['float.wav', '-c:a pcm_f32le -ar 48000'],
  ['24-bit.wav', '-c:a pcm_s24le -ar 44100 -ac 2'],
];

/** The kinds that only ffmpeg decodes. */
export const ffmpegKinds: readonly AudioKind[] = [
  ['aac.mp4', '-c:a aac -ar 44100'],
  ['video.mp4', '-f lavfi -i testsrc=s=64x64 -t 3 -c:v mpeg4 -c:a aac'],
  ['stereo.m4a', '-c:a aac -ar 48000 -ac 2'],
  ['fragmented.m4a', '-c:a aac -movflags frag_keyframe+empty_moov -frag_duration 500000'],
  ['mp2.mpeg', '-c:a mp2 -ar 44100 -f mpeg'],
  // By its name MP3, by its content AAC without a container.
  ['adts.mp3', '-c:a aac -f adts'],
];

/** Every kind of file that is accepted. */
export const audioKinds: readonly AudioKind[] = [...builtInKinds, ...ffmpegKinds];
