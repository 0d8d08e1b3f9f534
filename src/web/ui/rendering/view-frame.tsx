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
  if (missing === 'gone' || error === partGone)
    return <Failure title={title} what={t.errors.gone} onRetry={() => location.reload()} />;
  if (error !== undefined)
    return (
      <Failure
        title={title}
        what={t.errors.broken(error instanceof Error ? error.message : '')}
        onRetry={tryAgain}
      />
    );
  if (View !== undefined && missing === undefined) return <View />;
  return (
    <div class="page">
      <h1>{title}</h1>
      <Waiting onAgain={() => void reloadIfThere()} />
    </div>
  );
}

/** A file that never comes is not asked for again by the page that awaits it. */
async function reloadIfThere(): Promise<void> {
  if (await probe()) location.reload();
}

interface FailureProps {
  readonly title: string;
  readonly what: string;
  readonly onRetry: () => void;
}

const Failure = ({ title, what, onRetry }: FailureProps) => (
  <div class="page">
    <h1>{title}</h1>
    <p class="note">{what}</p>
    <p>
      <Button text={t.shell.tryAgain} onClick={onRetry} />
    </p>
  </div>
);
