/** The number that a flag has; undefined without the flag. Throws RangeError where it is none from 0 on. */
export function toNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`--${flag} must be a number, not ${text}`);
  return value;
}

/** The one of `choices` that a flag has; undefined without the flag. Throws RangeError where it has another text. */
export function toChoice<Choice extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new RangeError(`--${flag} must be one of ${choices.join(', ')}`);
  return choice;
}
