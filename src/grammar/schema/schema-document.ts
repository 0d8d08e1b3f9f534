import { remembered } from '../remembered.ts';
import { isArray, isObject, own, type Json, type JsonObject } from './json-value.ts';
import { absolute, decoded, isSchema, pointerPath, schemaAt, valueAt, type Resource } from './references.ts';
import { PatternTests } from './pattern-tests.ts';
import { limits } from '../budget/limits.ts';
import { joinPath, refusal } from '../budget/refusal.ts';
import type { Work } from '../budget/work.ts';

/** One schema within a document. The same object always has the same node. */
export interface SchemaNode {
  readonly id: number;
  /** The schema; `{}` for the schemas `true` and `false`. */
  readonly schema: JsonObject;
  /** True for the schema `false`, which allows no value. */
  readonly never: boolean;
  /** The path from the document's root, as in error messages. */
  readonly path: string;
}

/** Keywords whose values are data and not schemas: a `$id` in them means nothing. */
const dataKeywords = new Set(['enum', 'const', 'default', 'examples', 'example']);
/** Keywords whose values are schemas by names, which may be those of keywords. */
const mapKeywords = new Set(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']);
/** The steps to make an address absolute. */
const stepsPerReference = 100;
const noSchema: JsonObject = {};
const defaultUri = 'schema:/root';

/** All schemas of one document, with the targets of their references. */
export class SchemaDocument {
  readonly root: SchemaNode;
  /** Counts the steps of the compilation of this document. */
  readonly work: Work;
  /** Keywords that seem to be misspelt are errors. */
  readonly strict: boolean;
  readonly patterns: PatternTests;
  /** The paths of the first keywords that are unknown and ignored. */
  readonly ignored = new Set<string>();
  readonly #nodes = new Map<JsonObject, SchemaNode>();
  readonly #never = new Map<string, SchemaNode>();
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<JsonObject, Resource>();
  /** The resource around a schema, where its `$id` may or may not begin one of its own. */
  readonly #outside = new Map<JsonObject, Resource>();
  readonly #paths = new Map<JsonObject, string>();
  readonly #containers = new Set<string>();
  /** The targets of references that were resolved before. */
  readonly #targets = new Map<string, SchemaNode>();
  /** How often each $dynamicAnchor is declared. */
  readonly #dynamicAnchors = new Map<string, number>();
  /** Whether keywords beside `$ref` have no effect, as in draft 7; undefined where the schema names no draft. */
  readonly #refHidesOthers: boolean | undefined;
  #nextId = 0;

  readonly #schema: Json;

  constructor(schema: Json, work: Work, strict: boolean) {
    this.#schema = schema;
    this.work = work;
    this.strict = strict;
    this.patterns = new PatternTests(work);
    if (isObject(schema)) {
      const named = own(schema, '$schema');
      const draft = typeof named === 'string' ? named : '';
      this.#refHidesOthers = /draft-0[3-7]/.test(draft) || (/20\d\d-\d\d/.test(draft) ? false : undefined);
      this.#register(schema);
    }
    this.root = this.node(schema, '');
  }

  /** The node of the schema at `path`. A schema that is not part of the document gets the base URI of `origin`. */
  node(schema: Json, path: string, origin?: SchemaNode): SchemaNode {
    if (schema === false)
      return remembered(this.#never, path, () => ({
        id: this.#nextId++,
        schema: noSchema,
        never: true,
        path,
      }));
    if (schema === true) return { id: -1, schema: noSchema, never: false, path };
    if (!isObject(schema)) throw refusal(path, '', 'A schema is an object or a boolean.');
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const node = { id: this.#nextId++, schema, never: false, path: this.#paths.get(schema) ?? path };
    this.#nodes.set(schema, node);
    const resource = origin === undefined ? undefined : this.#resourceOf.get(origin.schema);
    if (resource !== undefined && !this.#resourceOf.has(schema)) this.#resourceOf.set(schema, resource);
    return node;
  }

  /** The node of the schema to which `steps` lead from the root; one that allows anything where there is none. */
  at(steps: readonly (string | number)[]): SchemaNode {
    return this.node(valueAt(this.#schema, steps) ?? true, steps.reduce<string>(joinPath, ''), this.root);
  }

  /** The node of a subschema of `parent`: under `keyword`, or under the name or index `step` in it. */
  child(parent: SchemaNode, schema: Json, keyword: string, step: string | number = ''): SchemaNode {
    return this.node(schema, joinPath(joinPath(parent.path, keyword), step), parent);
  }

  /** Notes that `keyword` of `node` is ignored. */
  ignore(node: SchemaNode, keyword: string): void {
    if (this.ignored.size < limits.ignoredKeywords) this.ignored.add(joinPath(node.path, keyword));
  }

  /** Whether references point into the member `name` of the document's root, as into `components`. */
  isContainer(node: SchemaNode, name: string): boolean {
    return node === this.root && this.#containers.has(name);
  }

  /**
   * The node that the reference `ref` of `node` points to. Throws invalid_json_schema unless it is in this document,
   * and where a dynamic reference may have several targets.
   */
  resolve(node: SchemaNode, ref: string, keyword = '$ref'): SchemaNode {
    return remembered(this.#targets, `${node.id} ${keyword}`, () => this.#resolve(node, ref, keyword));
  }

  #resolve(node: SchemaNode, ref: string, keyword: string): SchemaNode {
    this.work.spend(stepsPerReference);
    const resource = this.#resourceOf.get(node.schema);
    const unknown = (why: string) => refusal(node.path, keyword, `'${ref}' ${why}`);
    const dynamic = keyword === '$dynamicRef' ? this.#dynamicAnchors.get(ref.replace(/^.*#/, '')) : undefined;
    if ((dynamic ?? 1) > 1 || (keyword === '$recursiveRef' && this.#hasSeveralRoots()))
      throw unknown('has several targets; use $ref.');
    if (resource === undefined) throw unknown('has no document to point into.');
    const [address = '', fragment = ''] = ref.split(/#(.*)/s);
    const pointer = decoded(fragment);
    if (pointer === undefined) throw unknown('is not a valid reference.');
    const bases = [resource, this.#outside.get(node.schema) ?? resource];
    const targets = bases.flatMap((base) =>
      address === '' ? base : (this.#resources.get(absolute(address, base.uri)) ?? []),
    );
    if (targets.length === 0)
      throw unknown('points outside of this schema; copy what it points to into $defs.');
    const schemas = new Set(targets.map((target) => schemaAt(target, pointer)).filter(isSchema));
    const [schema] = schemas;
    if (schema === undefined) throw unknown('points to nothing in this schema.');
    if (schemas.size > 1)
      throw unknown(
        `means something else in draft 7 than later, as there is an '$id' beside it; leave that out.`,
      );
    return this.node(schema, pointerPath(pointer));
  }

  #hasSeveralRoots(): boolean {
    this.work.spend(this.#resources.size);
    return new Set(Array.from(this.#resources.values(), ({ root }) => root)).size > 1;
  }

  /** Records the path and the resource of every object, and all anchors. */
  #register(root: JsonObject): void {
    const first: Resource = { root, uri: defaultUri, anchors: new Map() };
    const queue: { value: Json; path: string; resource: Resource; isMap: boolean }[] = [
      { value: root, path: '', resource: first, isMap: false },
    ];
    this.#resources.set(defaultUri, first);
    for (const { value, path, resource, isMap } of queue) {
      if (isArray(value))
        for (const [index, item] of value.entries())
          queue.push({ value: item, path: joinPath(path, index), resource, isMap: false });
      if (!isObject(value) || this.#resourceOf.has(value)) continue;
      const here = isMap ? resource : this.#resourceAt(value, resource);
      this.#resourceOf.set(value, here);
      this.#paths.set(value, path);
      for (const [name, part] of Object.entries(value)) {
        if (name === '$ref' && typeof part === 'string')
          this.#containers.add(/^#\/([^/]+)\/./.exec(part)?.[1] ?? '');
        const inner = { value: part, path: joinPath(path, name), resource: here };
        if (isMap || !dataKeywords.has(name))
          queue.push({ ...inner, isMap: !isMap && mapKeywords.has(name) });
      }
    }
  }

  #resourceAt(value: JsonObject, parent: Resource): Resource {
    const isRoot = value === parent.root;
    const id = own(value, '$id') ?? own(value, 'id');
    this.work.spend(id === undefined ? 1 : stepsPerReference);
    let resource = parent;
    const isHidden = !isRoot && typeof own(value, '$ref') === 'string' ? this.#refHidesOthers : false;
    // In draft 7 an anchor is written as `"$id": "#name"`.
    if (typeof id === 'string' && id.startsWith('#')) parent.anchors.set(id.slice(1), value);
    else if (
      typeof id === 'string' &&
      id !== '' &&
      (isRoot || own(value, '$id') !== undefined) &&
      isHidden !== true
    ) {
      if (isHidden === undefined) this.#outside.set(value, parent);
      const uri = absolute(id, parent.uri).replace(/#$/, '');
      resource = isRoot ? { ...parent, uri } : { root: value, uri, anchors: new Map() };
      if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = own(value, keyword);
      if (typeof anchor !== 'string') continue;
      resource.anchors.set(anchor, value);
      if (keyword === '$dynamicAnchor')
        this.#dynamicAnchors.set(anchor, (this.#dynamicAnchors.get(anchor) ?? 0) + 1);
    }
    return resource;
  }
}
