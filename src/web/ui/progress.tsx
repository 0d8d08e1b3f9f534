import type { Polled } from '../state/polled.ts';
import { t } from '../words/texts.ts';
import { Button, Problem, Waiting } from './controls.tsx';
import './progress.css';

interface Props {
  readonly of: Pick<Polled<unknown>, 'value' | 'error'> & { readonly reload?: () => void };
}

/** In place of a value from the server: that it is still to come, or why it does not, and a way to ask for it again. */
export function Progress({ of: { value, error, reload } }: Props) {
  if (error === undefined) return value === undefined ? <Waiting onAgain={reload} /> : null;
  if (value !== undefined || reload === undefined) return <Problem text={error} />;
  return (
    <div class="problem asks" role="alert">
      {error} <Button text={t.shell.tryAgain} onClick={reload} />
    </div>
  );
}
