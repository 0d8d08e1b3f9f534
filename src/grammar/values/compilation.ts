import type { Branches } from '../branches/branches.ts';
import type { Expression } from '../text/expression.ts';
import type { GrammarBuilder } from '../text/grammar-builder.ts';
import type { Automaton } from '../language/automaton.ts';
import type { Language } from '../language/language.ts';
import type { Languages } from '../language/languages.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';
import type { ValueStyle } from '../text/value-style.ts';
import type { Work } from '../budget/work.ts';

/** The state that the functions that write values share during one compilation. */
export interface Compilation {
  readonly document: SchemaDocument;
  readonly branches: Branches;
  readonly builder: GrammarBuilder;
  readonly languages: Languages;
  readonly work: Work;
  readonly style: ValueStyle;
  /** An expression for the values that satisfy all of `nodes`. */
  valueOf(nodes: readonly SchemaNode[], hint: string): Expression;
  /** The expression that `make` gave for `key` before, or gives now: dates, say, are often repeated. */
  once(key: string, make: () => Expression): Expression;
  /** The automaton of `language`, or of its shorter texts where the whole would take more than `maxSteps`. */
  automaton(language: Language, maxSteps?: number): Automaton;
  /** Returns an expression without texts, and remembers the reason, to be named if no document is possible at all. */
  impossible(node: SchemaNode | undefined, keyword: string, why: string): Expression;
}
