/** The addon's functions for projectors and media, in stepper/. */
export type StepperHandle = { readonly stepper: unique symbol };
export type LibraryHandle = { readonly library: unique symbol };
export type ProjectorHandle = { readonly projector: unique symbol };
export type MediumHandle = { readonly medium: unique symbol };
export type UtteranceHandle = { readonly utterance: unique symbol };

/** A part of a picture or recording, which takes the place of tokens in a prompt. */
export interface Medium {
  readonly handle: MediumHandle;
  /** Places of tokens in the context that it takes; at least one. */
  readonly cells: number;
  /** Positions from its beginning to the text behind it; at most as many as it has cells. */
  readonly positions: number;
  /** Its cells are decoded in one step, because each of them looks at all of them. */
  readonly isWhole: boolean;
}

/** A piece of a picture or recording in a prompt: tokens around it, or a part of it. */
export type MediumPiece = { readonly tokens: Int32Array } | Medium;

export interface OpenedProjector {
  readonly handle: ProjectorHandle;
  readonly sees: boolean;
  /** -1: it hears nothing. */
  readonly sampleRate: number;
  readonly embeddingBytes: number;
  /** 0: it is mute; 1: Qwen3-TTS; 2: Pocket TTS. */
  readonly speechType: number;
  readonly speechRate: number;
  /** Which of the family's models it is, such as `english`; empty where it does not tell. */
  readonly speechVariant: string;
}

/** The outcome of one piece of work on an utterance. */
export interface AdvancedUtterance {
  /** False: the piece goes on with the next call. */
  readonly isDone: boolean;
  readonly isOver: boolean;
  /** Tokens of the prompt that were computed, at most. */
  readonly promptTokens: number;
  /** New samples; mostly none, because the sound of several frames is made together. */
  readonly samples: Float32Array;
}

/** The addon's functions for projectors, in stepper/. */
export interface MediaAddon {
  openMtmd(llamaAddonFile: string, mtmdFile: string): LibraryHandle;
  /** Bytes of main memory, negative where the file cannot be read, and of a GPU's. */
  projectorMemory(library: LibraryHandle, file: string, usesGpu: boolean): Promise<Float64Array>;
  openProjector(
    library: LibraryHandle,
    stepper: StepperHandle,
    file: string,
    threads: number,
    usesGpu: boolean,
  ): Promise<OpenedProjector>;
  preparePicture(
    projector: ProjectorHandle,
    widthPixels: number,
    heightPixels: number,
    rgb: Uint8Array,
  ): Promise<MediumPiece[]>;
  prepareSound(projector: ProjectorHandle, samples: Float32Array): Promise<MediumPiece[]>;
  /** True: it is encoded. */
  advance(projector: ProjectorHandle, medium: MediumHandle, mostMs: number): Promise<boolean>;
  abandon(projector: ProjectorHandle): Promise<void>;
  closeProjector(projector: ProjectorHandle): Promise<void>;
  decodeMedium(
    projector: ProjectorHandle,
    medium: MediumHandle,
    sequence: number,
    position: number,
    offset: number,
    count: number,
  ): Promise<void>;
  beginUtterance(
    projector: ProjectorHandle,
    sequence: number,
    text: string,
    language: string,
    voice: MediumHandle | undefined,
    seed: number,
  ): UtteranceHandle;
  advanceUtterance(
    projector: ProjectorHandle,
    utterance: UtteranceHandle,
    promptTokens: number,
    mostMs: number,
  ): Promise<AdvancedUtterance>;
}
