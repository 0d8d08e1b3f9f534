import { remembered } from '../remembered.ts';
import { AppError } from '../../errors/errors.ts';
import { groupsOf, presencesOf, type Branch, type BranchGroup } from './branch-groups.ts';
import { includedNodes } from '../schema/subschemas.ts';
import { canonicalText } from '../schema/json-text.ts';
import { own } from '../schema/json-value.ts';
import { checkKeywords } from '../schema/check-keywords.ts';
import { limits } from '../budget/limits.ts';
import { propertyNodes, requiredNames } from '../schema/object-members.ts';
import { allowedTypes, namedValues, plausible } from '../logic/plausible.ts';
import { refusal } from '../budget/refusal.ts';
import type { Tags } from './rivals.ts';
import type { SchemaDocument, SchemaNode } from '../schema/schema-document.ts';

/** Schemas that one value has to satisfy together, after every choice between branches was made. */
export type Conjunction = readonly SchemaNode[];

/** How many levels of required properties are compared to find out whether a value can match two branches. */
const lookDepth = 3;
/** How many ways to exclude something are used; one would be enough. */
const exclusionWays = 4;

/** Keywords that constrain a value themselves, apart from choices between schemas and included schemas. */
const ownConstraints = (
  'type enum const not minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern ' +
  'format items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains properties ' +
  'required additionalProperties patternProperties propertyNames unevaluatedProperties minProperties maxProperties'
).split(' ');

/** One place on the way from a schema to the schemas that it includes; shows when that way is a circle. */
interface Trail {
  readonly node: SchemaNode;
  readonly before: Trail | undefined;
}

interface State {
  readonly nodes: ReadonlyMap<SchemaNode, Trail>;
  readonly groups: readonly (BranchGroup & { readonly trail: Trail | undefined })[];
}

/**
 * Takes schemas apart into alternatives: of `{anyOf: [a, b], …}`, one alternative holds `a` and one `b`. A loose one
 * may allow more values than the schemas do; it serves to find out whether there can be any.
 */
export class Branches {
  readonly #document: SchemaDocument;
  readonly #loose: boolean;
  readonly #looser: Branches | undefined;
  readonly #known = new Map<string, readonly Conjunction[]>();
  #steps = 0;

  constructor(document: SchemaDocument, loose = false) {
    this.#document = document;
    this.#loose = loose;
    this.#looser = loose ? undefined : new Branches(document, true);
  }

  /** The alternatives of `nodes`: a value satisfies all of `nodes` when it satisfies one alternative. */
  alternatives(nodes: readonly SchemaNode[]): readonly Conjunction[] {
    const key = conjunctionKey(nodes);
    this.#document.work.spend(3 + nodes.length);
    return remembered(this.#known, key, () =>
      this.#loose ? this.#looseAlternatives(nodes) : this.#takenApart(nodes),
    );
  }

  #takenApart(nodes: readonly SchemaNode[]): readonly Conjunction[] {
    const all = this.#including({ nodes: new Map(), groups: [] }, nodes, undefined);
    const presences = presencesOf(this.#document, [...(all?.nodes.keys() ?? [])], all?.groups ?? []);
    const chosen = presences.map((group) => ({ ...group, trail: undefined }));
    const start = all && { ...all, groups: [...chosen, ...all.groups] };
    const [{ node, keyword } = { node: nodes[0], keyword: '' }] = start?.groups ?? [];
    const found =
      start === undefined
        ? []
        : this.#document.work.during(node?.path ?? '', keyword, () => this.#follow(start));
    return [...new Map(found.map((conjunction) => [conjunctionKey(conjunction), conjunction])).values()];
  }

