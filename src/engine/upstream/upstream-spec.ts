import { createHash } from 'node:crypto';

/** A key that is read where it is needed, so that it stands in no setting. */
export interface SecretSetting {
  /** Where it comes from, for messages: `the environment variable LLAMA_KEY`. */
  readonly origin: string;
  /** The environment variable that it is in; undefined: it is in a file. */
  readonly variable?: string | undefined;
  /** undefined: there is none. */
  read(): string | undefined;
}

/** How a model is reached that other servers run. */
export interface UpstreamSpec {
  /** Base addresses without a slash at the end, such as `http://10.0.0.5:8000/v1`. At least one, each once. */
  readonly urls: readonly string[];
  /** The model's name there. */
  readonly model: string;
  /** The name of the server for people; undefined: it has none. */
  readonly label?: string | undefined;
  /** undefined: no key is sent. */
  readonly apiKey: SecretSetting | undefined;
  /** The longest wait for the first event of an answer, and between two events. */
  readonly timeoutMs: number;
}

/** A text that changes whenever the model must be opened again, for example when its key has changed. */
export function versionOf(spec: UpstreamSpec): string {
  const hash = createHash('sha256').update(JSON.stringify({ ...spec, label: undefined }));
  return hash.update(`\0${spec.apiKey?.read() ?? ''}`).digest('hex');
}
