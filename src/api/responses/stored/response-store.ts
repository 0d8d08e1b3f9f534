/** A stored response, without its items. */
export interface KeptResponse {
  readonly id: string;
  readonly accountId: string;
  /** The response that it continues, which may be deleted already. */
  readonly previousId: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The number of items in its input and output. */
  readonly itemCount: number;
  readonly itemBytes: number;
  /** The response object with an empty output. */
  readonly json: string;
}

export interface KeptItem {
  readonly id: string;
  readonly json: string;
}

/** The input and the output of a stored response. */
export interface KeptItems {
  readonly input: readonly KeptItem[];
  readonly output: readonly KeptItem[];
}

/** The store of responses. An account finds only its own, and only until they expire. */
export interface ResponseStore {
  /** Bytes that the account has stored. */
  keptBytes(accountId: string): number;
  insert(response: KeptResponse, items: KeptItems): void;
  find(accountId: string, id: string, nowMs: number): KeptResponse | undefined;
  /** The items of a response, in their order. */
  items(responseId: string, side: keyof KeptItems): readonly KeptItem[];
  /** The item of that id in any response of the account. */
  findItem(accountId: string, itemId: string, nowMs: number): KeptItem | undefined;
  /** Whether there was such a response. */
  delete(accountId: string, id: string, nowMs: number): boolean;
}
