import { useRef, useState } from 'preact/hooks';
import { t } from '../words/operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { LoadFailure } from '../models/load-failure.tsx';
import { toAge, toMoment, toTime } from '../words/times.ts';
import { hidden, hide, isHidden, standing, type Notice } from './standing.ts';

const hideAll = (all: readonly Notice[]) => hide([...hidden.value, ...all.map(({ id }) => id)]);

const showAll = (all: readonly Notice[]) =>
  hide(hidden.value.filter((one) => all.every(({ id }) => id !== one)));

/** The server's notices for operators. One that is hidden keeps its place, pale, until the view is left. */
export function Notices() {
  /** Those that were hidden when the view was opened. */
  const [left, setLeft] = useState(hidden.value);
  const card = useRef<HTMLElement>(null);
  const shown = standing.value.filter(({ id }) => !left.includes(id));
  const leftOut = standing.value.length - shown.length;
  const open = shown.filter((one) => !isHidden(one));
  const showLeft = () => {
    showAll(standing.value.filter(({ id }) => left.includes(id)));
    setLeft([]);
    card.current?.focus();
  };
  if (standing.value.length === 0) return null;
  return (
    <section class="card" ref={card} tabIndex={-1}>
      <header>
        <h2>{t.now.notices}</h2>
        {shown.length > 1 && (
          <Button
            class="plain-link"
            title={open.length > 0 ? t.now.hideNotice : undefined}
            text={open.length > 0 ? t.now.hideNotices : t.now.showNotices}
            onClick={() => (open.length > 0 ? hideAll(open) : showAll(shown))}
          />
        )}
      </header>
      <dl class="notices">
        {shown.map((one) => (
          <NoticeRow key={one.id} notice={one} />
        ))}
      </dl>
      {leftOut > 0 && (
        <p class="quiet">
          {t.now.hidden(leftOut)} <Button class="plain-link" text={t.now.showNotice} onClick={showLeft} />
        </p>
      )}
    </section>
  );
}

function NoticeRow({ notice }: { notice: Notice }) {
  const { at, message, type, data } = notice;
  const isPale = isHidden(notice);
  return (
    <div class={isPale ? 'hidden-notice' : ''}>
      <dt title={toTime(at)}>{toAge(at)}</dt>
      <dd>
        <div>
          <span class={type === 'budget.exhausted' ? 'failed' : ''}>
            <LoadFailure text={message} />
          </span>{' '}
          <FullAgain at={data['resets_at']} />{' '}
          {typeof data['account'] === 'string' && (
            <a href={`#/keys/${encodeURIComponent(data['account'])}`}>{t.now.toAccount}</a>
          )}
        </div>
        <Button
          class={isPale ? 'plain-link' : 'icon-button'}
          aria-label={`${isPale ? t.now.undo : t.now.hideNotice}: ${message}`}
          title={isPale ? undefined : t.now.hideNotice}
          text={isPale ? t.now.undo : <Icon name="close" />}
          onClick={() => (isPale ? showAll([notice]) : hideAll([notice]))}
        />
      </dd>
    </div>
  );
}

/** When a budget is full again; nothing where it is already, or never is. */
const FullAgain = ({ at }: { at: unknown }) => {
  const atMs = typeof at === 'string' ? Date.parse(at) : 0;
  return atMs > Date.now() && <span class="quiet">{t.now.fullAgain(toMoment(new Date(atMs)))}</span>;
};
