import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors/errors.ts';
import { ChatTemplate } from '../prompt/chat-template.ts';
import { constrainAnswer, type AnswerDemand } from '../prompt/constrain-answer.ts';
import type { TemplateRender } from '../prompt/probe/template-probe.ts';
import {
  hashOf,
  type KnownTemplate,
  type SchemaProgress,
  type TemplateSource,
  type SandboxJob,
  type SandboxOutcome,
} from './sandbox-job.ts';
import { messageOf } from '../../words/describe-error.ts';
import { compileSchema, type CompileOptions } from '../../grammar/compile-schema.ts';
import type { CompiledSchema } from '../../grammar/gbnf.ts';

/**
 * Remembers the rules of the schemas that each API key used last. They are found by the schema's JSON as it was written,
 * with the order of properties, since documents follow that order.
 */
export class GrammarCache {
  readonly #compiled: LRUCache<string, CompiledSchema>;

  constructor(entries = 128) {
    this.#compiled = new LRUCache({ max: entries, maxSize: 32 * 2 ** 20 });
  }

  /** As `compileSchema`; a refusal is not remembered. */
  compile(keyId: string, schema: unknown, options: Omit<CompileOptions, 'work'> = {}): CompiledSchema {
    const key = hashOf(JSON.stringify([keyId, options, schema]));
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const compiled = compileSchema(schema, options);
    this.#compiled.set(key, compiled, { size: 1 + [...compiled.rules.values()].join('').length });
    return compiled;
  }
}

export interface SandboxWork {
  readonly createRenderer: (source: string) => TemplateRender;
  readonly tellProgress: (progress: SchemaProgress) => void;
}

/** How many templates a process knows. */
const mostTemplates = 8;
/** The longest prompt: no model's context has room for more characters. */
const mostPromptChars = 16 * 2 ** 20;
/** The most characters of a template's facts, which are sent to each process. */
const mostFactsChars = 2 ** 18;

const combining = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not', 'dependentSchemas']);
const patterned = new Set(['pattern', 'patternProperties']);

/** By id. */
const templates = new LRUCache<string, ChatTemplate>({ max: mostTemplates });
const grammars = new GrammarCache();

/** The outcome of a job. Never throws, but may run without end. */
export function doTurnJob(job: SandboxJob, work: SandboxWork): SandboxOutcome {
  try {
    switch (job.kind) {
      case 'facts':
        return readFacts(job, work);
      case 'prompt':
        return renderPrompt(job, work);
      case 'constraint':
        return constrain(job, work);
    }
  } catch (error) {
    if (error instanceof AppError)
      return { kind: 'refused', code: error.code, message: error.message, param: error.param };
    return { kind: 'raised', message: messageOf(error) };
  }
}

function openTemplate(id: string, given: TemplateSource | KnownTemplate, work: SandboxWork): ChatTemplate {
  const template = new ChatTemplate({ ...given, render: work.createRenderer(given.source) });
  templates.set(id, template);
  return template;
}

function readFacts(job: SandboxJob & { readonly kind: 'facts' }, work: SandboxWork): SandboxOutcome {
  const { facts } = openTemplate(job.templateId, job.template, work);
  if (JSON.stringify(facts).length > mostFactsChars)
    return { kind: 'raised', message: 'what it writes around messages is too long' };
  return { kind: 'facts', facts };
}

function renderPrompt(
  { templateId: id, template: given, conversation }: SandboxJob & { readonly kind: 'prompt' },
  work: SandboxWork,
): SandboxOutcome {
  const template = templates.get(id) ?? (given && openTemplate(id, given, work));
  if (template === undefined) return { kind: 'unknown-template' };
  const prompt = template.renderPrompt(conversation);
  if (prompt.text.length <= mostPromptChars) return { kind: 'prompt', prompt };
  throw new AppError(
    'context_length_exceeded',
    `The prompt has more than ${mostPromptChars.toLocaleString('en')} characters. Shorten it.`,
    { param: 'messages' },
  );
}

function constrain(
  { demand: text, keyId }: SandboxJob & { readonly kind: 'constraint' },
  { tellProgress }: SandboxWork,
): SandboxOutcome {
  const demand = JSON.parse(text) as AnswerDemand;
  const constraint = constrainAnswer(demand, {
    compile: (schema, options) => grammars.compile(keyId, schema, options),
    onSchema: (path, schema) => tellProgress({ path, content: describeSchema(schema) }),
  });
  return { kind: 'constraint', constraint };
}

/** The size of a schema in words, as in `4,211 values, 3 patterns, 12 combinations of schemas`. */
function describeSchema(schema: unknown): string {
  const counts = { values: 0, patterns: 0, combinations: 0 };
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const value = waiting.pop();
    counts.values++;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      if (patterned.has(key)) counts.patterns++;
      if (combining.has(key)) counts.combinations++;
      waiting.push(part);
    }
  }
  const parts = [
    counted(counts.values, 'value', 'values'),
    counted(counts.patterns, 'pattern', 'patterns'),
    counted(counts.combinations, 'combination of schemas', 'combinations of schemas'),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const counted = (count: number, one: string, several: string) =>
  count === 0 ? '' : `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
