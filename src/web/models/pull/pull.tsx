import { signal } from '@preact/signals';
import { ApiError, eventsOf } from '../../api/request.ts';
import type { PullEvent } from '../../api/types.ts';
import { t } from '../../words/operator-texts.ts';
import { messageOf } from '../../state/polled.ts';
import { asAdmin } from '../../state/session.ts';
import { Button } from '../../ui/controls.tsx';

interface ButtonProps {
  readonly id: string;
  readonly source: string;
  /** The id under which it is here; null: it is not. */
  readonly servedAs: string | null;
}

/** Gets the model that `source` is, unless another one is being got; leads to it where it is here. */
export const PullButton = ({ id, source, servedAs }: ButtonProps) =>
  servedAs === null ? (
    <>
      <Button
        disabled={pull.value?.state === 'running'}
        aria-label={`${t.models.pullStart} ${id}`}
        text={t.models.pullStart}
        onClick={() => void startPull(source, true)}
      />
      {pull.value?.row === source && pull.value.state === 'failed' && <PullProblem />}
    </>
  ) : (
    <span class="quiet">{t.models.here}</span>
  );

/** Why the last download failed, and beside that what begins it again, where that may help. */
export function PullProblem() {
  const { name = '', row, outcome, isWrong = false } = pull.value ?? {};
  return (
    <div class="problem asks" role="alert">
      {outcome}{' '}
      {!isWrong && <Button text={t.shell.tryAgain} onClick={() => void startPull(name, row !== undefined)} />}
    </div>
  );
}

export type PullProgress = Exclude<PullEvent, { error: unknown }>;

/** The download that was started here last. It goes on while another view is open. */
interface Pull {
  readonly name: string;
  /** Where it was begun in the row of a model, its source: such a row tells itself that it failed. */
  readonly row?: string | undefined;
  readonly state: 'running' | 'pulled' | 'stopped' | 'failed';
  readonly progress?: PullProgress;
  /** A sentence about its end. */
  readonly outcome?: string;
  /** Whether there is no such thing to be got: it would fail again. */
  readonly isWrong?: boolean;
}

export const pull = signal<Pull | undefined>(undefined);

let leaving: AbortController | undefined;

/** Gets a model by name or address. */
export async function startPull(name: string, isInRow = false): Promise<void> {
  const controller = new AbortController();
  leaving = controller;
  let current: Pull = { name, row: isInRow ? name : undefined, state: 'running' };
  const show = (change: Partial<Pull>) => {
    pull.value = current = { ...current, ...change };
  };
  show({});
  try {
    const response = await asAdmin('models/pull', {
      method: 'POST',
      body: { model: name },
      signal: controller.signal,
    });
    for await (const progress of eventsOf<PullEvent>(response)) show({ progress });
    const { model, file } = current.progress ?? { model: null, file: name };
    show({ state: 'pulled', outcome: t.models.pulled(model ?? file) });
  } catch (error) {
    if (controller.signal.aborted) show({ state: 'stopped', outcome: t.models.pullStopped });
    // The search of the hub is beside it.
    else
      show({
        state: 'failed',
        isWrong: error instanceof ApiError && error.status === 400,
        outcome: `${name}: ${messageOf(error)}`.replace(/; https:\S+ lists what there is/, ''),
      });
  }
}

export const stopPull = (): void => leaving?.abort();
