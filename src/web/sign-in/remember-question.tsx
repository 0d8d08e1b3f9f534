import { asksToRemember, remember } from '../state/session.ts';
import { Button } from '../ui/controls.tsx';
import { t } from '../words/dialog-texts.ts';

/** After a sign-in by link: whether other tabs and later visits are to need no key either. */
export function RememberQuestion() {
  const answer = (isWanted: boolean) => {
    asksToRemember.value = false;
    if (isWanted) remember(true);
  };
  return (
    <div class="banner" role="status">
      <span>{t.signIn.rememberLink}</span>
      <span class="spacer" />
      <Button class="primary" text={t.signIn.remember} onClick={() => answer(true)} />
      <Button text={t.signIn.notNow} onClick={() => answer(false)} />
    </div>
  );
}
