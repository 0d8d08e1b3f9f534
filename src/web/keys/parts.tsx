import type { Invitation } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import './parts.css';

/** The parts of the view, by the first part of their addresses, with their titles. */
const parts = { keys: t.keys.accounts, invitations: t.invitations.title, plans: t.keys.plans } as const;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

/** The heading of a part; the first one has that of the view. */
export const titleOf = (part: Part): string => (part === 'keys' ? t.views.keys : parts[part]);

/** Whether its time is not over, and nobody closed it. */
export const isOpenInvitation = ({ state }: Invitation) => state === 'open' || state === 'full';

interface Props {
  readonly current: Part | 'audit';
  /** How many each part has; undefined: not known yet. */
  readonly counts?: Readonly<Record<Part, number>> | undefined;
}

/** The way from one part of accounts and keys to another, and to the log of acts on them. */
export const Parts = ({ current, counts }: Props) => (
  <nav class="parts" aria-label={t.keys.parts}>
    {partNames.map((part) => (
      <a key={part} href={`#/${part}`} aria-current={part === current ? 'page' : undefined}>
        {parts[part]} {counts !== undefined && counts[part] > 0 && <small>{counts[part]}</small>}
      </a>
    ))}
    <a href="#/audit" aria-current={current === 'audit' ? 'page' : undefined}>
      {t.views.audit}
    </a>
  </nav>
);
