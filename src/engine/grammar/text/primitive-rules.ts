/**
 * Rules that every grammar shares under the same name and with the same text, so that grammars of several schemas
 * can be joined. Classes are positive and without surrogates: a negated class would let byte tokens spell them.
 */
const rawChar = '[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E\\xA0-\\uD7FF\\uE000-\\U0010FFFF]';

export const primitiveRules: ReadonlyMap<string, string> = new Map([
  // One optional space: what models write between members, and no way to write spaces for ever.
  ['ws', '" "?'],
  ['null', '"null"'],
  ['boolean', '"true" | "false"'],
  // 15 digits at most: exact as a double. The exponent keeps every number finite.
  ['integer', '"-"? [1-9] [0-9]{0,14} | "0"'],
  ['number', '"-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,15})? ([eE] [+\\-]? [0-9]{1,2})?'],
  ['string', '"\\"" char* "\\""'],
  ['char', `${rawChar} | "\\\\" escape`],
  ['escape', '["\\\\/bfnrt] | "u" unicode'],
  // A high surrogate only together with a low one.
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

const uses: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['char']],
  ['char', ['escape']],
  ['escape', ['unicode']],
  ['unicode', ['hex']],
  ['value', ['object', 'array', 'string', 'number', 'boolean', 'null']],
  ['object', ['member', 'ws']],
  ['member', ['string', 'ws', 'value']],
  ['array', ['value', 'ws']],
]);

/** The primitive rules that `names` need, themselves included, in the order of the table. */
export function primitiveClosure(names: Iterable<string>): ReadonlyMap<string, string> {
  const needed = new Set<string>(names);
  for (const name of needed) for (const used of uses.get(name) ?? []) needed.add(used);
  return new Map([...primitiveRules].filter(([name]) => needed.has(name)));
}
