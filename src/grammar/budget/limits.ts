/**
 * Bounds on the cost of one schema. Several protect llama.cpp: it recurses over nested parentheses and over rules that
 * begin with other rules, it writes out every bounded repetition, and it silently takes `{m,n}` with n over 2,000 for
 * "unbounded".
 */
export const limits = {
  /** Levels of nesting in the schema's JSON. */
  schemaDepth: 96,
  /** Values (objects, arrays, scalars) in the schema's JSON. */
  schemaValues: 50_000,
  /** Characters in the schema's keys and strings. */
  schemaText: 512 * 1024,
  /** Steps of a whole compilation, each of about 100 ns. */
  work: 6_000_000,
  /** Combinations of anyOf, oneOf, if and dependent branches that hold for one value. */
  combinations: 1_000,
  /** Steps spent on combining and comparing branches. */
  branchSteps: 20_000,
  /** Rules in a grammar. */
  rules: 15_000,
  /** Characters in a grammar's text. */
  grammarText: 1024 * 1024,
  /** Ways from rules to the rules that they begin with: llama.cpp's check for left recursion walks each of them. */
  leftmostWays: 200_000,
  /** States of the automaton of one pattern, and of all automata of a schema together. */
  patternStates: 1_500,
  patternStatesInAll: 20_000,
  /** Steps to build the automaton of one pattern, and that of the names of properties that are not declared. */
  automatonSteps: 1_500_000,
  nameSteps: 150_000,
  /** States of the automaton of a pattern together with minLength and maxLength. */
  boundedStates: 3_000,
  /** The largest n that is written in `{n}`; llama.cpp's own limit is 2,000. */
  repetition: 1_000,
  /**
   * Copies that llama.cpp makes to write out bounded repetitions: each takes up to a microsecond, twice per request.
   */
  copies: 200_000,
  /** The largest minLength and minItems. */
  leastRepetition: 10_000,
  /** A larger maxLength or maxItems is lowered to this: then there are fewer documents, all of them valid. */
  mostRepetition: 100_000,
  /** Beside a pattern, a larger maxLength is lowered to this, and to less for a large pattern. */
  patternLength: 1_000,
  /** The largest minContains. */
  containedItems: 50,
  /**
   * Numbers that are written out one by one for a multipleOf such as 0.01, by which doubles are not divided exactly.
   */
  decimalSteps: 10_001,
  /** Pairs of a property and a count, for minProperties and maxProperties. */
  countedStates: 20_000,
  /** The largest multipleOf. */
  divisor: 1_000,
  /** How many ignored keywords are named. */
  ignoredKeywords: 20,
  /** Digits of a generated number: decimals of at most 15 digits that differ also differ as doubles. */
  digits: 15,
} as const;
