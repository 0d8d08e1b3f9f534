/** One thing that was looked at. */
export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly finding: string;
  /** A command or step that mends it; undefined where nothing need be done. */
  readonly remedy?: string | undefined;
}
