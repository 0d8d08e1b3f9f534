import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { SuggestionList } from '../../api/types.ts';
import { HubSearch } from './hub-search.tsx';
import { PullButton, PullProblem, pull, startPull, stopPull, type PullProgress } from './pull.tsx';
import { useAdmin } from '../../state/asked.ts';
import { t } from '../../words/operator-texts.ts';
import { Bar, Button } from '../../ui/controls.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Form, TextField } from '../../ui/forms/fields.tsx';
import { joined } from '../../words/formats.ts';
import { formatBytes } from '../../../words/format-bytes.ts';

type Suggestion = SuggestionList['data'][number];

/** Suggestions that are shown before more are asked for. */
const shownAtFirst = 3;

/** Whether it is where a model can be got, and not words to search for. */
const isSource = (text: string) => /^hf:|^https?:|\//.test(text);

const fieldId = 'pull';

/** Brings the field into sight, with room for the answer below it. */
function showPull(): HTMLElement | null {
  const field = document.querySelector<HTMLElement>(`#${fieldId}`);
  field?.closest('.card')?.scrollIntoView({ behavior: 'smooth' });
  return field;
}

export const focusPull = () => showPull()?.focus({ preventScroll: true });

interface PanelProps {
  /** How many models there are: with another one the suggestions are others. */
  readonly served: number;
  readonly onPulled: () => void;
}

/** The text of the field, and the last search. Both stay when the panel moves or another view is opened. */
const written = signal('');
const sought = signal<{ readonly words: string; readonly round: number } | undefined>(undefined);

/** Gets a model by name or address, with its progress, or searches for it; below that models for this machine. */
export function PullPanel({ served, onPulled }: PanelProps) {
  const [search, name] = [sought.value, written.value];
  const { state, row, progress, outcome } = pull.value ?? {};
  const isFailed = state === 'failed' && row === undefined;
  const isRunning = state === 'running';
  useEffect(() => {
    if (state === 'pulled') onPulled();
    if (isFailed) showPull();
  }, [state]);
  const get = () => {
    showPull();
    sought.value = undefined;
    void startPull(name.trim());
  };
  const look = () => {
    showPull();
    sought.value = { words: name.trim(), round: (search?.round ?? 0) + 1 };
    if (!isRunning) pull.value = undefined;
  };
  const isNamed = isSource(name.trim());
  return (
    <section class="card">
      <h2>{t.models.pull}</h2>
      <Form class="inline" onSend={isNamed ? get : look}>
        <WantedField />
        {/* The main one is the one that Enter presses. */}
        <Button
          type="submit"
          class={isNamed ? '' : 'primary'}
          disabled={isNamed && isRunning}
          text={t.models.hub.search}
        />
        {isRunning ? (
          <Button text={t.shell.cancel} onClick={stopPull} />
        ) : (
          <Button
            class={isNamed ? 'primary' : ''}
            disabled={name.trim() === ''}
            text={t.models.pullStart}
            onClick={get}
          />
        )}
      </Form>
      {isRunning && progress !== undefined && <ProgressBar progress={progress} />}
      {isFailed ? <PullProblem /> : <output>{state !== 'failed' && outcome}</output>}
      {search !== undefined && (
        <HubSearch key={search.round} words={search.words} served={served} isTold={state === 'failed'} />
      )}
      <Suggestions served={served} />
    </section>
  );
}

const WantedField = () => (
  <TextField
    id={fieldId}
    label={t.models.pullLabel}
    required
    minLength={2}
    pattern=".*\S.*"
    data-missing={t.models.pullMissing}
    spellcheck={false}
    value={written.value}
    onChange={(text) => (written.value = text)}
  />
);

/** Models for this machine, the best one first. */
function Suggestions({ served }: Pick<PanelProps, 'served'>) {
  const [most, setMost] = useState(shownAtFirst);
  const suggestions = useAdmin<SuggestionList>('model-suggestions', undefined, served);
  const fitting = (suggestions.value?.data.filter(({ fits }) => fits) ?? []).toSorted(
    (one, other) => Number(other.best) - Number(one.best),
  );
  return (
    <>
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
    </>
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
  const figures = joined(
    formatBytes(size),
    speed !== null && `~${t.chat.stats.speed(speed)}`,
    suggestion.licence,
    goodFor,
  );
  return (
    <li class={best ? 'best' : undefined}>
      <div>
        <strong>{id}</strong> {best && <span class="state loaded">{t.models.best}</span>}
        <span class="facts">{figures}</span>
      </div>
      <PullButton id={id} source={id} servedAs={suggestion.served_as} />
    </li>
  );
}
