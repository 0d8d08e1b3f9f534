import { useState } from 'preact/hooks';
import { parsed } from '../state/stored.ts';
import { t } from '../words/operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { LoadFailure } from '../models/load-failure.tsx';
import { toAge, toTime } from '../words/times.ts';
import type { Notice } from './server-events.ts';

const hiddenName = 'hearth-hidden-notices';

/** What the server told operators of, until they have hidden it in this browser. */
export function Notices({ notices }: { notices: readonly Notice[] }) {
  const [undoable, setUndoable] = useState<readonly Notice['id'][]>([]);
  const [hidden, setHidden] = useState(parsed<readonly Notice['id'][]>(localStorage.getItem(hiddenName), []));
  const keep = (all: readonly Notice['id'][]) => {
    // Those that the server has forgotten never come again.
    const next = all.filter((one) => notices.some((notice) => notice.id === one));
    localStorage.setItem(hiddenName, JSON.stringify(next));
    setHidden(next);
  };
  const hide = (...ids: readonly Notice['id'][]) => {
    keep([...hidden, ...ids]);
    setUndoable(ids);
  };
  const undo = () => {
    keep(hidden.filter((one) => !undoable.includes(one)));
    setUndoable([]);
  };
  const newest = [...Map.groupBy(notices, subjectOf).values()].flatMap(([first]) => first ?? []);
  const shown = newest.filter(({ id }) => !hidden.includes(id));
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
            onClick={() => hide(...shown.map(({ id }) => id))}
          />
        )}
      </header>
      <dl class="notices">
        {shown.map(({ id, at, message, type, data }) => (
          <div key={id}>
            <dt title={toTime(at)}>{toAge(at)}</dt>
            <dd>
              <div>
                <Severity type={type} /> <LoadFailure text={message} /> <FullAgain at={data['resets_at']} />{' '}
                {typeof data['account'] === 'string' && (
                  <a href={`#/keys/${encodeURIComponent(data['account'])}`}>{t.now.toAccount}</a>
                )}
              </div>
              <IconButton icon="close" label={t.now.hideNotice} onClick={() => hide(id)} />
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
  return atMs > Date.now() && <span class="quiet">{t.now.fullAgain(toAge(atMs / 1000))}</span>;
};

/** How bad it is that a budget comes to its end. */
const Severity = ({ type }: Pick<Notice, 'type'>) => {
  const severity = t.now.severities[type];
  return (
    severity !== undefined && (
      <span class={type === 'budget.exhausted' ? 'state failed' : 'state'}>{severity}</span>
    )
  );
};

/** What it is about: of two about the same the newer one holds, such as 100 % of a budget after 80 %. */
const subjectOf = ({ type, account_id: account, data }: Notice): string =>
  [type.split('.', 1), account, ...about.map((field) => data[field])].join(' ');

const about = ['owner', 'key_id', 'measure', 'period', 'model', 'folder'];
