/** How a transcript differs from the spoken text, in words. */
export interface WordErrors {
  /** Words that are wrong, missing or too many. */
  readonly errors: number;
  /** Words that were said. */
  readonly said: number;
}

/** The least number of words to replace, add or leave out, whatever their case and the marks between them. */
export function countWordErrors(said: string, heard: string): WordErrors {
  const expected = words(said);
  let last = Array.from({ length: expected.length + 1 }, (_, column) => column);
  for (const [row, word] of words(heard).entries()) {
    const current = [row + 1];
    for (const [column, wanted] of expected.entries())
      current.push(
        Math.min(
          (last[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (last[column] ?? 0) + (word === wanted ? 0 : 1),
        ),
      );
    last = current;
  }
  return { errors: last[expected.length] ?? 0, said: expected.length };
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
