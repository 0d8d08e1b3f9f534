import { useEffect } from 'preact/hooks';
import { t } from './words/dialog-texts.ts';
import { toAddress, type ViewName } from './state/route.ts';

interface Props {
  /** The first part of an address that no view has. */
  readonly place: string;
  /** The view that is shown instead. */
  readonly shown: ViewName;
  /** Opens the settings of the page. */
  readonly onSettings: () => void;
}

/** That there is no view of that name. What is no view, but a page or a dialog, is opened. */
export function NoView({ place, shown, onSettings }: Props) {
  const isElsewhere = place === 'docs' || place === 'settings';
  useEffect(() => {
    if (place === 'docs') location.replace('docs');
    if (place !== 'settings') return;
    onSettings();
    // The way back leads to where the person was before.
    location.replace(toAddress(shown));
  }, [place]);
  if (isElsewhere) return null;
  return (
    <p class="banner" role="alert">
      {t.errors.noView(place, t.views[shown])}
    </p>
  );
}
