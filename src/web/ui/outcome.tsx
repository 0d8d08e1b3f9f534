import { isServerAway } from '../api/connection.ts';
import { longSeconds, useSeconds, type useWork } from '../state/polled.ts';
import { t } from '../words/dialog-texts.ts';
import { Button, Problem } from './controls.tsx';
import './outcome.css';

type Work = Pick<ReturnType<typeof useWork>, 'problem' | 'isBusy' | 'giveUp'>;

/** The outcome of work that a person asked for: why it failed, or while it takes long, a way to give it up. */
export const Outcome = ({ of: { problem, isBusy, giveUp } }: { of: Work }) =>
  isBusy ? <SlowWork onGiveUp={giveUp} /> : <Problem text={problem} />;

/** Under the buttons of work that is awaited; nothing at first, when they show it themselves. */
const SlowWork = ({ onGiveUp }: { onGiveUp: (told: string) => void }) => (
  <div class="slow-work" role="status">
    {(useSeconds() >= longSeconds || isServerAway.value) && (
      <>
        {isServerAway.value ? t.slow.away : t.slow.told}{' '}
        <Button text={t.slow.giveUp} onClick={() => onGiveUp(t.slow.givenUp)} />
      </>
    )}
  </div>
);
