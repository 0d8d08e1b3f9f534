import { useState } from 'preact/hooks';
import { parsed } from '../state/stored.ts';
import { t } from '../operator-texts.ts';
import { IconButton } from '../ui/controls.tsx';
import { toAge, toTime } from '../words.ts';
import type { Notice } from './server-events.ts';

const hiddenName = 'hearth-hidden-notices';

/** What the server told operators of, until they have hidden it in this browser. */
export function Notices({ notices }: { notices: readonly Notice[] }) {
  const [hidden, setHidden] = useState(parsed<readonly Notice['id'][]>(localStorage.getItem(hiddenName), []));
  const hide = (id: Notice['id']) => {
    // Those that the server has forgotten never come again.
    const next = [...hidden.filter((one) => notices.some((notice) => notice.id === one)), id];
    localStorage.setItem(hiddenName, JSON.stringify(next));
    setHidden(next);
  };
  const shown = notices.filter(({ id }) => !hidden.includes(id));
  if (shown.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.now.notices}</h2>
      <dl class="notices">
        {shown.map(({ id, at, message }) => (
          <div key={id}>
            <dt title={toTime(at)}>{toAge(at)}</dt>
            <dd>
              <span>{message}</span>
              <IconButton icon="close" label={t.now.hideNotice} onClick={() => hide(id)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
