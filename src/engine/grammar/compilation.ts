import type { Branches } from './branches.ts';
import type { Expression } from './expression.ts';
import type { GrammarBuilder } from './grammar-builder.ts';
import type { AutomatonState } from './language/automaton.ts';
import type { Language, Languages } from './language/languages.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';

/** What the parts of one compilation share. */
export interface Compilation {
  readonly document: SchemaDocument;
  readonly branches: Branches;
  readonly builder: GrammarBuilder;
  readonly languages: Languages;
  /** An expression for the values that satisfy all of `nodes`. */
  valueOf(nodes: readonly SchemaNode[], hint: string): Expression;
  /** Expressions that were made before, by what they stand for: dates and addresses come up again and again. */
  readonly shared: Map<string, Expression>;
  /** The automaton of `language`; undefined when it would be too large. */
  automaton(language: Language): readonly AutomatonState[] | undefined;
  /** Remembers why a value is impossible, for the case that nothing is left of the whole schema. */
  impossible(node: SchemaNode | undefined, keyword: string, why: string): Expression;
}
