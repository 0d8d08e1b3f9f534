/** Who is asking: the API key that was presented and the account that it belongs to. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  /** Admin keys are for /admin/v1 and /metrics; nothing else needs one. */
  readonly kind: 'user' | 'admin';
  /** Canonical model ids that the key may use; null: all. */
  readonly allowedModels: readonly string[] | null;
  /** What the key may be used for; null or undefined: everything. */
  readonly scopes?: readonly string[] | null;
  /** Most requests at once; null or undefined: any number. */
  readonly parallel?: number | null;
  /** The plan in force now: `trial` becomes `reduced` when its days are over. */
  readonly planName: string;
  /** Since when that plan holds for the account, Unix ms; undefined: always. */
  readonly planSinceMs?: number;
  /** Nobody waits for the answer: the request gives way to all others. */
  readonly isBackground?: boolean;
}

/** The wall clock: Unix milliseconds. It may jump, in either direction. */
export type Clock = () => number;

/** Turns a presented secret into its principal; undefined for unknown, revoked and expired keys. */
export interface Authenticator {
  authenticate(secret: string): Principal | undefined;
  /** The principal of the key with this id; undefined for revoked and expired keys, too. It checks no secret: only for requests that the operator lets in without one. */
  ofKey(keyId: string): Principal | undefined;
}
