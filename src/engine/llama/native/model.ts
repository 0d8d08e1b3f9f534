import type { Llama, LlamaModel } from 'node-llama-cpp';

/** llama.h: enum llama_vocab_type. */
export const vocabularyType = { spm: 1, bpe: 2, wpm: 3, ugm: 4 } as const;
/** llama.h: enum llama_token_attr. */
export const tokenAttribute = { unknown: 1, control: 8, userDefined: 16, byte: 32 } as const;

/**
 * Weights are read into memory and not mapped. A mapped file that is cut ends the process by SIGBUS, and one that is
 * overwritten has the model go on with other weights. Memory is no larger for it: where llama.cpp packs weights anew, as it
 * does with Q4_0, a mapped file of 352 MB took 180 MB more than one that was read.
 */
export const mapsWeights = false;

/** llama.cpp's model and vocabulary through the addon. */
export interface NativeModel {
  tokenize(text: string, parseSpecial: boolean): Uint32Array;
  detokenize(tokens: Uint32Array, special: boolean): string;
  getTokenString(token: number): string | undefined;
  getTokenAttributes(token: number): number;
  isEogToken(token: number): boolean;
  getVocabularyType(): number;
  shouldPrependBosToken(): boolean;
  shouldAppendEosToken(): boolean;
  tokenBos(): number;
  tokenEos(): number;
  /** Separates texts in the input of an encoder. This and the following: -1 where the model has none. */
  sepToken(): number;
  /** For filling in the middle: stands before the text that comes first. */
  prefixToken(): number;
  /** For filling in the middle: stands before the text that comes last. */
  suffixToken(): number;
  /** For filling in the middle: stands before the missing text, which the model writes. */
  middleToken(): number;
}

/** Which part of a model is computed where. */
export interface Placement {
  /** Without layers there, a GPU still helps with long prompts, by buffers of its own. */
  readonly usesGpu: boolean;
  /** Layers on GPUs, counted from the last one; the output is one of them. */
  readonly gpuLayers: number;
  /** The number of first layers whose experts are in main memory, wherever the rest of these layers is. */
  readonly expertLayers: number;
  /** The model's own draft heads are loaded, too. */
  readonly withHeads?: boolean | undefined;
}

export const onProcessor: Placement = { usesGpu: false, gpuLayers: 0, expertLayers: 0 };

export type LayoutHandle = { readonly layout: unique symbol };
export type LoadHandle = { readonly load: unique symbol };

/** The functions of the addon in stepper/ for models. */
export interface ModelAddon {
  /** The model as llama.cpp lays it out, without its weights: contexts of it allocate nothing. Rejects where it cannot. */
  layOut(llamaAddonFile: string, path: string, placement: Placement): Promise<LayoutHandle>;
  /** Frees it. To be called after its contexts are closed. */
  closeLayout(layout: LayoutHandle): Promise<void>;
  newLoad(): LoadHandle;
  /**
   * Has `model`, of which node-llama-cpp has loaded the vocabulary alone, be the whole one of the file. It belongs to
   * node-llama-cpp then. Nothing may be asked of it meanwhile; where it rejects, it can only be disposed of. `onTenth`
   * hears of each tenth that is loaded.
   */
  load(
    load: LoadHandle,
    llamaAddonFile: string,
    model: NativeModel,
    path: string,
    placement: Placement,
    onTenth: (tenth: number) => void,
  ): Promise<void>;
  /** Has the load reject soon. */
  giveUpLoad(load: LoadHandle): void;
}

/**
 * The classes of llama.cpp's addon, of which each caller says which ones it uses. Only this folder touches the internals
 * of node-llama-cpp, which is pinned to an exact version; test/unit/engine/llama/native/native.test.ts fails when an upgrade
 * changes them.
 */
export const bindingsOf = (llama: Llama): unknown => (llama as unknown as { _bindings: unknown })._bindings;

export const nativeModelOf = (model: LlamaModel): NativeModel =>
  (model as unknown as { _model: NativeModel })._model;
