import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml';
import type { z } from 'zod';
import { errorCodeOf, messageOf } from '../../words/describe-error.ts';
import { ConfigError } from '../../errors/operator-errors.ts';
import { knownKeys } from '../values/known-keys.ts';
import { remedyFor } from './other-names.ts';
import { fileSchema, type ConfigFile } from './file-schema.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { formatPath } from '../../words/format-path.ts';

type Path = readonly PropertyKey[];

const maxFileBytes = 2 ** 20;

function offsetOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null)?.range?.[0];
}

/** Offset in the text of the deepest part of the path that the document has; in a map, of its key. */
function locate(document: Document, steps: Path): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const step of steps) {
    let found: number | undefined;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      found = offsetOf(pair?.key);
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      found = offsetOf(node);
    }
    if (found === undefined) break;
    offset = found;
  }
  return offset;
}

/** The error of the first unknown key, else of the first wrong value. */
function toConfigError({ issues }: z.ZodError, document: Document, lines: LineCounter, file: string) {
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = unknown ?? issues[0];
  if (issue === undefined) return new ConfigError(`${file}: not a valid configuration`);
  const { path: where } = issue;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const { line } = lines.linePos(locate(document, [...where, key]));
    const place = where.length === 0 ? '' : ` under ${formatPath(where)}`;
    const remedy = remedyFor(key, where, knownKeys(fileSchema, where));
    return new ConfigError(
      `${file}:${line}: unknown key "${key}"${place}; ${remedy}`,
      'rename the key or remove the line',
    );
  }
  const { line } = lines.linePos(locate(document, where));
  const shown = formatPath(where);
  const message = describeIssue(issue, document.getIn(where));
  return new ConfigError(
    `${file}:${line}: ${shown === '' ? 'the file' : shown}: ${message}`,
    'correct this line of the file',
  );
}

function readText(file: string, given: boolean): string | undefined {
  try {
    return readBounded(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = errorCodeOf(error) ?? 'unknown error';
    if (!given && (code === 'ENOENT' || !canEnter(path.dirname(file)))) return undefined;
    throw new ConfigError(`cannot read the configuration file ${file} (${code})`, 'check --config');
  }
}

/** Throws ConfigError for more than any settings have, as of a device without end. */
function readBounded(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (length > maxFileBytes)
      throw new ConfigError(
        `the configuration file ${file} has more than ${formatBytes(maxFileBytes)}`,
        'check --config',
      );
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** False in another user's private folder, as with `sudo -u hearth hearth …`: a file there is not for this user. */
function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The checked settings of a YAML text; `name` stands in messages. Throws ConfigError for the first mistake. */
export function parseConfigFile(text: string, name: string): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    const { line } = lines.linePos(syntaxError.pos[0]);
    throw new ConfigError(
      `${name}:${line}: not valid YAML: ${syntaxError.message}`,
      'check indentation and quotes',
    );
  }
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const { line } = lines.linePos(key.range?.[0] ?? 0);
      throw new ConfigError(`${name}:${line}: __proto__ cannot be a name`, 'choose another one');
    },
  });
  const result = fileSchema.safeParse(toPlain(document, lines, text, name) ?? {});
  if (result.success) return result.data;
  throw toConfigError(result.error, document, lines, name);
}

/** Throws ConfigError for aliases without an anchor, and for those that would make a small file a huge one. */
function toPlain(document: Document, lines: LineCounter, text: string, name: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const alias = /: (\S+)$/.exec(messageOf(error))?.[1] ?? '';
    const { line } = lines.linePos(Math.max(0, text.indexOf(`*${alias}`)));
    throw new ConfigError(`${name}:${line}: not valid YAML: ${messageOf(error)}`, 'write the values out');
  }
}

/** The `dataDir` in a file that has mistakes; undefined where it cannot be made out. Never throws. */
export function dataDirIn(file: string): string | undefined {
  try {
    const dataDir: unknown = parseDocument(readBounded(file)).get('dataDir');
    return typeof dataDir === 'string' && dataDir !== '' ? dataDir : undefined;
  } catch {
    return undefined;
  }
}

/** The settings in `file`; undefined: it is not there, and was not named. Throws ConfigError. */
export function readConfigFile(file: string, given: boolean): ConfigFile | undefined {
  const text = readText(file, given);
  return text === undefined ? undefined : parseConfigFile(text, path.basename(file));
}

type Issue = z.core.$ZodIssue;

const zodWords = /^(?:Invalid|Too|Expected|Unrecognized)/;

const expectedForms: Readonly<Record<string, string>> = {
  array: 'must be a list, whose entries begin with "- " or stand in [ ]',
  object: 'must be a map, with lines of the form "key: value" or { key: value }',
  record: 'must be a map, with lines of the form "key: value" or { key: value }',
  string: 'must be a text; put it in quotes where it looks like a number',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
};

/** The fault of a value, in the words of somebody who writes YAML; it completes a sentence about its key. */
function describeIssue(issue: Issue, given: unknown): string {
  if (given === null) return 'has no value: write one, or remove the line';
  // A size or a duration tells more than that it may be one.
  const told = issue.code === 'invalid_union' && issue.errors.flat().find(({ code }) => code === 'custom');
  if (told) return told.message;
  // Where the schema has words of its own, they tell more.
  if (!zodWords.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const form = expectedForms[issue.expected] ?? issue.message;
      return given === undefined ? `is missing: it ${form}` : form;
    }
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'array'
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_key':
      // The fault of a key that is a name of its own, such as a label, stands inside the issue.
      return (issue.issues[0] ?? issue).message;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return issue.message;
    default:
      return issue satisfies never;
  }
}
