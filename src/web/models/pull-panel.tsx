import { useRef, useState } from 'preact/hooks';
import { eventsOf } from '../api/request.ts';
import type { PullEvent, SuggestionList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../texts.ts';
import { Bar, Field, Problem } from '../ui/controls.tsx';
import { toSize } from '../words.ts';

type Progress = Exclude<PullEvent, { error: unknown }>;
type Suggestion = SuggestionList['data'][number];

/** Gets a model by name or address, with its progress; beside it what suits this machine. */
export function PullPanel({ onPulled }: { onPulled: () => void }) {
  const { progress, outcome, problem, start, stop } = usePull(onPulled);
  const [name, setName] = useState('');
  const suggestions = usePolled((signal) => adminJson<SuggestionList>('model-suggestions', { signal }), []);
  const fitting = suggestions.value?.data.filter(({ fits }) => fits) ?? [];
  return (
    <section class="card">
      <h2>{t.models.pull}</h2>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void start(name.trim());
        }}
      >
        <Field label={t.models.pullLabel}>
          <input
            required
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        {progress === undefined ? (
          <button type="submit" class="primary">
            {t.models.pullStart}
          </button>
        ) : (
          <button type="button" onClick={stop}>
            {t.shell.cancel}
          </button>
        )}
      </form>
      <Problem text={problem} />
      <output>{outcome}</output>
      {progress !== undefined && <PullProgress progress={progress} />}
      <h3>{t.models.suggested}</h3>
      <ul class="suggestions">
        {fitting.map((suggestion) => (
          <SuggestionRow
            key={suggestion.id}
            suggestion={suggestion}
            disabled={progress !== undefined}
            onGet={() => void start(suggestion.id)}
          />
        ))}
      </ul>
    </section>
  );
}

function PullProgress({ progress }: { progress: Progress }) {
  const { file, received_bytes: received, total_bytes: total, bytes_per_second: speed, note } = progress;
  const figures = [
    `${toSize(received)}${total === null ? '' : ` / ${toSize(total)}`}`,
    ...(speed > 0 ? [t.models.perSecond(toSize(speed))] : []),
    ...(note === null ? [] : [note]),
  ];
  return <Bar label={t.models.pulling(file)} value={received} max={total ?? 0} text={figures.join(' · ')} />;
}

function SuggestionRow({
  suggestion,
  disabled,
  onGet,
}: {
  suggestion: Suggestion;
  disabled: boolean;
  onGet: () => void;
}) {
  const { id, size_bytes: size, tokens_per_second: speed, good_for: goodFor, best } = suggestion;
  const figures = [toSize(size), ...(speed === null ? [] : [`~${t.chat.stats.speed(speed)}`]), goodFor];
  return (
    <li class={best ? 'best' : undefined}>
      <div>
        <strong>{id}</strong> {best && <span class="state loaded">{t.models.best}</span>}
        <span class="facts">{figures.join(' · ')}</span>
      </div>
      <button type="button" disabled={disabled} aria-label={`${t.models.pullStart} ${id}`} onClick={onGet}>
        {t.models.pullStart}
      </button>
    </li>
  );
}

function usePull(onPulled: () => void) {
  const [progress, setProgress] = useState<Progress>();
  const [outcome, setOutcome] = useState('');
  const [problem, setProblem] = useState<string>();
  const leaving = useRef<AbortController>(undefined);
  const start = async (model: string) => {
    const controller = new AbortController();
    leaving.current = controller;
    setOutcome('');
    setProblem(undefined);
    try {
      const response = await asAdmin('models/pull', {
        method: 'POST',
        body: { model },
        signal: controller.signal,
      });
      for await (const event of eventsOf<PullEvent>(response)) {
        if ('error' in event) throw new Error(event.error.message);
        setProgress(event);
        if (event.state === 'pulled') setOutcome(t.models.pulled(event.model ?? event.file));
      }
      onPulled();
    } catch (error) {
      if (controller.signal.aborted) setOutcome(t.models.pullStopped);
      else setProblem(messageOf(error));
    }
    setProgress(undefined);
  };
  return { progress, outcome, problem, start, stop: () => leaving.current?.abort() };
}
