/** A process of its own that compiles the schemas it is sent, and checks the texts that their grammars allow. */
import { Validator } from '@cfworker/json-schema';
import { compileSchema } from '../../../src/grammar/compile-schema.ts';
import { grammarText } from '../../../src/grammar/gbnf.ts';
import { Work } from '../../../src/grammar/budget/work.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { GbnfSampler, seededRandom } from '../../../test/support/grammar/gbnf-sampler.ts';
import { openGrammarEngine, type EngineGrammar } from '../../../test/support/grammar/grammar-engine.ts';
import { inNewWords, isNewDraft, jsonValidator } from '../../../test/support/grammar/json-validator.ts';
import type { Instance, JudgeJob, Judgement } from './judgement.ts';

/** Grammars above this are not sampled: it would take longer than all the rest. */
const mostSampledChars = 60_000;
const mostTextChars = 20_000;

const engine = await openGrammarEngine();
const send = (judgement: Judgement) => process.send?.(judgement);
const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
};

process.on('message', (job: JudgeJob) => {
  const work = new Work();
  const start = process.threadCpuUsage();
  try {
    const { rules, rootRule, ignored } = compileSchema(job.schema, { work });
    const gbnf = grammarText(rootRule, rules);
    const compileMs = cpuMs(start);
    const parsing = process.threadCpuUsage();
    const grammar = engine(gbnf);
    const parseMs = cpuMs(parsing);
    send({ kind: 'compiled', compileMs, parseMs, steps: work.spent, ignored: ignored.length });
    askAbout(job.instances, grammar);
    if (gbnf.length <= mostSampledChars) sample(job, gbnf);
    send({ kind: 'done' });
  } catch (error) {
    const compileMs = cpuMs(start);
    const code = error instanceof AppError ? error.code : 'crash';
    const message = error instanceof Error ? error.message : String(error);
    send({ kind: 'refused', compileMs, steps: work.spent, code, message });
  }
});

/** Reports which instances the grammar takes, with their members in the order in which they come or in the opposite one. */
function askAbout(instances: readonly Instance[], { accepts }: EngineGrammar): void {
  for (const { data, valid } of instances) {
    const texts = [JSON.stringify(data), JSON.stringify(reversed(data))];
    const accepted = texts.find((text) => text.length <= mostTextChars && accepts(text));
    const text = (accepted ?? texts[0] ?? '').slice(0, 400);
    send({ kind: 'asked', valid, accepted: accepted !== undefined, text });
  }
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, part]) => [name, reversed(part)]);
  return Object.fromEntries(members.reverse());
}

/** Reports texts of the grammar that a validator finds invalid. */
function sample({ schema, equivalent = schema, samples }: JudgeJob, gbnf: string): void {
  if (samples === 0) return;
  const sampler = new GbnfSampler(gbnf);
  const random = seededRandom(gbnf.length);
  const texts = Array.from({ length: samples }, (_, at) => sampler.sample(random, 3 + 5 * at)).filter(
    (text) => text.length <= mostTextChars,
  );
  const judgedBy = (by: string, create: (schema: unknown) => (value: unknown) => boolean) => {
    try {
      const isValid = create(equivalent);
      const invalid = texts.filter((text) => !isValid(JSON.parse(text)));
      for (const text of invalid) send({ kind: 'invalid', by, text: text.slice(0, 400) });
      send({ kind: 'sampled', by, texts: texts.length });
    } catch {
      // The validator cannot read some schemas, such as patterns without the flag u beside others that need it.
    }
  };
  judgedBy('ajv', jsonValidator);
  judgedBy('cfworker', secondValidator);
}

/** It reads one draft at a time, which it does not find out by itself. */
function secondValidator(schema: unknown): (value: unknown) => boolean {
  const draft = /draft-0[3-7]/.test(JSON.stringify(schema))
    ? '7'
    : isNewDraft(schema)
      ? '2020-12'
      : '2019-09';
  const validator = new Validator(inNewWords(schema) as object, draft);
  return (value) => validator.validate(value).valid;
}

send({ kind: 'ready' });
