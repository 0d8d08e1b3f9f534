import { createHash } from 'node:crypto';
import { access, copyFile, mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTinyEncoder } from '../../../scripts/make/tiny-model/write-tiny-encoder.ts';
import type { TinyEncoderOptions } from '../../../scripts/make/tiny-model/write-tiny-encoder.ts';
import { writeTinyModel } from '../../../scripts/make/tiny-model/write-tiny-model.ts';
import { writeTinyProjector } from '../../../scripts/make/tiny-model/write-tiny-projector.ts';
import type { TinyProjectorOptions } from '../../../scripts/make/tiny-model/write-tiny-projector.ts';
import type { TinyModelOptions } from '../../../scripts/make/tiny-model/write-tiny-model.ts';

const cacheDir = fileURLToPath(new URL('../../.cache/', import.meta.url));
const generatorsDir = fileURLToPath(new URL('../../../scripts/make/', import.meta.url));

/**
 * Path of a tiny model with these options, made on the first call and kept in test/.cache. The name holds a
 * hash of the options and of the generator, so that a changed generator makes a new file.
 */
export async function tinyModel(options: TinyModelOptions = {}): Promise<string> {
  return cached(await cachePath('tiny', options), (path) => writeTinyModel(path, options));
}

/** The same for a tiny encoder, which computes embeddings only. */
export async function tinyEncoder(options: TinyEncoderOptions = {}): Promise<string> {
  return cached(await cachePath('encoder', options), (path) => writeTinyEncoder(path, options));
}

/** The same for a projector, by which a tiny model sees or hears. */
export async function tinyProjector(options: TinyProjectorOptions = {}): Promise<string> {
  return cached(await cachePath('mmproj', options), (path) => writeTinyProjector(path, options));
}

/** Where a file that the generators make of these options is kept. */
export async function cachePath(prefix: string, options: object): Promise<string> {
  const key = createHash('sha256')
    .update(await generatorSource())
    .update(JSON.stringify(options));
  return join(cacheDir, `${prefix}-${key.digest('hex').slice(0, 16)}.gguf`);
}

/** `path`, once there is a file. */
export async function cached(path: string, write: (path: string) => Promise<void>): Promise<string> {
  try {
    await access(path);
  } catch {
    // Test files run in parallel: two may write the same file, each renames a whole one into place.
    await write(path);
  }
  return path;
}

/** A fresh folder that holds each file under `<id>.gguf`, for `--models-dir`. The caller removes it. */
export async function createModelsDir(pathsById: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-models-'));
  for (const [id, path] of Object.entries(pathsById)) await copyFile(path, join(directory, `${id}.gguf`));
  return directory;
}

let source: Promise<string> | undefined;

function generatorSource(): Promise<string> {
  source ??= (async () => {
    const texts = await Promise.all(['tiny-model', 'tiny-voice'].map(sourceOf));
    return texts.join('\0');
  })();
  return source;
}

async function sourceOf(generator: string): Promise<string> {
  const directory = join(generatorsDir, generator);
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => name.endsWith('.ts'))
    .toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts.join('\0');
}
