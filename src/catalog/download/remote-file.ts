/** One file to be fetched. */
export interface RemoteFile {
  readonly url: URL;
  /** What it is called here: one piece of a path, checked. */
  readonly name: string;
  /** undefined where only the download itself can tell. */
  readonly sizeBytes: number | undefined;
  /** In hex; undefined where nobody vouches for the content. */
  readonly sha256: string | undefined;
  readonly authorization: string | undefined;
}
