import { useRef, useState } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import type { Batch } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { doHere, type Act } from '../state/polled.ts';
import { asUser } from '../state/session.ts';
import { Bar, Button, Problem } from '../ui/controls.tsx';
import { AskingButton } from '../ui/overlays/ask.tsx';
import { CopyableId, FactList } from '../ui/tables/figure-row.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toAge, toExactTime } from '../words/times.ts';
import { toSpan } from '../words/span.ts';
import { joined, toCount } from '../words/formats.ts';
import { LineErrors } from './line-errors.tsx';
import { isSlow, WaitReason } from './wait-reason.tsx';

const running: readonly Batch['status'][] = ['validating', 'in_progress', 'finalizing', 'cancelling'];

/** One that waits computes nothing now, and one without an answer did not end well. */
export const stateOf = (batch: Batch): string => {
  if (batch.status === 'in_progress' && batch.hearth !== null)
    return isSlow(batch) ? t.batches.slow : t.batches.waits;
  if (batch.status !== 'completed' || batch.request_counts.failed === 0)
    return t.batches.states[batch.status];
  return hasFailed(batch) ? t.batches.noAnswers : t.batches.someAnswers;
};

const hasFailed = ({ status, request_counts: { completed, failed } }: Batch): boolean =>
  status === 'failed' || status === 'expired' || (status === 'completed' && completed === 0 && failed > 0);

export const toneOf = (batch: Batch): string => {
  if (hasFailed(batch)) return 'failed';
  if (isRunning(batch)) return batch.hearth === null || isSlow(batch) ? 'runs' : '';
  if (batch.status !== 'completed') return '';
  return batch.request_counts.failed === 0 ? 'loaded' : 'partly';
};

export const isRunning = ({ status }: Batch): boolean => running.includes(status);

interface Props {
  readonly batch: Batch;
  readonly name: string;
  readonly act: Act;
}

/** A batch: how far it is or how it ended, its acts, and, unfolded, all that is known of it. */
export function BatchRow({ batch, name, act }: Props) {
  const { request_counts: counts, hearth, errors } = batch;
  const [isOpen, setOpen] = useState(false);
  const done = counts.completed + counts.failed;
  const left = useSecondsLeft(batch);
  const facts = joined(
    batch.model ?? t.batches.severalModels,
    t.batches.sent(toAge(batch.created_at)),
    timeOf(batch),
    left !== undefined && t.batches.left(toSpan(left)),
  );
  return (
    <article class="batch" aria-label={name}>
      <header>
        <Button class="plain" aria-expanded={isOpen} text={name} onClick={() => setOpen(!isOpen)} />
        <span class={`state ${toneOf(batch)}`}>{stateOf(batch)}</span>
      </header>
      {isRunning(batch) ? (
        <Bar label={facts} value={done} max={counts.total} text={t.batches.done(done, counts.total)} />
      ) : (
        <p class="facts">
          {joined(facts, counts.total > 0 && t.batches.answered(counts.completed, counts.total))}
        </p>
      )}
      {counts.failed > 0 && (
        <p class="facts failed">
          {t.batches.failed(counts.failed)}{' '}
          {batch.error_file_id !== null && !isOpen && (
            <Button class="plain-link" text={t.batches.why} onClick={() => setOpen(true)} />
          )}
        </p>
      )}
      {hearth !== null && (
        <p class="facts">
          <WaitReason batch={batch} />
        </p>
      )}
      {errors?.data.map(({ line, message }) => (
        <Problem key={`${line} ${message}`} text={message} />
      ))}
      {isOpen && <Details batch={batch} />}
      <Actions batch={batch} name={name} act={act} />
    </article>
  );
}

function Actions({ batch, name, act }: Props) {
  const { id, status } = batch;
  return (
    <span class="row-actions">
      {(status === 'validating' || status === 'in_progress') && (
        <AskingButton
          action={t.batches.cancel}
          question={t.batches.cancelQuestion(name)}
          onConfirm={() => doHere(act, asUser(`batches/${id}/cancel`, { method: 'POST' }))}
        />
      )}
      {(['output', 'error'] as const).map((kind) => {
        const fileId = batch[`${kind}_file_id`];
        return fileId === null ? null : (
          <Button
            key={kind}
            icon="save"
            text={t.batches.files[kind]}
            onClick={() => void act(download(fileId, `${id}-${kind}.jsonl`))}
          />
        );
      })}
    </span>
  );
}

interface DetailsProps {
  readonly batch: Batch;
  /** Whether its files may be read with this key. */
  readonly isOwn?: boolean;
  /** The name of its file of requests; null: it is told, or not known. */
  readonly file?: string | null;
}

/** Facts that are not known are left out. */
export function Details({ batch, isOwn = true, file = null }: DetailsProps) {
  const { usage, error_file_id: errorFile } = batch;
  const times = [
    [t.batches.times.sent, batch.created_at],
    [t.batches.times.begun, batch.in_progress_at],
    [t.batches.times.ended, endOf(batch)],
    [t.batches.times.until, isRunning(batch) ? batch.expires_at : null],
  ] as const;
  const facts: readonly (readonly [string, string])[] = [
    ...times.flatMap(([name, at]) => (at === null ? [] : [[name, toExactTime(at)] as const])),
    [t.usage.measures.prompt_tokens, toCount(usage.input_tokens)],
    [t.usage.measures.completion_tokens, toCount(usage.output_tokens)],
  ];
  const names = [
    ...(file === null ? [] : [[t.batches.file, file] as const]),
    [t.batches.endpoint, batch.endpoint],
    [t.batches.id, <CopyableId key="id" id={batch.id} />],
  ] as const;
  return (
    <>
      {errorFile !== null &&
        (isOwn ? <LineErrors fileId={errorFile} /> : <p class="quiet">{t.batches.othersWhy}</p>)}
      <FactList facts={facts} long={names} />
    </>
  );
}

const endOf = (batch: Batch): number | null =>
  batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;

async function download(fileId: string, name: string): Promise<void> {
  saveFile(name, await (await asUser(`files/${fileId}/content`)).blob());
}

/** How long it took; undefined: it has not ended, or nothing of it was computed. */
export function timeOf(batch: Batch): string | undefined {
  const took = secondsTaken(batch);
  return took === undefined ? undefined : t.batches.took(took === 0 ? t.batches.atOnce : toSpan(took));
}

/** undefined: it has not ended, or nothing of it was computed. */
function secondsTaken(batch: Batch): number | undefined {
  const end = endOf(batch);
  return end === null || batch.in_progress_at === null ? undefined : end - batch.in_progress_at;
}

/** The pace of fewer lines says nothing. */
const leastLines = 3;

/** The time left by the pace since the batch is watched, at most until its deadline; undefined: too few lines were seen, or it computes nothing. */
export function useSecondsLeft(batch: Batch): number | undefined {
  const { status, hearth, expires_at: end, request_counts: counts } = batch;
  const done = counts.completed + counts.failed;
  const watched = useRef<{ readonly done: number; readonly atMs: number }>(undefined);
  const isComputing = status === 'in_progress' && (hearth === null || isSlow(batch)) && !isServerAway.value;
  watched.current = isComputing ? (watched.current ?? { done, atMs: Date.now() }) : undefined;
  const lines = done - (watched.current?.done ?? done);
  if (watched.current === undefined || lines < leastLines) return undefined;
  const perLine = (Date.now() - watched.current.atMs) / 1000 / lines;
  return Math.min(perLine * (counts.total - done), end - Date.now() / 1000);
}
