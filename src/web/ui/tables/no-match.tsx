import { t } from '../../words/operator-texts.ts';
import { Button } from '../controls.tsx';

/** In place of rows of which none is wanted: a button that shows them again. */
export const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <p class="quiet">
    {t.noMatch} <Button class="plain-link" text={t.showAll} onClick={onClear} />
  </p>
);
