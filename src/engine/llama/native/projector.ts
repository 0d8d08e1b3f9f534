/** Projectors, by which models see and hear: the addon in stepper/ runs them with libmtmd, which it loads here. */
import { doesNotLoad, findAddon, notBuilt } from '../../addons/addon.ts';
import { messageOf } from '../../../words/describe-error.ts';
import { loadedAddonFile } from './loaded-addon-file.ts';
import type {
  AdvancedUtterance,
  LibraryHandle,
  MediaAddon,
  Medium,
  MediumPiece,
  OpenedProjector,
  ProjectorHandle,
  UtteranceHandle,
} from './media-addon.ts';
import { mtmdAddon } from './builds/stepper-addon.ts';
import { mediaAddon, stepperTrouble, type Stepper } from './stepper.ts';

interface Library {
  readonly addon: MediaAddon;
  readonly handle: LibraryHandle;
}

let loaded: { readonly library?: Library; readonly trouble?: string } | undefined;

/** Why this process cannot open projectors; undefined: it can. llama.cpp has to be loaded. */
export function projectorTrouble(): string | undefined {
  return load().trouble;
}

function load() {
  return (loaded ??= tryToLoad());
}

function tryToLoad(): { readonly library?: Library; readonly trouble?: string } {
  const addon = mediaAddon();
  if (addon === undefined) return { trouble: `the stepper is ${stepperTrouble() ?? notBuilt}` };
  // For tests: `off`, or the file of another build.
  const chosen = process.env['HEARTH_MTMD'];
  if (chosen === 'off') return { trouble: 'turned off by HEARTH_MTMD' };
  const file = chosen || findAddon(mtmdAddon);
  if (file === undefined) return { trouble: notBuilt };
  try {
    return { library: { addon, handle: addon.openMtmd(loadedAddonFile(), file) } };
  } catch (error) {
    return { trouble: doesNotLoad(messageOf(error)) };
  }
}

export interface ProjectorOptions {
  readonly path: string;
  readonly threads: number;
  readonly usesGpu: boolean;
}

/** Estimated bytes of the projector at `path`; undefined where this process cannot open projectors or not this one. */
export async function projectorMemory({ path, usesGpu }: Omit<ProjectorOptions, 'threads'>) {
  const { library } = load();
  if (library === undefined) return undefined;
  const [ramBytes = -1, vramBytes = 0] = await library.addon.projectorMemory(library.handle, path, usesGpu);
  return ramBytes < 0 ? undefined : { ramBytes, vramBytes };
}

/**
 * Opens a projector for the stepper's model; undefined where this process cannot open any, as `projectorTrouble` tells.
 * Throws Error where it is the projector of another model, or is damaged.
 */
export async function openProjector(
  stepper: Stepper,
  { path, threads, usesGpu }: ProjectorOptions,
): Promise<Projector | undefined> {
  const { library } = load();
  if (library === undefined) return undefined;
  const { addon, handle } = library;
  return new Projector(addon, await addon.openProjector(handle, stepper.handle, path, threads, usesGpu));
}

/** How a projector speaks. */
export interface ProjectorSpeech {
  readonly family: 'qwen3tts' | 'pockettts';
  readonly sampleRateHz: number;
  /** Which of the family's models it is, such as `english`; empty where it does not tell. */
  readonly variant: string;
}

/** A text to be spoken in one sequence of the context. */
export interface UtteranceOptions {
  readonly sequence: number;
  readonly text: string;
  /** Empty: the model's own. */
  readonly language: string;
  /** The recording of a voice, encoded; undefined: the model's own. */
  readonly voice: Medium | undefined;
  /** Undefined: chance decides. */
  readonly seed: number | undefined;
}

/** In place of a seed. */
const noSeed = 2 ** 32 - 1;
const speechFamilies = [undefined, 'qwen3tts', 'pockettts'] as const;

/** The part of a model by which it sees, hears or speaks. */
export class Projector {
  readonly sees: boolean;
  /** Samples per second that it hears; undefined: it hears nothing. */
  readonly sampleRate: number | undefined;
  /** Bytes of the embedding of each cell of a medium. */
  readonly embeddingBytes: number;
  /** Undefined: it is mute. */
  readonly speech: ProjectorSpeech | undefined;
  readonly #addon: MediaAddon;
  readonly #handle: ProjectorHandle;

  constructor(addon: MediaAddon, opened: OpenedProjector) {
    const { handle, sees, sampleRate, embeddingBytes, speechType, speechRate, speechVariant } = opened;
    this.#addon = addon;
    this.#handle = handle;
    this.sees = sees;
    this.embeddingBytes = embeddingBytes;
    this.sampleRate = sampleRate < 0 ? undefined : sampleRate;
    const family = speechFamilies[speechType];
    this.speech = family && { family, sampleRateHz: speechRate, variant: speechVariant };
  }

  /** The pieces of a picture in a prompt. `rgb`: three bytes for each pixel, row by row. Rejects where it is unfit. */
  preparePicture(widthPixels: number, heightPixels: number, rgb: Uint8Array): Promise<MediumPiece[]> {
    return this.#addon.preparePicture(this.#handle, widthPixels, heightPixels, rgb);
  }

  /** The pieces of a recording in a prompt. */
  prepareSound(samples: Float32Array): Promise<MediumPiece[]> {
    return this.#addon.prepareSound(this.#handle, samples);
  }

  /**
   * Encodes for about `mostMs`, between steps. True once all of it is encoded. Work on another medium is dropped.
   * Rejects when it cannot be encoded.
   */
  encode(medium: Medium, mostMs: number): Promise<boolean> {
    return this.#addon.advance(this.#handle, medium.handle, mostMs);
  }

  /** Utterances without a seed may take turns after each piece; one that has a seed is spoken from first to last. */
  beginUtterance({ sequence, text, language, voice, seed = noSeed }: UtteranceOptions): UtteranceHandle {
    return this.#addon.beginUtterance(this.#handle, sequence, text, language, voice?.handle, seed);
  }

  /**
   * Begins, reads up to `promptTokens` of the prompt, or makes a frame, for about `mostMs`, between steps. The voice at
   * the beginning of the prompt is left out where the sequence holds it from the utterance before. Work on another
   * utterance is dropped. Rejects when it cannot be spoken.
   */
  advanceUtterance(
    utterance: UtteranceHandle,
    promptTokens: number,
    mostMs: number,
  ): Promise<AdvancedUtterance> {
    return this.#addon.advanceUtterance(this.#handle, utterance, promptTokens, mostMs);
  }

  /** Drops the encoding under way. */
  abandon(): Promise<void> {
    return this.#addon.abandon(this.#handle);
  }

  /** Gives its memory back. Nothing may be asked of it any more. */
  close(): Promise<void> {
    return this.#addon.closeProjector(this.#handle);
  }

  /** Decodes `count` cells of an encoded medium from `offset` on; its first cell stands at `position`. */
  decode(medium: Medium, sequence: number, position: number, offset: number, count: number): Promise<void> {
    return this.#addon.decodeMedium(this.#handle, medium.handle, sequence, position, offset, count);
  }
}
