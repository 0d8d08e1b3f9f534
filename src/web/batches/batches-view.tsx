import type { Batch, ListOf } from '../api/types.ts';
import { t } from '../operator-texts.ts';
import { messageOf, useUser, useWork, type Act } from '../state/polled.ts';
import { asUser, userJson } from '../state/session.ts';
import { Bar, Button, Problem, Progress } from '../ui/controls.tsx';
import { FileChoice } from '../ui/fields.tsx';
import { chatModel } from '../state/models.ts';
import { saveFile } from '../ui/save-file.ts';
import { joined, toAge } from '../words.ts';

const pollMs = 2000;
const running: readonly Batch['status'][] = ['validating', 'in_progress', 'finalizing', 'cancelling'];

/** Files of requests: sent, watched, cancelled, and their results saved. */
export function BatchesView() {
  const batches = useUser<ListOf<Batch>>('batches', pollMs);
  const files = useUser<ListOf<{ id: string; filename: string }>>('files?purpose=batch', 10 * pollMs);
  const { problem, act } = useWork(batches.reload);
  const rows = batches.value?.data ?? [];
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.views.batches}</h1>
        <FileChoice
          class="primary"
          text={t.batches.choose}
          accept=".jsonl,application/jsonl"
          onFile={(file) => void act(sendBatch(file).catch((error: unknown) => refuse(file, error)))}
        />
      </header>
      <p class="lead">
        {t.batches.lead} <a href="docs/batches">{t.batches.guide}</a>
        {' · '}
        <Button
          class="plain-link"
          text={t.batches.sample}
          onClick={() => saveFile('batch.jsonl', sample())}
        />
      </p>
      <Problem text={problem} />
      <Progress of={batches} />
      {batches.value !== undefined && rows.length === 0 && (
        <section class="card">
          <p class="quiet">{t.batches.nothing}</p>
        </section>
      )}
      {rows.map((batch) => (
        <BatchCard
          key={batch.id}
          batch={batch}
          fileName={files.value?.data.find(({ id }) => id === batch.input_file_id)?.filename}
          act={act}
        />
      ))}
    </div>
  );
}

function refuse({ name }: File, error: unknown): never {
  throw new Error(t.batches.refusedFile(name, messageOf(error)));
}

/** Two lines for the chat model that was chosen last. */
function sample(): Blob {
  const model = chatModel.value?.id ?? 'hearth-demo';
  const lines = ['What is hearth?', 'What is 3 plus 4?'].map((content, index) =>
    JSON.stringify({
      custom_id: `line-${index + 1}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content }] },
    }),
  );
  return new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' });
}

/** Uploads a file and begins a batch of what its first line asks. */
async function sendBatch(file: File): Promise<void> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', file);
  const { id } = await userJson<{ id: string }>('files', { method: 'POST', body: form });
  const [first = ''] = (await file.slice(0, firstLineBytes).text()).split('\n', 1);
  const endpoint = /"url"\s*:\s*"([^"]+)"/.exec(first)?.[1] ?? '/v1/chat/completions';
  const body = {
    input_file_id: id,
    endpoint,
    completion_window: '24h',
    metadata: { name: file.name.slice(0, 512) },
  };
  await userJson('batches', { method: 'POST', body });
}

/** Most bytes of a line. */
const firstLineBytes = 4 * 2 ** 20;

interface CardProps {
  readonly batch: Batch;
  /** undefined: its file is gone. */
  readonly fileName: string | undefined;
  readonly act: Act;
}

function BatchCard({ batch, fileName, act }: CardProps) {
  const { id, status, request_counts: counts, hearth, errors } = batch;
  const done = counts.completed + counts.failed;
  const name = batch.metadata?.['name'] ?? fileName ?? id;
  const left = secondsLeft(batch, done);
  const facts = joined(
    batch.model ?? batch.endpoint,
    t.batches.states[status],
    t.batches.sent(toAge(batch.created_at)),
    left !== undefined && t.batches.left(left),
  );
  return (
    <section class="card">
      <Bar label={name} value={done} max={counts.total} text={t.batches.done(done, counts.total)} />
      <p class="note">
        {facts}
        {counts.failed > 0 && <span class="failed"> · {t.batches.failed(counts.failed)}</span>}
      </p>
      {hearth !== null && <p class="note">{hearth.waiting_for}</p>}
      <Problem text={errors?.data[0]?.message} />
      <span class="row-actions">
        {(status === 'validating' || status === 'in_progress') && (
          <Button
            text={t.batches.cancel}
            onClick={() => void act(asUser(`batches/${id}/cancel`, { method: 'POST' }))}
          />
        )}
        {(['output', 'error'] as const).map((kind) => {
          const fileId = batch[`${kind}_file_id`];
          return fileId === null ? null : (
            <Button
              key={kind}
              text={t.batches.files[kind]}
              onClick={() => void act(download(fileId, `${id}-${kind}.jsonl`))}
            />
          );
        })}
      </span>
    </section>
  );
}

async function download(fileId: string, name: string): Promise<void> {
  saveFile(name, await (await asUser(`files/${fileId}/content`)).blob());
}

/** By how long the lines so far took; undefined: nothing is known yet, or it has ended. */
function secondsLeft({ status, in_progress_at: begunAt, request_counts }: Batch, done: number) {
  if (!running.includes(status) || begunAt === null || done === 0) return undefined;
  return ((Date.now() / 1000 - begunAt) / done) * (request_counts.total - done);
}
