import { useState } from 'preact/hooks';
import { t } from '../words/operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { LoadFailure } from '../models/load-failure.tsx';
import { toAge, toMoment, toTime } from '../words/times.ts';
import { hidden, hide, standing, type Notice } from './standing.ts';

/** The server's notices for operators, until they have hidden it in this browser. */
export function Notices() {
  const [undoable, setUndoable] = useState<readonly Notice['id'][]>([]);
  const hideAll = (...ids: readonly Notice['id'][]) => {
    hide([...hidden.value, ...ids]);
    setUndoable(ids);
  };
  const undo = () => {
    hide(hidden.value.filter((one) => !undoable.includes(one)));
    setUndoable([]);
  };
  const shown = standing.value;
  if (shown.length + undoable.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>{t.now.notices}</h2>
        {shown.length > 1 && (
          <Button
            class="plain-link"
            title={t.now.hideNotice}
            text={t.now.hideNotices}
            onClick={() => hideAll(...shown.map(({ id }) => id))}
          />
        )}
      </header>
      <dl class="notices">
        {shown.map(({ id, at, message, type, data }) => (
          <div key={id}>
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
              <IconButton icon="close" label={t.now.hideNotice} onClick={() => hideAll(id)} />
            </dd>
          </div>
        ))}
      </dl>
      {undoable.length > 0 && (
        <p class="quiet">
          {t.now.hidden(undoable.length)} <Button class="plain-link" text={t.now.undo} onClick={undo} />
        </p>
      )}
    </section>
  );
}

/** When a budget is full again; nothing where it is already, or never is. */
const FullAgain = ({ at }: { at: unknown }) => {
  const atMs = typeof at === 'string' ? Date.parse(at) : 0;
  return atMs > Date.now() && <span class="quiet">{t.now.fullAgain(toMoment(new Date(atMs)))}</span>;
};
