import { isArray, isObject, own, type Json, type JsonObject } from './json-value.ts';
import { PatternTests } from './pattern-tests.ts';
import { joinPath, refusal } from '../refusal.ts';
import type { Work } from '../work.ts';

/** One schema of a document: the same object is always the same node. */
export interface SchemaNode {
  readonly id: number;
  /** `true` and `false` are kept as `{}` and as `never`. */
  readonly schema: JsonObject;
  /** The schema `false`. */
  readonly never: boolean;
  /** From the document's root, as in error messages. */
  readonly path: string;
}

interface Resource {
  readonly root: JsonObject;
  readonly uri: string;
  readonly anchors: Map<string, JsonObject>;
}

/** Keywords whose values are data and not schemas: what looks like `$id` in them is none. */
const dataKeywords = new Set(['enum', 'const', 'default', 'examples', 'example']);
/** What it takes to make an address absolute. */
const stepsPerReference = 100;
const noSchema: JsonObject = {};
const defaultUri = 'schema:/root';

/** The schema's nodes and what their references point to. */
export class SchemaDocument {
  readonly root: SchemaNode;
  /** What the compilation of this document has taken so far. */
  readonly work: Work;
  readonly patterns: PatternTests;
  readonly #nodes = new Map<JsonObject, SchemaNode>();
  readonly #never = new Map<string, SchemaNode>();
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<JsonObject, Resource>();
  readonly #paths = new Map<JsonObject, string>();
  readonly #containers = new Set<string>();
  /** What the references of nodes point to. */
  readonly #targets = new Map<string, SchemaNode>();
  /** How often each name is declared. */
  readonly #dynamicAnchors = new Map<string, number>();
  #nextId = 0;

  constructor(schema: Json, work: Work) {
    this.work = work;
    this.patterns = new PatternTests(work);
    if (isObject(schema)) this.#register(schema);
    this.root = this.node(schema, '');
  }

  /** The node of a schema that stands at `path`; `origin` lends a schema made here its place and base URI. */
  node(schema: Json, path: string, origin?: SchemaNode): SchemaNode {
    if (schema === false) {
      const known = this.#never.get(path);
      if (known !== undefined) return known;
      const node = { id: this.#nextId++, schema: noSchema, never: true, path };
      this.#never.set(path, node);
      return node;
    }
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

  /** The subschema under `keyword`, or under one name or index in it. */
  child(parent: SchemaNode, schema: Json, keyword: string, step: string | number = ''): SchemaNode {
    return this.node(schema, joinPath(joinPath(parent.path, keyword), step), parent);
  }

  /** Whether `name` at the document's root holds schemas that references point into, such as `components`. */
  isContainer(node: SchemaNode, name: string): boolean {
    return node === this.root && this.#containers.has(name);
  }

  /**
   * The node that `ref` of `node` points to. Throws invalid_json_schema unless it is inside this document, and for a
   * dynamic reference unless that always has the same target.
   */
  resolve(node: SchemaNode, ref: string, keyword = '$ref'): SchemaNode {
    const key = `${node.id} ${keyword}`;
    let target = this.#targets.get(key);
    if (target === undefined) this.#targets.set(key, (target = this.#resolve(node, ref, keyword)));
    return target;
  }

  #resolve(node: SchemaNode, ref: string, keyword: string): SchemaNode {
    this.work.spend(stepsPerReference);
    const resource = this.#resourceOf.get(node.schema);
    const unknown = (why: string) => refusal(node.path, keyword, `'${ref}' ${why}`);
    const dynamic = keyword === '$dynamicRef' ? this.#dynamicAnchors.get(ref.replace(/^.*#/, '')) : undefined;
    if ((dynamic ?? 1) > 1 || (keyword === '$recursiveRef' && this.#hasSeveralRoots()))
      throw unknown('has several targets; use $ref.');
    if (resource === undefined) throw unknown('has no document to point into.');
    const [address = '', fragment = ''] = splitOnce(ref, '#');
    let target: Resource | undefined = resource;
    if (address !== '') target = this.#resources.get(absolute(address, resource.uri));
    if (target === undefined)
      throw unknown('points outside of this schema; copy what it points to into $defs.');
    let schema: Json | undefined = target.root;
    const pointer = decoded(fragment);
    if (pointer === undefined) throw unknown('is not a valid reference.');
    if (pointer !== '' && !pointer.startsWith('/')) schema = target.anchors.get(pointer);
    else
      for (const step of pointer.split('/').slice(1)) {
        const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
        if (isArray(schema)) schema = schema[Number(name)];
        else schema = isObject(schema) ? own(schema, name) : undefined;
      }
    if (typeof schema !== 'boolean' && !isObject(schema)) throw unknown('points to nothing in this schema.');
    return this.node(schema, pointerPath(pointer));
  }

  #hasSeveralRoots(): boolean {
    this.work.spend(this.#resources.size);
    return new Set(Array.from(this.#resources.values(), ({ root }) => root)).size > 1;
  }

  /** Notes for every object its place, the resource that it belongs to, and the anchors. */
  #register(root: JsonObject): void {
    const first: Resource = { root, uri: defaultUri, anchors: new Map() };
    const queue: { value: Json; path: string; resource: Resource }[] = [
      { value: root, path: '', resource: first },
    ];
    this.#resources.set(defaultUri, first);
    for (const { value, path, resource } of queue) {
      if (isArray(value))
        for (const [index, item] of value.entries())
          queue.push({ value: item, path: joinPath(path, index), resource });
      if (!isObject(value) || this.#resourceOf.has(value)) continue;
      const here = this.#resourceAt(value, resource);
      this.#resourceOf.set(value, here);
      this.#paths.set(value, path);
      for (const [name, part] of Object.entries(value)) {
        if (name === '$ref' && typeof part === 'string')
          this.#containers.add(/^#\/([^/]+)\/./.exec(part)?.[1] ?? '');
        if (!dataKeywords.has(name)) queue.push({ value: part, path: joinPath(path, name), resource: here });
      }
    }
  }

  #resourceAt(value: JsonObject, parent: Resource): Resource {
    const id = own(value, '$id') ?? own(value, 'id');
    this.work.spend(id === undefined ? 1 : stepsPerReference);
    let resource = parent;
    // Draft 7 spells an anchor `"$id": "#name"`.
    if (typeof id === 'string' && id.startsWith('#')) parent.anchors.set(id.slice(1), value);
    else if (typeof id === 'string' && id !== '' && own(value, '$id') !== undefined) {
      const uri = absolute(id, parent.uri).replace(/#$/, '');
      resource = value === parent.root ? { ...parent, uri } : { root: value, uri, anchors: new Map() };
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

function absolute(uri: string, base: string): string {
  return URL.canParse(uri, base) ? new URL(uri, base).href : uri;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

const pointerPath = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .reduce((path, step) => joinPath(path, step.replaceAll('~1', '/').replaceAll('~0', '~')), '');
