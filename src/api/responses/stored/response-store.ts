/** A response as it is kept, without its items. */
export interface KeptResponse {
  readonly id: string;
  readonly accountId: string;
  /** The response that it continues, which may be gone. */
  readonly previousId: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Of its input and its output together. */
  readonly itemCount: number;
  readonly itemBytes: number;
  /** The response object with an empty output. */
  readonly json: string;
}

export interface KeptItem {
  readonly id: string;
  readonly json: string;
}

/** What a response was asked, and what it answered. */
export interface KeptItems {
  readonly input: readonly KeptItem[];
  readonly output: readonly KeptItem[];
}

/** Where responses outlive their requests. An account sees its own only, and those only until they expire. */
export interface ResponseStore {
  /** What is stored of an account, in bytes. */
  keptBytes(accountId: string): number;
  insert(response: KeptResponse, items: KeptItems): void;
  find(accountId: string, id: string, nowMs: number): KeptResponse | undefined;
  /** In their order. */
  items(responseId: string, side: keyof KeptItems): readonly KeptItem[];
  /** An item of that id, whichever response has it. */
  findItem(accountId: string, itemId: string, nowMs: number): KeptItem | undefined;
  /** False where there is none. */
  delete(accountId: string, id: string, nowMs: number): boolean;
}
