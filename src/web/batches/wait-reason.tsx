import type { Batch } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { toSpan } from '../words/span.ts';

/** Why a batch computes nothing now, and until when; the words of the server are told to who points at it. */
export function WaitReason({ batch: { hearth } }: { batch: Batch }) {
  if (hearth === null) return null;
  const { waiting_code: code, waiting_for: reason, waiting_until: until } = hearth;
  const why = t.batches.waitsFor[code ?? ''];
  return (
    <small title={reason}>
      {why === undefined ? reason : t.batches.waitsUntil(why, toSpan(until - Date.now() / 1000))}
    </small>
  );
}
