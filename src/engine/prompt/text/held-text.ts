/** Holds white space at the end of text back until it is known whether it is the text's or only layout. */
export class HeldText {
  #held = '';
  #dropsLeading: boolean;

  /** `dropsLeading`: white space before the first other character is never part of the text. */
  constructor(dropsLeading = false) {
    this.#dropsLeading = dropsLeading;
  }

  /** What is certain to be text now. */
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

  /** The white space held back, now text. */
  take(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  drop(): void {
    this.#held = '';
  }
}
