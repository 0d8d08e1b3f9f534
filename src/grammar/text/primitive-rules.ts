/**
 * Rules that have the same name and text in every grammar, so that the grammars of several schemas can be joined. Their
 * classes are never negated and hold no surrogates: with a negated class, byte tokens could spell surrogates.
 */
const rawChar = '[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E\\xA0-\\uD7FF\\uE000-\\U0010FFFF]';

export const primitiveRules: ReadonlyMap<string, string> = new Map([
  // At most one space, as models write it between members: with more, a model could write spaces without end.
  ['ws', '" "?'],
  ['null', '"null"'],
  ['boolean', '"true" | "false"'],
  // Numbers with at most 15 digits are exact as doubles; with an exponent of two digits they are never infinite.
  ['integer', '"-"? [1-9] [0-9]{0,14} | "0"'],
  ['number', '"-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,15})? ([eE] [+\\-]? [0-9]{1,2})?'],
  ['string', '"\\"" char* "\\""'],
  ['char', `${rawChar} | "\\\\" escape`],
  ['escape', '["\\\\/bfnrt] | "u" unicode'],
  // The first half of a surrogate pair has to be followed by the second.
  [
    'unicode',
    '[0-9a-cA-Ce-fE-F] hex{3} | [dD] ([0-7] hex{2} | [89abAB] hex{2} "\\\\u" [dD] [c-fC-F] hex{2})',
  ],
  ['hex', '[0-9a-fA-F]'],
  ['value', 'object | array | string | number | boolean | null'],
  ['object', '"{" (member ("," ws member)*)? "}"'],
  ['member', 'string ":" ws value'],
  ['array', '"[" (value ("," ws value)*)? "]"'],
]);

/** The primitive rules of `names` and those that they refer to, in the order of the table. */
export function primitiveClosure(names: Iterable<string>): ReadonlyMap<string, string> {
  const needed = new Set<string>(names);
  for (const name of needed)
    for (const [word] of primitiveRules.get(name)?.matchAll(/[a-z]+/g) ?? [])
      if (primitiveRules.has(word)) needed.add(word);
  return new Map([...primitiveRules].filter(([name]) => needed.has(name)));
}
