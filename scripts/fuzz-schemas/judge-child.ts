/** A process of its own that compiles the schemas it is sent, and checks what they generate. */
import { compileSchema } from '../../src/engine/grammar/compile-schema.ts';
import { grammarText } from '../../src/engine/grammar/text/gbnf-text.ts';
import { Work } from '../../src/engine/grammar/budget/work.ts';
import { AppError } from '../../src/errors/errors.ts';
import { GbnfSampler, seededRandom } from '../../test/support/gbnf-sampler.ts';
import { openGrammarEngine } from '../../test/support/grammar-engine.ts';
import { jsonValidator } from '../../test/support/json-validator.ts';
import type { Judgement } from './judgement.ts';

/** Grammars above this are not sampled: it would take longer than all the rest. */
const mostSampledChars = 30_000;
const samples = 5;

const engine = await openGrammarEngine();
const send = (judgement: Judgement) => process.send?.(judgement);
const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
};

process.on('message', (schema: unknown) => {
  const work = new Work();
  const start = process.threadCpuUsage();
  try {
    const { rules, rootRule } = compileSchema(schema, { work });
    const gbnf = grammarText(rootRule, rules);
    const compileMs = cpuMs(start);
    const parsing = process.threadCpuUsage();
    engine(gbnf);
    send({ kind: 'compiled', compileMs, parseMs: cpuMs(parsing), steps: work.spent, gbnfChars: gbnf.length });
    if (gbnf.length <= mostSampledChars) check(schema, gbnf);
    send({ kind: 'done' });
  } catch (error) {
    const compileMs = cpuMs(start);
    const code = error instanceof AppError ? error.code : 'crash';
    const message = error instanceof Error ? error.message : String(error);
    send({ kind: 'refused', compileMs, steps: work.spent, code, message });
  }
});

/** Reports a text of the grammar that the validator finds invalid. */
function check(schema: unknown, gbnf: string): void {
  let isValid: (value: unknown) => boolean;
  try {
    isValid = jsonValidator(schema);
  } catch {
    // The validator cannot read some schemas, such as patterns without the flag u beside others that need it.
    return;
  }
  const sampler = new GbnfSampler(gbnf);
  const random = seededRandom(gbnf.length);
  for (let count = 0; count < samples; count++) {
    const text = sampler.sample(random, 3 + 5 * count);
    if (text.length > 20_000) continue;
    try {
      if (!isValid(JSON.parse(text))) send({ kind: 'invalid', text: text.slice(0, 400) });
    } catch (error) {
      // Its code for contradictory types names variables that it does not have.
      if (!(error instanceof ReferenceError)) throw error;
    }
  }
}

send({ kind: 'ready' });
