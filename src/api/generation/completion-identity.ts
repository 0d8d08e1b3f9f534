import { randomBytes } from 'node:crypto';
import type { AppDeps } from '../env.ts';
import type { NamedModel } from '../model/model-names.ts';
import { toSystemFingerprint } from '../model/system-fingerprint.ts';

/** Everything about a completion, of chat or of plain text, that is the same in each of its chunks. */
export interface CompletionIdentity {
  readonly id: string;
  readonly createdSeconds: number;
  /** The id that was asked for: an alias stays an alias. */
  readonly model: string;
  readonly systemFingerprint: string;
}

/** The identity of a completion that begins now; its id is the prefix and 24 random characters. */
export function createCompletionIdentity(
  prefix: 'chatcmpl' | 'cmpl',
  { name, model }: NamedModel,
  { clock }: Pick<AppDeps, 'clock'>,
): CompletionIdentity {
  return {
    id: `${prefix}-${randomBytes(18).toString('base64url')}`,
    createdSeconds: Math.floor(clock.nowMs() / 1000),
    model: name,
    systemFingerprint: toSystemFingerprint(model),
  };
}
