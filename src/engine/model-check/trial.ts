/** A model could not be tried because of the machine, not because of its file: worth another try later. */
export class MachineTroubleError extends Error {
  override readonly name = 'MachineTroubleError';
}

/** Facts about a model, found by trying it. */
export interface ModelFindings {
  /** How calls of tools are written: as the chat template does, or in a plain JSON form that hearth explains. */
  readonly toolFormat: 'native' | 'json';
  /** The chat template shows the tools that a request offers, or writes calls. */
  readonly functionCalling: boolean;
  /** It has tokens for the text before and behind a gap. Absent in findings from before hearth looked for them. */
  readonly infill?: boolean;
  /** The model thinks before it answers. */
  readonly reasoning: boolean;
  /** The efforts of thinking that its template tells apart; undefined: none. */
  readonly reasoningEfforts?: readonly string[];
}
