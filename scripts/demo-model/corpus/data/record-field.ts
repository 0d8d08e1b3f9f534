import type { RecordKind } from '../json/record-values.ts';
import { words } from './rows.ts';

/** One field of a record: how a sentence about its subject says it. */
export interface RecordField {
  /** Any of them may be asked for. */
  readonly keys: readonly string[];
  readonly kind: RecordKind | 'words';
  /** `{}` stands for the value; flags have two lists instead. */
  readonly clauses: readonly string[];
  readonly negated?: readonly string[];
}

/** Things people extract facts about; the first field is the subject of the sentence. */
export interface RecordSubject {
  readonly subject: {
    readonly keys: readonly string[];
    readonly kind: RecordKind;
    readonly lead: readonly string[];
  };
  readonly fields: readonly RecordField[];
}

export const field = (keys: string, kind: RecordField['kind'], ...clauses: string[]): RecordField => ({
  keys: words(keys),
  kind,
  clauses,
});

export const flag = (keys: string, is: string, ...isNot: string[]): RecordField => ({
  keys: words(keys),
  kind: 'flag',
  clauses: [is],
  negated: isNot,
});
