import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AudioDecoder } from '../engine/audio/audio-decoder.ts';
import type { AudioFile } from '../engine/audio/audio-file.ts';
import { sampleRateHz } from '../engine/speech/transcription-types.ts';
import { leastVoiceSeconds } from '../engine/voice/speaking-types.ts';
import { AppError, invalidValue } from '../errors/errors.ts';
import { makeFolder } from '../private-files.ts';
import { errorCodeOf } from '../words/describe-error.ts';

export interface NamedVoice {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface Voice extends NamedVoice {
  readonly source: 'configuration' | 'folder' | 'upload';
}

export const voiceNamePattern = /^[a-z0-9_-]{1,64}$/;
/** Extensions of recordings: models read them without ffmpeg. */
export const voiceExtensions: readonly string[] = ['wav', 'mp3', 'flac', 'ogg', 'opus'];
/** Folder beside a model file with voices, each under its file's name. */
const folderBesideModels = 'voices';
/** Names of files in such folders that are no accident of the system. */
const fileNamePattern = /^[\p{L}\p{N}_-][\p{L}\p{N} ._-]{0,63}$/u;
/** A recording that is never louder than this holds nobody's voice. */
const silence = 0.001;

export interface VoicesOptions {
  /** Those of the configuration. */
  readonly configured: () => readonly NamedVoice[];
  /** Files of models that speak. */
  readonly modelFiles: () => readonly string[];
  /** Names of the files in a folder beside them; none where it does not exist or does not answer. */
  readonly filesBeside: (folder: string) => Promise<readonly string[]>;
  readonly folder: string;
  /** Takes the formats that models take, and refuses sound that is longer than `mostVoiceSeconds`. */
  readonly decoder: Pick<AudioDecoder, 'decode'>;
}

export class Voices {
  readonly #options: VoicesOptions;
  readonly #coming = new Set<string>();

  constructor(options: VoicesOptions) {
    this.#options = options;
  }

  /** Those of the configuration first, as they stand there, then those beside models, then uploads; each name once. */
  async list(): Promise<readonly Voice[]> {
    const { configured, modelFiles, filesBeside, folder } = this.#options;
    const folders = new Set(modelFiles().map((file) => path.join(path.dirname(file), folderBesideModels)));
    const beside = await Promise.all(
      [...folders].map(async (one) => recordingsAmong(one, await filesBeside(one))),
    );
    const all: readonly Voice[] = [
      ...configured().map((voice) => ({ ...voice, source: 'configuration' as const })),
      ...beside.flat().map((voice) => ({ ...voice, source: 'folder' as const })),
      ...uploadsAmong(folder, await filesIn(folder)).map((voice) => ({
        ...voice,
        source: 'upload' as const,
      })),
    ];
    const byName = new Map<string, Voice>();
    for (const voice of all) if (!byName.has(voice.name)) byName.set(voice.name, voice);
    return [...byName.values()];
  }

  /** Takes a recording over, once it was decoded. Throws AppError: it is no voice, or there is one of this name. */
  async add(name: string, file: AudioFile, signal: AbortSignal): Promise<Voice> {
    if (this.#coming.has(name)) throw taken(name);
    this.#coming.add(name);
    try {
      if ((await this.list()).some((voice) => voice.name === name)) throw taken(name);
      return await this.#keep(name, file, signal);
    } finally {
      this.#coming.delete(name);
    }
  }

  async #keep(name: string, file: AudioFile, signal: AbortSignal): Promise<Voice> {
    const { extension } = file;
    if (!voiceExtensions.includes(extension))
      throw new AppError(
        'unsupported_file',
        `The name of the file must end in one of ${voiceExtensions.map((one) => `.${one}`).join(', ')}.`,
        { param: 'file' },
      );
    checkRecording(await this.#options.decoder.decode(file, signal));
    const { folder } = this.#options;
    makeFolder(folder, 0o700);
    const kept = path.join(folder, `${name}.${extension}`);
    await rename(file.path, kept);
    return { name, path: kept, source: 'upload' };
  }

  /** Throws not_found, and invalid_value for a voice that was not uploaded. */
  async remove(name: string): Promise<void> {
    const voice = (await this.list()).find((one) => one.name === name);
    if (voice === undefined)
      throw new AppError('not_found', 'There is no such voice. It may have been deleted.');
    if (voice.source !== 'upload')
      throw invalidValue(
        'name',
        'That voice was not uploaded. Remove it from the configuration or its folder.',
      );
    await rm(voice.path, { force: true });
  }
}

/** The uploaded recordings among `files` of their folder: only names that `add` gives. */
export const uploadsAmong = (folder: string, files: readonly string[]) =>
  recordingsAmong(folder, files).filter(
    (voice) => voiceNamePattern.test(voice.name) && /\.[a-z0-9]+$/.test(voice.path),
  );

/** The recordings among `files` of a folder by their names. */
const recordingsAmong = (folder: string, files: readonly string[]): readonly NamedVoice[] =>
  files
    .toSorted()
    .map((file) => ({ file, ...path.parse(file) }))
    .filter(
      ({ name, ext }) => fileNamePattern.test(name) && voiceExtensions.includes(ext.slice(1).toLowerCase()),
    )
    .map(({ file, name }) => ({ name, path: path.join(folder, file) }));

/** Names of the files in a folder; none where it does not exist. */
const filesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return [];
    throw error;
  });

const taken = (name: string) =>
  invalidValue('name', `There is a voice '${name}' already. Delete it first, or choose another name.`);

function checkRecording(samples: Float32Array): void {
  if (samples.length < leastVoiceSeconds * sampleRateHz)
    throw invalid(
      'The recording is shorter than a second. A voice takes some sentences, 5 to 15 seconds at best.',
    );
  if (samples.every((sample) => Math.abs(sample) < silence))
    throw invalid('The recording is silent. Send one in which somebody speaks.');
}

const invalid = (message: string) => new AppError('invalid_audio', message, { param: 'file' });
