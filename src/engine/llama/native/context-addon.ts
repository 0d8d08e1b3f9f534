import type { GgmlType } from 'node-llama-cpp';
import type { StepperHandle } from './media-addon.ts';
import type { LayoutHandle, ModelAddon, NativeModel } from './model.ts';

/** A LoRA adapter as node-llama-cpp takes it, too. */
export interface NativeAdapter {
  readonly filePath: string;
  readonly scale: number;
}

/** How the addon in stepper/ opens a context of llama.cpp. */
export interface ContextParameters {
  /** Cells of all sequences together. */
  readonly cells: number;
  /** Each sequence takes of all cells as many as it needs; otherwise it has an equal part of its own. */
  readonly isUnified: boolean;
  readonly sequences: number;
  readonly batchTokens: number;
  /** 0: as many as `batchTokens`. */
  readonly outputTokens: number;
  readonly threads: number;
  /** llama.h: enum llama_flash_attn_type. */
  readonly flashAttention: -1 | 0 | 1;
  readonly cacheType: GgmlType;
  /** It computes vectors and no tokens. */
  readonly embeds: boolean;
  /** It computes one number for a pair of texts. */
  readonly ranks: boolean;
  /** Tokens of the last step that a recurrent state can forget again, where llama.cpp can have it do so. */
  readonly takenBack: number;
  /** The model's own draft heads can be asked. They are of a model that was loaded with them. */
  readonly hasHeads: boolean;
  readonly adapters: readonly NativeAdapter[];
}

/** The functions of the addon in stepper/ for contexts. All but `close` and `interrupt` only between steps, one call at a time. */
export interface ContextAddon extends ModelAddon {
  /** Rejects where there is no memory for it. Throws where node-llama-cpp's model is not laid out as expected. */
  open(
    llamaAddonFile: string,
    model: NativeModel | LayoutHandle,
    parameters: ContextParameters,
  ): Promise<{
    readonly handle: StepperHandle;
    readonly needsStates: boolean;
    readonly takesBack: number;
  }>;
  /** Frees it. To be called before its model is freed. */
  close(context: StepperHandle): Promise<void>;
  /** Bytes of main memory and of each GPU's that it takes besides the model's weights; then the same of these. */
  memory(context: StepperHandle): Float64Array;
  setThreads(context: StepperHandle, threads: number): void;
  /** Gives up the decoding of the step under way, which then rejects. Does nothing where there is none. */
  interrupt(context: StepperHandle): void;
  canCut(context: StepperHandle, sequence: number, position: number): boolean;
  /** False: the sequence cannot be cut there, and is as it was. */
  cut(context: StepperHandle, sequence: number, position: number): boolean;
  copy(context: StepperHandle, source: number, target: number): Promise<void>;
  /**
   * Opens it anew with another number of cells, in which sequences hold their tokens, as far as `holds` says so. False:
   * it cannot be done now, and all is as it was. Rejects where there is not even memory for the old one: then nothing
   * but this may be called, and all sequences are empty. `shared`: threes of a sequence, one behind it, and the
   * position before which both share cells again.
   */
  reshape(context: StepperHandle, cells: number, isUnified: boolean, shared: Int32Array): Promise<boolean>;
  /** False: the sequence is empty. */
  holds(context: StepperHandle, sequence: number): boolean;
  stateBytes(context: StepperHandle, sequence: number, isPartial: boolean): number;
  /** False: `bytes` has not the size of the state. */
  saveState(
    context: StepperHandle,
    sequence: number,
    isPartial: boolean,
    bytes: Uint8Array,
  ): Promise<boolean>;
  restoreState(
    context: StepperHandle,
    sequence: number,
    isPartial: boolean,
    bytes: Uint8Array,
    position: number,
  ): Promise<boolean>;
  /**
   * The tokens that the model's own heads expect behind one that is drawn, but not computed yet. `asks`: four numbers
   * for each, a sequence, the token, its place, and how many tokens at most. Empty where nothing can be guessed.
   */
  guess(context: StepperHandle, asks: Int32Array): Promise<Float64Array[]>;
  /** The vector of the tokens of sequence 0; empty where the model has none. */
  vector(context: StepperHandle): Float32Array;
}
