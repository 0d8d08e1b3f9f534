import { editDistance } from '../../words/edit-distance.ts';
import { nearestName } from '../../words/nearest-names.ts';
import { isKnownFormat } from '../language/format-patterns.ts';
import { refusal } from '../budget/refusal.ts';
import { countOf, flagOf, listOf, membersOf, namesOf, numberOf, textOf } from './keywords.ts';
import type { SchemaDocument, SchemaNode } from './schema-document.ts';

/** Keywords that constrain values and are supported. Where one cannot be honoured, the schema is refused. */
const constraints = new Set(
  (
    'type enum const allOf anyOf oneOf not if then else $ref $dynamicRef $recursiveRef nullable ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minLength maxLength pattern format ' +
    'items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains minContains maxContains ' +
    'properties required additionalProperties patternProperties propertyNames unevaluatedProperties ' +
    'minProperties maxProperties dependencies dependentRequired dependentSchemas'
  ).split(' '),
);

/** Keywords of other drafts, of proposals and of validators that constrain values and are not supported. */
const unsupported = new Set(
  (
    '$merge $patch $data disallow divisibleBy extends propertyDependencies ' +
    'formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum uniqueItemProperties instanceof ' +
    'regexp range exclusiveRange patternRequired prohibited deepRequired deepProperties allRequired anyRequired ' +
    'oneRequired select selectCases selectDefault'
  ).split(' '),
);

/** Keywords of the drafts, of OpenAPI and of editors that describe values without constraining them. */
const annotations = new Set(
  (
    '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $comment $vocabulary $defs definitions components ' +
    'title description default example examples ' +
    'deprecated readOnly writeOnly contentSchema contentMediaType contentEncoding externalDocs xml discriminator ' +
    'enumNames enumDescriptions markdownDescription markdownEnumDescriptions defaultSnippets errorMessage ' +
    'patternErrorMessage deprecationMessage doNotSuggest suggestSortText allowComments allowTrailingCommas ' +
    'enumTitles enumLabels enumItemLabels enumDeprecationMessages enumDetails messages invalidMessage errorMessages ' +
    'tsType tsEnumNames javaType existingJavaType goType order propertyOrder options strict intellisense scope ' +
    'label placeholder hint help widget hidden unit units since version $version deprecationReason replacement ' +
    'fileMatch displayName keywords license author copyright base links media binaryEncoding info tags ' +
    'additionalDescription notes see references translations i18n i18nKey internal sensitive ' +
    'isIdentifier aliases propertyDescriptions example_value typeName originalRef'
  ).split(' '),
);
const annotationPrefixes = ['x-', 'x_', 'ui:', 'meta:', '@', '//', '__', 'vscode', 'monaco'];

/** Whether `keyword` constrains values, and is supported. */
export const isConstraint = (keyword: string): boolean => constraints.has(keyword);

/**
 * Throws invalid_json_schema where `node` has a keyword that constrains values and is not supported, or a value of the
 * wrong type, and in a strict document where it has a keyword that seems to be misspelt. Keywords and formats that are
 * unknown are annotations, as JSON Schema says: the document notes that they are ignored.
 */
export function checkKeywords(document: SchemaDocument, node: SchemaNode): void {
  if (checked.has(node)) return;
  for (const keyword of Object.keys(node.schema)) {
    if (annotations.has(keyword)) continue;
    if (constraints.has(keyword)) {
      // The value is checked even where the keyword has no effect: `required: true` beside a string is a mistake.
      for (const [read, keywords] of readers) if (keywords.has(keyword)) read(node, keyword);
      continue;
    }
    if (annotationPrefixes.some((prefix) => keyword.startsWith(prefix))) continue;
    if (node.schema[keyword] === undefined || document.isContainer(node, keyword)) continue;
    if (unsupported.has(keyword))
      throw refusal(node.path, keyword, 'it is not supported; say the same with keywords of draft 2020-12.');
    const meant = document.strict ? lookalike(document, keyword) : undefined;
    if (meant !== undefined)
      throw refusal(node.path, keyword, `it is unknown; write '${meant}', or begin its name with 'x-'.`);
    document.ignore(node, keyword);
  }
  const format = textOf(node, 'format');
  if (format !== undefined && !isKnownFormat(format)) document.ignore(node, 'format');
  document.work.spend(10 * Object.keys(node.schema).length);
  checked.add(node);
}

const checked = new WeakSet<SchemaNode>();

/** The supported keyword that `keyword` seems to be a misspelling of, if any. */
function lookalike({ work }: SchemaDocument, keyword: string): string | undefined {
  // An underscore is a common way to take a keyword out of a schema.
  if (keyword.startsWith('_')) return undefined;
  work.spend(200);
  const meant = nearestName(keyword, longConstraints);
  const edits = meant === undefined ? Infinity : editDistance(keyword.toLowerCase(), meant.toLowerCase());
  return edits <= (keyword.length < 10 ? 1 : 2) ? meant : undefined;
}

/** Short words such as `if` are near to many others. */
const longConstraints = [...constraints].filter((keyword) => keyword.length > 3);

const keywordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Functions that throw where a keyword has a value of the wrong type, with the keywords that they are for. */
const readers: readonly (readonly [
  read: (node: SchemaNode, keyword: string) => unknown,
  keywords: ReadonlySet<string>,
])[] = [
  [numberOf, keywordsOf('minimum maximum multipleOf')],
  [
    countOf,
    keywordsOf('minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties'),
  ],
  [textOf, keywordsOf('$ref $dynamicRef $recursiveRef pattern format')],
  [flagOf, keywordsOf('nullable uniqueItems')],
  [membersOf, keywordsOf('properties patternProperties dependencies dependentRequired dependentSchemas')],
  [namesOf, keywordsOf('required')],
  [listOf, keywordsOf('enum allOf anyOf oneOf prefixItems')],
];
