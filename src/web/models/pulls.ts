import { signal } from '@preact/signals';
import { eventsOf } from '../api/request.ts';
import type { PullEvent } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { messageOf } from '../state/polled.ts';
import { t } from '../operator-texts.ts';

export type PullProgress = Exclude<PullEvent, { error: unknown }>;

/** The download that was started here last. It goes on while another view is open. */
export interface Pull {
  readonly name: string;
  readonly state: 'running' | 'pulled' | 'stopped' | 'failed';
  readonly progress?: PullProgress;
  /** A sentence about its end. */
  readonly outcome?: string;
}

export const pull = signal<Pull | undefined>(undefined);

let leaving: AbortController | undefined;

/** Gets a model by name or address. */
export async function startPull(name: string): Promise<void> {
  const controller = new AbortController();
  leaving = controller;
  let current: Pull = { name, state: 'running' };
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
    for await (const event of eventsOf<PullEvent>(response)) {
      if ('error' in event) throw new Error(event.error.message);
      show({ progress: event });
    }
    const { model, file } = current.progress ?? { model: null, file: name };
    show({ state: 'pulled', outcome: t.models.pulled(model ?? file) });
  } catch (error) {
    if (controller.signal.aborted) show({ state: 'stopped', outcome: t.models.pullStopped });
    else show({ state: 'failed', outcome: messageOf(error) });
  }
}

export const stopPull = (): void => leaving?.abort();
