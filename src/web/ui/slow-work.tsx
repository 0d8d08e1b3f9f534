import { useSeconds } from '../state/polled.ts';
import { t } from '../words/dialog-texts.ts';
import { Button } from './controls.tsx';
import './slow-work.css';

/** From this wait on the server is said to take long. */
const longSeconds = 8;

/** Under the buttons of work that is awaited; nothing at first, when they show it themselves. */
export const SlowWork = ({ onGiveUp }: { onGiveUp: (told: string) => void }) => (
  <div class="slow-work" role="status">
    {useSeconds() >= longSeconds && (
      <>
        {t.slow.told} <Button text={t.slow.giveUp} onClick={() => onGiveUp(t.slow.givenUp)} />
      </>
    )}
  </div>
);
