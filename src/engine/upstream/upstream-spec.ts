/** How a model is reached that other servers run. All of it comes from the configuration. */
export interface UpstreamSpec {
  /** Base addresses without a slash at the end, such as `http://10.0.0.5:8000/v1`. At least one. */
  readonly urls: readonly string[];
  /** What the model is called there. */
  readonly model: string;
  /** undefined: no key is sent. */
  readonly apiKey?: UpstreamKey | undefined;
  /** The longest wait for the first event of an answer, and between two events. */
  readonly timeoutMs: number;
}

/** A key that is read where it is needed, so that it stands in no setting. */
export interface UpstreamKey {
  /** Where it comes from, for messages: `the environment variable LLAMA_KEY`. */
  readonly origin: string;
  /** undefined: there is none. */
  read(): string | undefined;
}
