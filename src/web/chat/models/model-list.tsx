import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model, SuggestionList } from '../../api/types.ts';
import { abilitiesOf, chatModels, loadModels, recentModels } from '../../state/models.ts';
import { useAdmin } from '../../state/polled.ts';
import { isAdmin } from '../../state/session.ts';
import { t } from '../../dialog-texts.ts';
import { SearchBox } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatBytes } from '../../../words/format-bytes.ts';
import { joined, toContext } from '../../words.ts';

/** Fewer are seen at once. */
const leastToSearch = 6;

interface Props {
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

/** The chat models: the chosen one and those that were chosen before it, then the others. */
export function ModelList({ value, onChoose }: Props) {
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void loadModels().catch(() => undefined);
    search.current?.focus();
  }, []);
  const suggestions = useAdmin<SuggestionList>(isAdmin.value ? 'model-suggestions' : undefined);
  const best = suggestions.value?.data.find((suggestion) => suggestion.best)?.served_as;
  const words = query.toLowerCase().split(/\s+/);
  const found = chatModels.value.filter(({ id, aliases }) =>
    words.every((word) => [id, ...aliases].join(' ').toLowerCase().includes(word)),
  );
  const last = recentModels();
  const recent = (last.length === 0 ? [] : [...new Set([value, ...last])]).flatMap(
    (id) => found.find((model) => model.id === id) ?? [],
  );
  const others = found.filter((model) => !recent.includes(model)).toSorted(byState);
  const toItem = (model: Model) => (
    <li key={model.id}>
      <button
        type="button"
        class="item"
        aria-current={model.id === value ? 'true' : undefined}
        onClick={() => onChoose(model.id)}
      >
        <span class={`dot ${stateOf(model)}`} title={t.picker.modelState[stateOf(model)]} />
        <div>
          <strong>{model.id}</strong> {model.id === best && <span class="state">{t.picker.recommended}</span>}
          <small>{factsOf(model)}</small>
        </div>
        {model.id === value && <Icon name="done" />}
      </button>
    </li>
  );
  return (
    <>
      {chatModels.value.length >= leastToSearch && (
        <SearchBox ref={search} label={t.picker.searchModels} value={query} onChange={setQuery} />
      )}
      {recent.length > 0 && others.length > 0 && <h2>{t.picker.recentModels}</h2>}
      <ul class="plain">{recent.map(toItem)}</ul>
      {recent.length > 0 && others.length > 0 && <h2>{t.picker.otherModels}</h2>}
      <ul class="plain">{others.map(toItem)}</ul>
      {found.length === 0 && <p class="quiet item">{t.chat.nothingFound}</p>}
    </>
  );
}

const stateOf = ({ state, runs_elsewhere: isElsewhere }: Model) =>
  !isElsewhere ? state : state === 'failed' ? 'down' : 'elsewhere';

const order = ['loaded', 'available', 'elsewhere', 'failed', 'down'];
const byState = (one: Model, other: Model) => order.indexOf(stateOf(one)) - order.indexOf(stateOf(other));

function factsOf(model: Model): string {
  const { parameters_number: parameters, quantization, size_bytes: size, context_window: context } = model;
  return joined(
    stateOf(model) !== 'available' && stateOf(model) !== 'loaded' && t.picker.modelState[stateOf(model)],
    parameters !== 'unknown' && parameters,
    quantization,
    size > 0 && formatBytes(size),
    context !== null && t.picker.contextOf(toContext(context)),
    ...abilitiesOf(model, t.chat.abilities),
  );
}
