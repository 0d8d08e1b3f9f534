/** One thing that was looked at. */
export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly finding: string;
  /** What to do about it; undefined where nothing need be done. */
  readonly remedy?: string;
}
