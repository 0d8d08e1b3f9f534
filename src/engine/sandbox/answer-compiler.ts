import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors/errors.ts';
import { SingleFlight } from '../../timing/single-flight.ts';
import type { AnswerConstraint } from '../prompt/constrain-answer.ts';
import type { AnswerDemand } from '../prompt/constrain-answer.ts';
import { JobFailure } from '../processes/pool-process.ts';
import { hashOf, type SchemaProgress, type SandboxOutcome } from './sandbox-job.ts';
import { refusalOf, whatItDid, type Asker, type Sandbox } from './sandbox.ts';

/** The limits for compiling all schemas of a request. */
const limits = { cpuMs: 2000, wallMs: 5000 };
/** How long it is remembered that a schema took too long: on a busy machine a processor needs more time for the same. */
const refusalLifeMs = 2 * 60_000;

type Outcome = SandboxOutcome & { readonly kind: 'constraint' | 'refused' };

/**
 * Compiles demands on answers into grammars, and remembers the grammars and the refusals for each API key: else the
 * time that an answer takes would tell what others have asked for.
 */
export class AnswerCompiler {
  readonly #sandbox: Sandbox;
  readonly #cache = new LRUCache<string, Outcome>({ max: 256, maxSize: 32 * 2 ** 20 });
  /** A second request of a key for the same waits for the first. */
  readonly #compiling = new SingleFlight<Outcome, never>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /**
   * The grammar of answers that meet `demand`. Throws AppError invalid_json_schema or schema_too_complex, whose `param`
   * begins with `schema` or `tools[i]`; else an error of `Sandbox.run`, or the signal's reason.
   */
  async compile(demand: AnswerDemand, { keyId, signal }: Asker): Promise<AnswerConstraint> {
    const text = JSON.stringify(demand);
    const key = hashOf(`${keyId} ${text}`);
    const compile = (leaving: AbortSignal) => this.#compile(text, key, { keyId, signal: leaving });
    const outcome = this.#cache.get(key) ?? (await this.#compiling.join(key, compile, { signal }));
    if (outcome.kind === 'refused') throw refusalOf(outcome);
    return outcome.constraint;
  }

  async #compile(text: string, key: string, asker: Asker): Promise<Outcome> {
    try {
      const outcome = await this.#sandbox.run(
        { kind: 'constraint', demand: text, keyId: asker.keyId },
        limits,
        asker,
      );
      if (outcome.kind !== 'constraint' && outcome.kind !== 'refused')
        throw new AppError('engine_error', 'The schema could not be compiled.', {
          cause: 'message' in outcome ? outcome.message : outcome.kind,
        });
      const chars = outcome.kind === 'refused' ? outcome.message.length : outcome.constraint.gbnf.length;
      this.#cache.set(key, outcome, { size: chars });
      return outcome;
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      const outcome = tooComplex(error);
      this.#cache.set(key, outcome, { size: outcome.message.length, ttl: refusalLifeMs });
      return outcome;
    }
  }
}

function tooComplex(failure: JobFailure): Outcome & { readonly kind: 'refused' } {
  const progress = failure.progress as SchemaProgress | undefined;
  const what = progress === undefined ? '' : ` (${progress.content})`;
  return {
    kind: 'refused',
    code: 'schema_too_complex',
    message:
      `Compiling this schema${what} ${whatItDid(failure, limits)}. Give it fewer alternatives, shorter patterns ` +
      'and smaller enums.',
    param: progress?.path ?? null,
  };
}
