import { useState } from 'preact/hooks';
import { models } from '../../../state/models.ts';
import { t } from '../../../words/texts.ts';
import { Button } from '../../../ui/controls.tsx';
import { joined, toContext, toCount, toWait } from '../../../words/formats.ts';
import type { Message } from '../../conversations/conversation.ts';

interface Props {
  readonly message: Message;
  /** Whether it has the model's name. */
  readonly isNamed?: boolean;
  /** Whether other models answer in the same chat. */
  readonly isOneOfSeveral?: boolean;
  /** Whether it has a row of its own on a phone. */
  readonly hasRow?: boolean;
}

/** Which model answered, and how fast; pressed, also the tokens, the wait, the cache, and how full the context is. */
export function StatsLine({ message, isNamed = true, isOneOfSeveral = false, hasRow = false }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const { stats, model, error } = message;
  const name = isNamed && model;
  if (stats === undefined) {
    // One that was stopped has no figures, and one that failed says which model did.
    const isTold = isOneOfSeveral && error === undefined;
    return isTold && name ? <span class="stats">{name}</span> : null;
  }
  const figure = speedOf(stats) || t.chat.stats.tokens(stats.completionTokens);
  // Beside the tools a phone has room for one of them.
  const isNarrow = !hasRow && matchMedia('(max-width: 480px)').matches;
  const short = isNarrow ? (isOneOfSeveral && name) || figure : joined(name, figure);
  const all = joined(name, figuresOf(message));
  return (
    <Button
      class="stats"
      title={all}
      aria-expanded={showsAll}
      text={showsAll ? all : short}
      onClick={() => setShowsAll(!showsAll)}
    />
  );
}

type Stats = NonNullable<Message['stats']>;

/** The first token is there when the measured time begins. An answer that came all at once tells no speed. */
export const speedOf = ({ completionTokens, generationMs = 0 }: Stats) =>
  completionTokens > 1 &&
  generationMs > 50 &&
  t.chat.stats.speed(((completionTokens - 1) / generationMs) * 1000);

function figuresOf({ stats, model }: Message): string {
  if (stats === undefined) return '';
  const { promptTokens, completionTokens, cachedTokens, firstTokenMs } = stats;
  const context = models.value?.find(({ id }) => id === model)?.context_window ?? undefined;
  return joined(
    speedOf(stats),
    t.chat.stats.tokens(completionTokens),
    firstTokenMs !== undefined && t.chat.stats.first(toWait(firstTokenMs)),
    cachedTokens > 0 && t.chat.stats.cached(cachedTokens),
    context !== undefined &&
      t.chat.stats.context(toCount(promptTokens + completionTokens), toContext(context)),
  );
}
