import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { importPart, probe } from '../../api/connection.ts';
import { t } from '../../words/texts.ts';
import { Button, Waiting } from '../controls.tsx';
import { type Missing, partGone, useReloadOnceBack, whyMissing } from './lazy-part.tsx';

interface Props {
  /** The view, or how its file is loaded. */
  readonly view: ComponentType | { load(): Promise<ComponentType> };
  readonly title: string;
}

/** A view. One that breaks, or whose file cannot be loaded, says so and leaves the others as they are. */
export function ViewFrame({ view, title }: Props) {
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
  const isGone = missing === 'gone' || error === partGone;
  if (error === undefined && missing === undefined && View !== undefined) return <View />;
  return (
    <div class="page">
      <h1>{title}</h1>
      {isGone || error !== undefined ? (
        <>
          <p class="note">
            {isGone ? t.errors.gone : t.errors.broken(error instanceof Error ? error.message : '')}
          </p>
          <p>
            <Button text={t.shell.tryAgain} onClick={isGone ? () => location.reload() : tryAgain} />
          </p>
        </>
      ) : (
        <Waiting onAgain={() => void reloadIfThere()} />
      )}
    </div>
  );
}

/** A file that never comes is not asked for again by the page that awaits it. */
async function reloadIfThere(): Promise<void> {
  if (await probe()) location.reload();
}
