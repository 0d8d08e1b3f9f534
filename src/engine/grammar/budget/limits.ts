/**
 * What one schema may cost. llama.cpp recurses over nested parentheses and over leftmost rules, expands every
 * bounded repetition and turns `{m,n}` with n over 2,000 into "unbounded" without a word, so all of it is capped.
 */
export const limits = {
  /** Levels of nesting in the schema's JSON. */
  schemaDepth: 96,
  /** Values (objects, arrays, scalars) in the schema's JSON. */
  schemaValues: 50_000,
  /** Characters in the schema's keys and strings. */
  schemaText: 512 * 1024,
  /** Steps of a whole compilation, of about 100 ns each. */
  work: 6_000_000,
  /** Combinations of anyOf, oneOf, if and dependent branches that hold for one value. */
  combinations: 1_000,
  /** Steps spent on combining and comparing branches. */
  branchSteps: 20_000,
  /** Rules in a grammar. */
  rules: 15_000,
  /** Characters in a grammar's text. */
  grammarText: 512 * 1024,
  /** Ways through leftmost rules: llama.cpp's check for left recursion walks each of them. */
  leftmostWays: 200_000,
  /** States of one pattern's automaton, and of all those of a schema together. */
  patternStates: 1_500,
  patternStatesInAll: 20_000,
  /** Steps for one pattern's automaton, and for that of the names of properties that are not declared. */
  automatonSteps: 1_500_000,
  nameSteps: 150_000,
  /** States of a pattern's automaton once minLength and maxLength are worked into it. */
  boundedStates: 3_000,
  /** The largest n in `{n}` that is written; llama.cpp's own limit is 2,000. */
  repetition: 1_000,
  /** What all of them are written out to: llama.cpp takes up to a microsecond for each, twice per request. */
  copies: 200_000,
  /** minLength and minItems at most. */
  leastRepetition: 10_000,
  /** maxLength and maxItems above this are lowered to it (fewer documents, all of them valid). */
  mostRepetition: 100_000,
  /** Lengths next to a pattern: maxLength above this is lowered to it, and further for a large pattern. */
  patternLength: 1_000,
  /** minContains at most. */
  containedItems: 50,
  /** Numbers that are written out one by one for a multipleOf such as 0.01, which doubles cannot divide exactly. */
  decimalSteps: 10_001,
  /** Pairs (property, count) for minProperties and maxProperties. */
  countedStates: 20_000,
  /** multipleOf at most. */
  divisor: 1_000,
  /** Digits of a generated number: every decimal of at most 15 is distinct from its neighbours as a double. */
  digits: 15,
} as const;