  /** The same where schemas that are too large or refused count as schemas that allow any value. */
  #looseAlternatives(nodes: readonly SchemaNode[]): readonly Conjunction[] {
    try {
      return this.#takenApart(nodes);
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_json_schema') return [[]];
      throw error;
    }
  }

  /**
   * False only when it is certain that no value satisfies all of `nodes`, from `depth` levels of required properties.
   */
  mayHold(nodes: readonly SchemaNode[], depth = lookDepth): boolean {
    if (depth === 0) return true;
    if (this.#looser !== undefined) return this.#looser.mayHold(nodes, depth);
    return this.alternatives(nodes).some((conjunction) => this.#plausible(conjunction, depth));
  }

  /** The texts by which values of `nodes` can be told from others; see `Tags`. */
  tagsOf(nodes: readonly SchemaNode[]): Tags {
    if (this.#looser !== undefined) return this.#looser.tagsOf(nodes);
    const alternatives = this.alternatives(nodes);
    const values = this.#textsOf(alternatives);
    if (values !== undefined) return new Map([['', values]]);
    const [first, ...others] = alternatives;
    if (first === undefined || others.length > 0) return new Map();
    if ([...allowedTypes(first)].join(' ') !== 'object') return new Map();
    const tags = new Map<string, ReadonlySet<string>>();
    for (const name of requiredNames(first)) {
      const texts = this.#textsOf(this.alternatives(propertyNodes(this.#document, first, name)));
      if (texts !== undefined) tags.set(`.${name}`, texts);
    }
    return tags;
  }

  /** The texts of the values of all `alternatives`; undefined unless each of them spells its values out. */
  #textsOf(alternatives: readonly Conjunction[]): ReadonlySet<string> | undefined {
    const texts = new Set<string>();
    for (const conjunction of alternatives) {
      const values = namedValues(this.#document, conjunction);
      if (values === undefined) return undefined;
      for (const value of values) texts.add(canonicalText(value));
    }
    return texts;
  }

  #plausible(conjunction: Conjunction, depth: number): boolean {
    return plausible(this.#document, conjunction, (property) => this.mayHold(property, depth - 1));
  }

  #follow(state: State): readonly Conjunction[] {
    const conjunction = [...state.nodes.keys()].filter(hasOwnConstraint);
    if (!this.#plausible(conjunction, this.#loose ? 1 : 2)) return [];
    const [group, ...rest] = state.groups;
    if (group === undefined) return [conjunction];
    const found: Conjunction[] = [];
    let oddity = 0;
    for (const branch of group.branches) {
      if (group.plainFirst && found.length > 0 && branch.oddity > oddity) break;
      oddity = branch.oddity;
      this.#spend(group);
      // Most ways to exclude something are of another type: this quick look at the types drops them.
      if (allowedTypes([...branch.nodes, ...conjunction]).size === 0) continue;
      // The ways to exclude its schemas are chosen last, but a branch with none that is plausible ends here.
      const ways = ({ branches }: BranchGroup) =>
        branches.some(({ nodes }) => this.#plausible([...conjunction, ...nodes], 1));
      if (!branch.groups.every(ways)) continue;
      const next = this.#taking({ nodes: state.nodes, groups: rest }, branch, group.trail);
      if (next !== undefined) found.push(...this.#follow(next));
      if (group.optional && found.length >= exclusionWays) break;
      if (found.length > limits.combinations) throw tooMany(group);
    }
    return found;
  }

  #taking(state: State, branch: Branch, trail: Trail | undefined): State | undefined {
    const groups = branch.groups.map((group) => ({ ...group, trail }));
    return this.#including({ nodes: state.nodes, groups: [...state.groups, ...groups] }, branch.nodes, trail);
  }

  /** `state` with `nodes` and the schemas that they include; undefined when one of these allows no value. */
  #including(state: State, nodes: readonly SchemaNode[], trail: Trail | undefined): State | undefined {
    const all = new Map(state.nodes);
    this.#document.work.spend(10 + 2 * all.size + 2 * state.groups.length);
    const seen = new Set(all.keys());
    const groups = [...state.groups];
    // Included schemas come first, so that the properties of a base come before those that extend it.
    const visit = (place: Trail): boolean => {
      const { node } = place;
      if (node.never) return false;
      for (let earlier = place.before; earlier !== undefined; earlier = earlier.before) {
        this.#document.work.spend(1);
        if (earlier.node === node) {
          if (this.#loose) return false;
          throw refusal(node.path, '$ref', 'it refers to itself without a property or an item in between.');
        }
      }
      if (node.id < 0 || seen.has(node)) return true;
      seen.add(node);
      this.#document.work.spend(30);
      if (!this.#loose) checkKeywords(this.#document, node);
      const included = includedNodes(this.#document, node);
      if (!included.every((one) => visit({ node: one, before: place }))) return false;
      all.set(node, place);
      for (const group of groupsOf(this.#document, node, this.#loose ? 'loose' : this))
        groups.push({ ...group, trail: place });
      return true;
    };
    return nodes.every((node) => visit({ node, before: trail })) ? { nodes: all, groups } : undefined;
  }

  #spend(group: BranchGroup): void {
    this.#steps += 1;
    if (this.#steps > limits.branchSteps) throw tooMany(group);
  }
}

const tooMany = ({ node, keyword }: BranchGroup) =>
  refusal(
    node.path,
    keyword,
    `it combines with others into more than ${limits.combinations} cases; use fewer branches.`,
  );

const constrained = new WeakMap<SchemaNode, boolean>();

const hasOwnConstraint = (node: SchemaNode): boolean =>
  remembered(constrained, node, () =>
    ownConstraints.some((keyword) => own(node.schema, keyword) !== undefined),
  );

/** A text that is the same for the same schemas in any order. */
export const conjunctionKey = (nodes: readonly SchemaNode[]): string =>
  [...new Set(nodes.map((node) => (node.never ? `${node.id}!` : String(node.id))))].sort().join(',');
