import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import type { Message } from '../conversations/conversation.ts';

/** What an answer took: tokens, speed, the wait for the first one, and what came from the cache. */
export function StatsLine({ message: { stats, model } }: { message: Message }) {
  if (stats === undefined) return null;
  const { completionTokens, cachedTokens, firstTokenMs, generationMs } = stats;
  // The first token is there when the measured time begins.
  const perSecond =
    completionTokens > 1 && generationMs > 0 ? ((completionTokens - 1) / generationMs) * 1000 : undefined;
  const words = [
    model ?? '',
    t.chat.stats.tokens(completionTokens),
    ...(perSecond === undefined ? [] : [t.chat.stats.speed(perSecond)]),
    t.chat.stats.first(firstTokenMs),
    ...(cachedTokens > 0 ? [t.chat.stats.cached(cachedTokens)] : []),
  ];
  return <span class="stats">{words.join(' · ')}</span>;
}

/** The way to ask again, once the server will take the request. */
export function Retry({ retryAtMs, onRetry }: { retryAtMs: number | undefined; onRetry: () => void }) {
  const [nowMs, setNowMs] = useState(Date.now());
  const seconds = retryAtMs === undefined ? 0 : Math.ceil((retryAtMs - nowMs) / 1000);
  const waits = seconds > 0;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [waits]);
  return (
    <p class="actions">
      {waits && <span role="timer">{t.chat.retryIn(seconds)}</span>}
      <button type="button" disabled={waits} onClick={onRetry}>
        {t.chat.tryAgain}
      </button>
    </p>
  );
}
