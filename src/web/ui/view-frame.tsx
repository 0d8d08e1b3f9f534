import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { importPart } from '../api/connection.ts';
import { t } from '../texts.ts';
import { Button } from './controls.tsx';
import { type Missing, useReloadOnceBack, whyMissing } from './lazy-part.tsx';

interface Props {
  /** The view, or how its file is loaded. */
  readonly view: ComponentType | { load(): Promise<ComponentType> };
}

/** A view. One that breaks, or whose file cannot be loaded, says so and leaves the others as they are. */
export function ViewFrame({ view }: Props) {
  const [View, setView] = useState<ComponentType | undefined>(() => ('load' in view ? undefined : view));
  const [missing, setMissing] = useState<Missing>();
  const [error, tryAgain] = useErrorBoundary();
  useEffect(() => {
    if (!('load' in view)) return;
    importPart(async () => await view.load()).then(
      (loaded) => setView(() => loaded),
      () => setMissing(whyMissing()),
    );
  }, []);
  useReloadOnceBack(missing);
  if (error !== undefined)
    return <Failure what={t.errors.broken(error instanceof Error ? error.message : '')} onRetry={tryAgain} />;
  if (missing !== undefined)
    return (
      <Failure
        what={missing === 'gone' ? t.errors.gone : t.errors.notLoaded}
        onRetry={() => location.reload()}
      />
    );
  return View === undefined ? <p class="note page">{t.shell.loading}</p> : <View />;
}

function Failure({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <div class="page">
      <p class="note">{what}</p>
      <p>
        <Button text={t.shell.tryAgain} onClick={onRetry} />
      </p>
    </div>
  );
}
