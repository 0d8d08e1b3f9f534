import type { RandomStream } from '../../make/random-stream.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
}

const mostDepth = 6;
/** Of which people, clocks, databases and doubles think differently. */
const strangeNumbers = [0, -0, -1, 1, 0.1, 0.0001, 1.001, 1e-9, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308];
const strangeTexts = [
  '', ' ', 'a', 'tiny', 'auto', 'none', 'local', '1d', '0', '1e3', '2026-02-30', '__proto__', 'constructor', '\u0000',
  '\ud800', '\u202e', '../../etc/passwd', '%', 'file-none', 'data:,', 'x'.repeat(5000), '💥'.repeat(40), "'; drop table keys; --",
]; // prettier-ignore
const strange = [null, true, false, [], {}, [[]], [null], { a: 1 }, ...strangeNumbers, ...strangeTexts];

/** Values of schemas, and values beside them. */
export class SchemaValues {
  readonly #named: Readonly<Record<string, JsonSchema>>;
  readonly #random: RandomStream;

  constructor(named: Readonly<Record<string, JsonSchema>>, random: RandomStream) {
    this.#named = named;
    this.#random = random;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#random.uniform() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  /** A value of the schema in which, most often, one place holds anything. */
  changed(schema: JsonSchema): unknown {
    const value = this.of(schema);
    return this.#random.uniform() < 0.3 ? value : this.#changedIn(value);
  }

  /** A value that fits the schema as far as types, names and bounds tell. */
  of(schema: JsonSchema, depth = 0): unknown {
    const { $ref, enum: choices, anyOf, oneOf, allOf } = schema;
    if ($ref !== undefined) return this.of(this.#named[$ref.split('/').at(-1) ?? ''] ?? {}, depth);
    if ('const' in schema) return schema.const;
    if (choices !== undefined) return this.pick(choices);
    const ways = anyOf ?? oneOf;
    if (ways !== undefined) return this.of(this.pick(ways), depth + 1);
    if (allOf !== undefined)
      return Object.assign({}, ...allOf.map((one) => this.of(one, depth + 1))) as unknown;
    const type = typeof schema.type === 'object' ? this.pick(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array': {
        const length =
          depth > mostDepth ? 0 : (schema.minItems ?? 0) + Math.floor(this.#random.uniform() * 3);
        return Array.from({ length }, () => this.of(schema.items ?? {}, depth + 1));
      }
      case 'integer':
      case 'number':
        return this.#number(schema, type === 'integer');
      case 'string':
        return this.pick(strangeTexts);
      case 'boolean':
        return this.pick([true, false]);
      case 'null':
        return null;
      case undefined:
      default:
        return this.pick(strange);
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: JsonSchema, depth: number): unknown {
    const share = depth === 0 ? 0.07 : 0.4;
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || (depth < mostDepth && this.#random.uniform() < share),
    );
    const own = names.map((name) => {
      // Few strings name the model that there is, and without one nothing else is looked at.
      const isModel = name === 'model' && this.#random.uniform() < 0.9;
      return [name, isModel ? 'tiny' : this.of(properties[name] ?? {}, depth + 1)] as const;
    });
    const further =
      typeof additionalProperties === 'object'
        ? [[this.pick(strangeTexts), this.of(additionalProperties, depth + 1)] as const]
        : [];
    return Object.fromEntries([...own, ...further]);
  }

  #number({ minimum, maximum, exclusiveMinimum }: JsonSchema, isWhole: boolean): number {
    const bounds = [minimum, maximum, exclusiveMinimum].filter((bound) => bound !== undefined);
    const [least, most] = [minimum ?? exclusiveMinimum ?? -1000, maximum ?? 1000];
    const between = least + this.#random.uniform() * (Math.min(most, least + 1e6) - least);
    const number = this.pick([...bounds, between, between, between, ...strangeNumbers]);
    return isWhole ? Math.trunc(number) : number;
  }

  /** `value` with something else in one of its places, or with a name more. */
  #changedIn(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.#random.uniform() < 0.15)
      return this.pick(strange);
    const keys = Object.keys(value);
    if (keys.length === 0 || this.#random.uniform() < 0.1)
      return Array.isArray(value)
        ? [...value, this.pick(strange)]
        : { ...value, [this.pick(strangeTexts)]: this.pick(strange) };
    const key = this.pick(keys);
    const changed: unknown = this.#changedIn((value as Record<string, unknown>)[key]);
    return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
  }
}
