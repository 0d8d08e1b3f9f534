/** Holds back white space at the end of a text until it is known whether it is part of the text or only layout. */
export class HeldText {
  #held = '';
  #dropsLeading: boolean;

  /** With `dropsLeading`, white space before the first other character is dropped. */
  constructor(dropsLeading = false) {
    this.#dropsLeading = dropsLeading;
  }

  /** The part of the text that is certain, now that `text` has come as well. */
  push(text: string): string {
    const whole = this.#dropsLeading ? text.trimStart() : text;
    if (whole !== '') this.#dropsLeading = false;
    const solid = whole.trimEnd();
    if (solid === '') {
      this.#held += whole;
      return '';
    }
    const certain = this.#held + solid;
    this.#held = whole.slice(solid.length);
    return certain;
  }

  /** The white space that was held back, when it turns out to be part of the text. */
  take(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Drops the white space that was held back, when it turns out to be layout. */
  drop(): void {
    this.#held = '';
  }
}
