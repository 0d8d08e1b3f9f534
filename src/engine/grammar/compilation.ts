import type { Branches } from './branches/branches.ts';
import type { Expression } from './text/expression.ts';
import type { GrammarBuilder } from './text/grammar-builder.ts';
import type { Automaton } from './language/automaton.ts';
import type { Language } from './language/language.ts';
import type { Languages } from './language/languages.ts';
import type { SchemaDocument, SchemaNode } from './schema/schema-document.ts';
import type { Work } from './work.ts';

/** What the parts of one compilation share. */
export interface Compilation {
  readonly document: SchemaDocument;
  readonly branches: Branches;
  readonly builder: GrammarBuilder;
  readonly languages: Languages;
  readonly work: Work;
  /** An expression for the values that satisfy all of `nodes`. */
  valueOf(nodes: readonly SchemaNode[], hint: string): Expression;
  /** Expressions that were made before, by what they stand for: dates and addresses come up again and again. */
  readonly shared: Map<string, Expression>;
  /** The automaton of `language`, or of its shorter texts where all of it takes more than `maxSteps`. */
  automaton(language: Language, maxSteps?: number): Automaton;
  /** Remembers why a value is impossible, for the case that nothing is left of the whole schema. */
  impossible(node: SchemaNode | undefined, keyword: string, why: string): Expression;
}

/** GBNF rules for the documents of a schema; to be joined with other rules. */
export interface CompiledSchema {
  /** Right sides by rule name. Names begin with the prefix, save for the primitive rules that all schemas share. */
  readonly rules: ReadonlyMap<string, string>;
  /** The rule that matches one document. */
  readonly rootRule: string;
}
