import { useState } from 'preact/hooks';
import type { Batch, ListOf } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { useUser } from '../state/asked.ts';
import { messageOf, useWork, type Act, type Polled } from '../state/polled.ts';
import { canChat, isAdmin, userJson } from '../state/session.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { Check, FileChoice } from '../ui/forms/fields.tsx';
import { chatModel } from '../state/models.ts';
import { saveFile } from '../ui/save-file.ts';
import { NoMatch } from '../ui/tables/no-match.tsx';
import { RowFilter, useFilter } from '../ui/tables/row-filter.tsx';
import { joined } from '../words/formats.ts';
import { AllBatches, mostShown } from './all-batches.tsx';
import { BatchRow, isRunning, stateOf } from './batch-row.tsx';
import './batches.css';

const pollMs = 2000;

/** One's own batches, and for operators those of others: each stands in one list. */
export function BatchesView() {
  const own = useUser<ListOf<Batch>>(canChat.value ? `batches?limit=${mostShown}` : undefined, pollMs);
  return (
    <>
      {canChat.value && <OwnBatches batches={own} />}
      {isAdmin.value && (!canChat.value || own.value !== undefined || own.error !== undefined) && (
        <AllBatches own={own.value?.data ?? []} />
      )}
    </>
  );
}

/** Files of requests: sent, watched, stopped, and their results saved. */
function OwnBatches({ batches }: { batches: Polled<ListOf<Batch>> }) {
  const files = useUser<ListOf<InputFile>>('files?purpose=batch', 10 * pollMs);
  const [sending, setSending] = useState<string>();
  const { problem, act } = useWork(batches.reload);
  const send = async (file: File) => {
    setSending(file.name);
    await act(sendBatch(file).catch((error: unknown) => refuse(file, error)));
    setSending(undefined);
  };
  return (
    <div
      class="page"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) void send(file);
      }}
    >
      <header class="page-header">
        <h1>{t.views.batches}</h1>
        <FileChoice
          class="primary"
          text={sending === undefined ? t.batches.choose : t.batches.sending(sending)}
          accept=".jsonl,application/jsonl"
          disabled={sending !== undefined}
          onFile={(file) => void send(file)}
        />
      </header>
      <p class="lead">
        {t.batches.lead} <a href="docs/batches">{t.batches.guide}</a>
        {' · '}
        <Button
          class="plain-link"
          text={t.batches.sample}
          onClick={() => saveFile('batch.jsonl', new Blob([sample()], { type: 'application/jsonl' }))}
        />
      </p>
      <Problem text={problem} />
      <Progress of={batches} />
      {batches.value !== undefined && (
        <Batches batches={batches.value.data} files={files.value?.data ?? []} act={act} />
      )}
    </div>
  );
}

interface InputFile {
  readonly id: string;
  readonly filename: string;
}

interface ListProps {
  readonly batches: readonly Batch[];
  readonly files: readonly InputFile[];
  readonly act: Act;
}

/** Those that are computed first: the others are over. */
function Batches({ batches, files, act }: ListProps) {
  const rows = batches.map((batch) => ({
    batch,
    name:
      batch.metadata?.['name'] ?? files.find(({ id }) => id === batch.input_file_id)?.filename ?? batch.id,
  }));
  const { shown, filter } = useFilter(rows, ({ batch, name }) => joined(name, batch.model, stateOf(batch)));
  const [hidesEnded, setHidesEnded] = useState(false);
  const isOver = ({ batch }: (typeof rows)[number]) => !isRunning(batch);
  const ended = shown.filter(isOver);
  const ordered = [...shown.filter((row) => !isOver(row)), ...(hidesEnded ? [] : ended)];
  if (rows.length === 0)
    return (
      <section class="card">
        <h2>{t.batches.nothing}</h2>
        <p class="quiet">{t.batches.first}</p>
        <pre class="sample" tabindex={0}>
          {sample()}
        </pre>
      </section>
    );
  return (
    <section class="card batches">
      <div class="choices">
        <RowFilter filter={filter} count={rows.length} />
        {rows.some(isOver) && (
          <Check label={t.batches.hideEnded} isOn={hidesEnded} onChange={setHidesEnded} />
        )}
      </div>
      {ordered.length === 0 && (
        <NoMatch
          onClear={() => {
            filter.set('');
            setHidesEnded(false);
          }}
        />
      )}
      {ordered.map(({ batch, name }) => (
        <BatchRow key={batch.id} batch={batch} name={name} act={act} />
      ))}
    </section>
  );
}

function refuse({ name }: File, error: unknown): never {
  throw new Error(t.batches.refusedFile(name, messageOf(error)));
}

/** Two lines for the chat model that was chosen last. */
function sample(): string {
  const model = chatModel.value?.id ?? 'hearth-demo';
  const lines = ['What is hearth?', 'What is 3 plus 4?'].map((content, index) =>
    JSON.stringify({
      custom_id: `line-${index + 1}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content }] },
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** Uploads a file and begins a batch for the endpoint of its first line. */
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
