import { spawn } from 'node:child_process';
import { accessSync, constants, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wavHeader } from '../../engine/audio/wav-header.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { watchChild } from '../../engine/processes/watch-child.ts';

/** Takes a sound while it comes. Throws CliError, or anything when `signal` aborts. */
export type SoundOutput = (sound: Readable, signal: AbortSignal) => Promise<void>;

/** Programs that play sound; some of them read files only. */
const players = [
  { name: 'aplay', args: ['-q', '-'], reads: 'stdin' },
  { name: 'ffplay', args: ['-nodisp', '-autoexit', '-loglevel', 'error', '-i', 'pipe:0'], reads: 'stdin' },
  { name: 'paplay', args: [], reads: 'file' },
  { name: 'afplay', args: [], reads: 'file' },
] as const;

type Player = (typeof players)[number];

const toFile = 'write it to a file: -o FILE';

/** Where sound goes: to the file `name`, with - to standard output, without a name to who plays it. Throws CliError. */
export function findOutput(name: string | undefined): SoundOutput {
  if (name === '-') return (sound, signal) => pipeline(sound, process.stdout, { signal });
  if (name !== undefined) return (sound, signal) => writeSound(sound, name, signal);
  if (!process.stdout.isTTY)
    throw new CliError('sound is played on a terminal only', `${toFile}, or with -o - to standard output`);
  const player = players.find((one) => isThere(one.name));
  if (player !== undefined) return (sound, signal) => play(player, sound, signal);
  throw new CliError(`none of ${players.map((one) => one.name).join(', ')} is here to play sound`, toFile);
}

const isThere = (program: string) =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Writes the whole of it, or nothing. */
async function writeSound(sound: Readable, file: string, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(sound, createWriteStream(file), { signal });
    await tellLength(file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Writes the length into a WAV file that was streamed, when nobody knew it yet. */
async function tellLength(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { length } = wavHeader(0);
    const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    if (bytesRead < length || head.toString('latin1', 0, 4) !== 'RIFF') return;
    const { size } = await handle.stat();
    await handle.write(wavHeader(head.readUInt32LE(24), size - length), 0, length, 0);
  } finally {
    await handle.close();
  }
}

async function play(player: Player, sound: Readable, signal: AbortSignal): Promise<void> {
  if (player.reads === 'stdin') return await run(player, [], sound, signal);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hearth-say-'));
  try {
    const file = path.join(folder, 'sound.wav');
    await writeSound(sound, file, signal);
    await run(player, [file], undefined, signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(
  { name, args }: Player,
  files: readonly string[],
  sound: Readable | undefined,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(name, [...args, ...files], { stdio: ['pipe', 'ignore', 'pipe'] });
  const [ended, fed] = await Promise.allSettled([
    watchChild(child, { signal }),
    sound === undefined ? undefined : pipeline(sound, child.stdin),
  ]);
  signal.throwIfAborted();
  if (ended.status === 'rejected') throw ended.reason;
  const { exitCode, diagnostics } = ended.value;
  if (exitCode !== 0) throw new CliError(`${name} cannot play it: ${diagnostics.trim()}`, toFile);
  if (fed.status === 'rejected') throw fed.reason;
}
