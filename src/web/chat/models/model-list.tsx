import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Model, SuggestionList } from '../../api/types.ts';
import { chatModels, hasFailed, isWell, loadModels, recentModels } from '../../state/models.ts';
import { useAdmin } from '../../state/asked.ts';
import { isAdmin } from '../../state/session.ts';
import { t } from '../../words/dialog-texts.ts';
import { SearchBox } from '../../ui/forms/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { joined, toContext } from '../../words/formats.ts';
import { writeOn } from '../composer/keyboard.ts';
import './model-list.css';

/** Fewer are seen at once. */
const leastToSearch = 6;

interface Props {
  /** The chosen one; undefined: none is. */
  readonly value?: string | undefined;
  /** Left out. */
  readonly without?: readonly (string | undefined)[];
  readonly onChoose: (id: string) => void;
}

/** The chat models: the chosen one and those that were chosen before it, then the others, the best choice first. */
export function ModelList({ value, without = [], onChoose }: Props) {
  const { box, query, setQuery, isTyped, beginSearch } = useTypedSearch();
  useEffect(() => {
    void loadModels().catch(() => undefined);
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const suggestions = useAdmin<SuggestionList>(isAdmin.value ? 'model-suggestions' : undefined);
  const best = suggestions.value?.data.find((suggestion) => suggestion.best)?.served_as;
  const all = chatModels.value
    .filter(({ id }) => !without.includes(id))
    .toSorted((one, other) => Number(isTrouble(one)) - Number(isTrouble(other)));
  const isSearching = query.trim() !== '';
  const recent = isSearching ? [] : recentOf(all, value);
  const others = found(all, query).filter((model) => !recent.includes(model));
  const groups = toGroups(recent, others);
  const choose = (id: string) => {
    onChoose(id);
    writeOn();
  };
  const [first] = isSearching ? groups.flatMap(({ models }) => models) : [];
  const chooseFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    // The message has the focus then, and gets no line by it.
    event.preventDefault();
    if (first !== undefined) choose(first.id);
  };
  return (
    <div ref={box} onKeyDown={beginSearch}>
      {(isTyped || all.length >= leastToSearch) && (
        <SearchBox label={t.picker.searchModels} value={query} onChange={setQuery} onKeyDown={chooseFirst} />
      )}
      {groups.map(({ title, models, isPlace }) => (
        <section key={title} aria-label={title}>
          {(groups.length > 1 || isPlace) && <h2>{title}</h2>}
          <ul class="plain">
            {models.map((model) => (
              <Item
                key={model.id}
                model={model}
                isChosen={model.id === value}
                isFirst={model === first}
                isBest={model.id === best}
                isTold={isPlace}
                onChoose={choose}
              />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p class="quiet item">{t.chat.nothingFound}</p>}
    </div>
  );
}

/** A search that whoever types in `box` begins, however few models there are. The keyboard starts in it, or at a model. */
function useTypedSearch() {
  const [query, setQuery] = useState('');
  const [isTyped, setTyped] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const stops = ['input', '[aria-current]', '.item'].map((one) =>
      box.current?.querySelector<HTMLElement>(one),
    );
    stops.find(Boolean)?.focus();
  }, [isTyped]);
  // The next letters may come before the field does.
  const beginSearch = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
    const isLetter = key.length === 1 && key !== ' ' && !(ctrlKey || metaKey || altKey || isComposing);
    if (!isLetter || target instanceof HTMLInputElement) return;
    event.preventDefault();
    setQuery((before) => before + key);
    setTyped(true);
    box.current?.querySelector('input')?.focus();
  };
  return { box, query, setQuery, isTyped, beginSearch };
}

interface ItemProps extends Pick<Props, 'onChoose'> {
  readonly model: Model;
  readonly isChosen: boolean;
  readonly isBest: boolean;
  /** Enter chooses it. */
  readonly isFirst: boolean;
  /** Whether it is said above it that it runs elsewhere. */
  readonly isTold: boolean;
}

const Item = ({ model, isChosen, isBest, isFirst, isTold, onChoose }: ItemProps) => (
  <li>
    <button
      type="button"
      class={isFirst ? 'item first' : 'item'}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(model.id)}
    >
      <div>
        <span>
          <strong class="model-id">{model.id}</strong>{' '}
          {isBest && <span class="state">{t.picker.recommended}</span>}
        </span>
        <small>
          <State model={model} isTold={isTold} />
          <Fact text={factsOf(model)} hint={weightsOf(model)} />
          <Fact text={priceOf(model)} hint={t.picker.priceHint} />
        </small>
        {typeof model.info?.['description'] === 'string' && (
          <small class="description">{model.info['description']}</small>
        )}
      </div>
      {isChosen && <Icon name="done" />}
    </button>
  </li>
);

/** Nothing where there is no text: the hint would be read in its place. */
const Fact = ({ text, hint }: { text: string; hint: string | undefined }) =>
  text === '' ? null : <span title={hint}>{text}</span>;

/** The recent models and those of each server, by its name; those of servers without a name come last. */
function toGroups(recent: readonly Model[], others: readonly Model[]) {
  const isHere = ({ runs_elsewhere: isAway }: Model) => !isAway;
  const away = others.filter((model) => !isHere(model));
  const byServer = [...Map.groupBy(away, ({ upstream_label: label }) => label)]
    .toSorted(([one], [other]) => Number(one === null) - Number(other === null))
    .map(([label, models]) => ({ title: t.picker.onServer(label), models, isPlace: true }));
  return [
    { title: t.picker.recentModels, models: recent, isPlace: false },
    { title: t.picker.otherModels, models: others.filter(isHere), isPlace: false },
    ...byServer,
  ].filter(({ models }) => models.length > 0);
}

/** The chosen one and those that were chosen before it, unless they failed since; none where there were none before. */
function recentOf(models: readonly Model[], chosen = ''): readonly Model[] {
  const last = recentModels().filter((id) => !hasFailed(id));
  const ids = new Set(last.length === 0 ? [] : [chosen, ...last]);
  return [...ids].flatMap((id) => models.find((model) => model.id === id) ?? []);
}

/** Those of `models` that have all words of `query` in a name: first one that is called so, then those that begin so. */
function found(models: readonly Model[], query: string): readonly Model[] {
  const wanted = query.trim().toLowerCase();
  const namesOf = ({ id, aliases }: Model) => [id, ...aliases].map((name) => name.toLowerCase());
  const distance = (model: Model) => {
    const names = namesOf(model);
    return names.includes(wanted) ? 0 : names.some((name) => name.startsWith(wanted)) ? 1 : 2;
  };
  return models
    .filter((model) => wanted.split(/\s+/).every((word) => namesOf(model).join(' ').includes(word)))
    .toSorted((one, other) => distance(one) - distance(other));
}

/** Whether it may well not answer. */
const isTrouble = (model: Model) => !isWell(model) || isShaky(model);

/** Whether it failed when it was last asked, here or, as far as that is known, by somebody else. */
const isShaky = ({ id, last_answer_failed: isFailing }: Model) => isFailing || hasFailed(id);

const stateOf = (model: Model) =>
  isWell(model) && isShaky(model)
    ? 'unanswered'
    : !isWell(model)
      ? model.runs_elsewhere
        ? 'down'
        : 'failed'
      : model.runs_elsewhere
        ? 'elsewhere'
        : model.state;

/** Whether a model can answer, and how soon. */
function State({ model, isTold }: Pick<ItemProps, 'model' | 'isTold'>) {
  const state = stateOf(model);
  const { upstream_label: label } = model;
  if (state === 'elsewhere' && isTold) return null;
  const hasDot = state !== 'elsewhere' && state !== 'available';
  return (
    <span title={t.picker.stateHints[state]}>
      {hasDot && <i class={`dot ${state}`} />}
      {state === 'elsewhere' && label !== null ? t.picker.at(label) : t.picker.modelState[state]}
    </span>
  );
}

function factsOf(model: Model): string {
  const { parameters_number: parameters, context_window: context } = model;
  const {
    supports_image: sees,
    supports_audio: hears,
    supports_function_calling: calls,
  } = model.capabilities;
  const { abilities } = t.picker;
  return joined(
    parameters !== 'unknown' && t.picker.parameters(parameters),
    context !== null && t.picker.contextOf(toContext(context)),
    // They stay in one line.
    [sees && abilities.sees, hears && abilities.hears, calls && abilities.calls]
      .filter(Boolean)
      .join('\u00A0·\u00A0'),
  );
}

/** Its price; '': none. */
function priceOf({ prices = {} }: Model): string {
  const { input_tokens: input = 0, output_tokens: output = 0, requests = 0 } = prices;
  return joined(
    input + output > 0 && t.picker.price(input, output),
    requests > 0 && t.picker.priceOfRequest(requests),
  );
}

/** The precision of its weights, in the title: few people look for it. */
const weightsOf = ({ quantization }: Model) =>
  quantization === null ? undefined : t.picker.weights(quantization);
