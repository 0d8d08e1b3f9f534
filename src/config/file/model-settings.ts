import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml';
import { ConfigError } from '../../errors/operator-errors.ts';
import { errorCodeOf } from '../../words/describe-error.ts';
import type { modelShape } from './file-schema.ts';
import { parseConfigFile } from './read-config-file.ts';

/** Settings of a model that may be changed while hearth runs, under their names in the configuration file. */
export const changeableSettings = [
  'context',
  'gpuLayers',
  'keepAlive',
  'temperature',
  'top_p',
  'stop',
  'system',
] as const satisfies readonly (keyof typeof modelShape)[];

export type ModelSettingsChange = Partial<Record<(typeof changeableSettings)[number], unknown>>;

/**
 * Settings of models in the configuration file, which has them alone: a change is made as an editor would make it, so
 * that comments and all else stay as they are.
 */
export class EntrySettings {
  readonly path: string;
  readonly #reload: () => Promise<unknown>;
  /** One change is made after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** `reload` reads the whole configuration again and puts it into force; it rejects where it cannot. */
  constructor(file: string, reload: () => Promise<unknown>) {
    this.path = file;
    this.#reload = reload;
  }

  /** The settings of the model `id` in the file; null: none. Throws ConfigError. */
  of(id: string): ModelSettingsChange {
    const entry = entryIn(this.#parse(this.#text()), id);
    const said = (entry?.toJSON() ?? {}) as ModelSettingsChange;
    return Object.fromEntries(changeableSettings.map((name) => [name, said[name] ?? null]));
  }

  /**
   * Writes `change` into the file, where null removes a setting, and puts it into force. Rejects with ConfigError, or
   * with the reason why it cannot be put into force; the file is then as it was.
   */
  async change(id: string, change: ModelSettingsChange): Promise<void> {
    const changed = this.#last.then(() => this.#change(id, change));
    this.#last = changed.catch(() => undefined);
    await changed;
  }

  async #change(id: string, change: ModelSettingsChange): Promise<void> {
    const old = this.#text();
    const document = this.#parse(old);
    const entry = entryIn(document, id) ?? addEntry(document, id);
    for (const [name, value] of Object.entries(change)) {
      if (value === null) entry.delete(name);
      // A value in the place of another one keeps the comment behind it.
      else entry.set(name, Array.isArray(value) ? document.createNode(value) : value);
    }
    const text = document.toString({ lineWidth: 0 });
    parseConfigFile(text, path.basename(this.path));
    this.#write(text);
    try {
      await this.#reload();
    } catch (error) {
      if (old === undefined) rmSync(this.path);
      else this.#write(old);
      throw error;
    }
  }

  /** undefined: there is no file. */
  #text(): string | undefined {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8') : undefined;
  }

  #parse(text = ''): Document {
    parseConfigFile(text, path.basename(this.path));
    return parseDocument(text);
  }

  /** Whoever reads the file meanwhile has the old one or the new one, whole. A link stays one. */
  #write(text: string): void {
    const file = existsSync(this.path) ? realpathSync(this.path) : this.path;
    const beside = `${file}.${process.pid}.new`;
    try {
      writeFileSync(beside, text, { mode: existsSync(file) ? statSync(file).mode : 0o644 });
      renameSync(beside, file);
    } catch (error) {
      rmSync(beside, { force: true });
      throw new ConfigError(`${file} cannot be written (${errorCodeOf(error) ?? 'unknown error'})`);
    }
  }
}

function entryIn(document: Document, id: string): YAMLMap | undefined {
  const models = document.get('models');
  const entry = isSeq(models) ? models.items.find((item) => isMap(item) && item.get('id') === id) : undefined;
  return isMap(entry) ? entry : undefined;
}

function addEntry(document: Document, id: string): YAMLMap {
  if (document.contents === null) document.contents = document.createNode({});
  const entry = document.createNode({ id });
  if (document.has('models')) document.addIn(['models'], entry);
  else document.set('models', [entry]);
  return entry;
}
