import type { Batch } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { joined } from '../words/formats.ts';
import { toSpan } from '../words/span.ts';

/** Shorter waits only slow a batch down. */
const slowSeconds = 60;

/** A rate limit lets its lines through one after the other. */
export const isSlow = ({ status, hearth }: Batch): boolean =>
  status === 'in_progress' &&
  (hearth?.waiting_code ?? '').startsWith('rate_limit_') &&
  (hearth?.waiting_until ?? Number.POSITIVE_INFINITY) - Date.now() / 1000 <= slowSeconds;

interface Props {
  readonly batch: Batch;
  /** How long the rest takes; undefined: that is not known. */
  readonly left?: number | undefined;
}

/** Why a batch computes nothing now, or slowly, and until when; the words of the server where there are no better ones. */
export function WaitReason({ batch, left }: Props) {
  return batch.hearth === null ? null : <small>{reasonOf(batch, batch.hearth, left)}</small>;
}

function reasonOf(batch: Batch, hearth: NonNullable<Batch['hearth']>, left?: number): string {
  const { waiting_code: code, waiting_for: reason, waiting_until: until, waiting_server: server } = hearth;
  const time = toSpan(Math.max(1, until - Date.now() / 1000));
  if (code === 'model_unavailable') return t.batches.waitsForServer(server ?? t.batches.itsServer, time);
  const why = t.batches.waitsFor[code ?? ''];
  if (why === undefined) return reason;
  if (isSlow(batch)) return joined(why, left !== undefined && t.batches.left(toSpan(left)));
  return t.batches.waitsUntil(why, time);
}
