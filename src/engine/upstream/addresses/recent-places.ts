const mostPlaces = 8192;

/** The places of the conversations that were seen last. */
export class RecentPlaces<Place> {
  /** The one seen last at the end. */
  readonly #places = new Map<string, Place>();

  get(conversation: string): Place | undefined {
    return this.#places.get(conversation);
  }

  set(conversation: string, place: Place): void {
    this.#places.delete(conversation);
    this.#places.set(conversation, place);
    if (this.#places.size <= mostPlaces) return;
    for (const [oldest] of this.#places) {
      this.#places.delete(oldest);
      return;
    }
  }
}
