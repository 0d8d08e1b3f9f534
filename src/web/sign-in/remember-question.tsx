import { asksToRemember, remember } from '../state/session.ts';
import { t } from '../texts.ts';

/** After a sign-in by link: whether other tabs and later visits are to need no key either. */
export function RememberQuestion() {
  if (!asksToRemember.value) return null;
  const answer = (isWanted: boolean) => {
    asksToRemember.value = false;
    if (isWanted) remember(true);
  };
  return (
    <div class="banner" role="status">
      <span>{t.signIn.rememberLink}</span>
      <span class="spacer" />
      <button type="button" class="primary" onClick={() => answer(true)}>
        {t.signIn.remember}
      </button>
      <button type="button" onClick={() => answer(false)}>
        {t.signIn.notNow}
      </button>
    </div>
  );
}
