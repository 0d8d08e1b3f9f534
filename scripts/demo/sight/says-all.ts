/** Whether each of `texts` stands in `answer`, from the start of a word on, whatever the case; a number as a whole. */
export function saysAll(answer: string, texts: readonly string[]): boolean {
  return texts.every((text) => {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(`(?<![a-z0-9])${escaped}${/[A-Z0-9]$/.test(text) ? '(?![a-z0-9])' : ''}`, 'i').test(
      answer,
    );
  });
}
