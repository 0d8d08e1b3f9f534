import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SuggestionList, PullEvent } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { messageOf, useAdmin } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Bar, Button, Problem, Progress } from '../ui/controls.tsx';
import { Form, TextField } from '../ui/fields.tsx';
import { joined } from '../words.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { signal } from '@preact/signals';
import { eventsOf } from '../api/request.ts';

type Suggestion = SuggestionList['data'][number];

/** Suggestions that are shown before more are asked for. */
const shownAtFirst = 3;

/** Gets a model by name or address, with its progress; below it `children`, and what suits this machine. */
export function PullPanel({ onPulled, children }: { onPulled: () => void; children: ComponentChildren }) {
  const [name, setName] = useState('');
  const [most, setMost] = useState(shownAtFirst);
  const { state, progress, outcome } = pull.value ?? {};
  const isRunning = state === 'running';
  useEffect(() => {
    if (state === 'pulled') onPulled();
  }, [state]);
  const suggestions = useAdmin<SuggestionList>('model-suggestions');
  const fitting = (suggestions.value?.data.filter(({ fits }) => fits) ?? []).toSorted(
    (one, other) => Number(other.best) - Number(one.best),
  );
  return (
    <section class="card">
      <h2>{t.models.pull}</h2>
      <Form class="inline" onSend={() => void startPull(name.trim())}>
        <TextField label={t.models.pullLabel} required spellcheck={false} value={name} onChange={setName} />
        {isRunning ? (
          <Button text={t.shell.cancel} onClick={stopPull} />
        ) : (
          <Button type="submit" class="primary" text={t.models.pullStart} />
        )}
      </Form>
      {isRunning && progress !== undefined && <ProgressBar progress={progress} />}
      {state === 'failed' ? <Problem text={outcome} /> : <output>{outcome}</output>}
      {children}
      <Progress of={suggestions} />
      <ul class="suggestions" aria-label={t.models.suggested}>
        {fitting.slice(0, most).map((suggestion) => (
          <SuggestionRow key={suggestion.id} suggestion={suggestion} />
        ))}
      </ul>
      {fitting.length > most && (
        <Button
          class="quiet"
          text={t.models.moreSuggestions(fitting.length - most)}
          onClick={() => setMost(Infinity)}
        />
      )}
    </section>
  );
}

function ProgressBar({ progress }: { progress: PullProgress }) {
  const { file, received_bytes: received, total_bytes: total, bytes_per_second: speed, note } = progress;
  const figures = joined(
    `${formatBytes(received)}${total === null ? '' : ` / ${formatBytes(total)}`}`,
    speed > 0 && t.models.perSecond(formatBytes(speed)),
    note,
  );
  return <Bar label={t.models.pulling(file)} value={received} max={total ?? 0} text={figures} />;
}

function SuggestionRow({ suggestion }: { suggestion: Suggestion }) {
  const { id, size_bytes: size, tokens_per_second: speed, good_for: goodFor, best } = suggestion;
  const figures = joined(formatBytes(size), speed !== null && `~${t.chat.stats.speed(speed)}`, goodFor);
  return (
    <li class={best ? 'best' : undefined}>
      <div>
        <strong>{id}</strong> {best && <span class="state loaded">{t.models.best}</span>}
        <span class="facts">{figures}</span>
      </div>
      <PullButton id={id} source={id} />
    </li>
  );
}

/** Gets the model that `source` is, unless another one is being got. */
export const PullButton = ({ id, source }: { id: string; source: string }) => (
  <Button
    disabled={pull.value?.state === 'running'}
    aria-label={`${t.models.pullStart} ${id}`}
    text={t.models.pullStart}
    onClick={() => void startPull(source)}
  />
);

type PullProgress = Exclude<PullEvent, { error: unknown }>;

/** The download that was started here last. It goes on while another view is open. */
interface Pull {
  readonly name: string;
  readonly state: 'running' | 'pulled' | 'stopped' | 'failed';
  readonly progress?: PullProgress;
  /** A sentence about its end. */
  readonly outcome?: string;
}

const pull = signal<Pull | undefined>(undefined);

let leaving: AbortController | undefined;

/** Gets a model by name or address. */
async function startPull(name: string): Promise<void> {
  const controller = new AbortController();
  leaving = controller;
  let current: Pull = { name, state: 'running' };
  const show = (change: Partial<Pull>) => {
    pull.value = current = { ...current, ...change };
  };
  show({});
  try {
    const response = await asAdmin('models/pull', {
      method: 'POST',
      body: { model: name },
      signal: controller.signal,
    });
    for await (const progress of eventsOf<PullEvent>(response)) show({ progress });
    const { model, file } = current.progress ?? { model: null, file: name };
    show({ state: 'pulled', outcome: t.models.pulled(model ?? file) });
  } catch (error) {
    if (controller.signal.aborted) show({ state: 'stopped', outcome: t.models.pullStopped });
    else show({ state: 'failed', outcome: messageOf(error) });
  }
}

const stopPull = (): void => leaving?.abort();
