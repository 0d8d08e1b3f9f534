import { signal } from '@preact/signals';
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { importPart, isServerAway } from '../../api/connection.ts';

/** Why a file of the page is not there: the server was away, or has it no more. */
export type Missing = 'while away' | 'gone';

export const whyMissing = (): Missing => (isServerAway.value ? 'while away' : 'gone');

/** Thrown in the place of a part whose file the server has no more. */
export const partGone = new Error('gone');

/** Browsers remember that a file could not be loaded, so the page is loaded anew once the server is back. */
export function useReloadOnceBack(missing: Missing | undefined): void {
  const isBack = missing === 'while away' && !isServerAway.value;
  useEffect(() => {
    if (isBack) location.reload();
  }, [isBack]);
}

const loads: (() => Promise<unknown>)[] = [];

/** Loads all parts and `views` that were not shown yet, one at a time: the server may be away when they are. */
export async function loadAtRest(views: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of [...loads, ...views]) if (!isServerAway.value) await load().catch(() => undefined);
}

/**
 * A component whose file is loaded when it is first shown; until then there is nothing, and while the server is away as
 * well.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const part = signal<Part<Props>>({});
  let loading: Promise<void> | undefined;
  loads.push(load);
  return (props) => {
    const { View, missing } = part.value;
    useEffect(() => {
      loading ??= importPart(load).then(
        (loaded) => void (part.value = { View: loaded }),
        () => void (part.value = { missing: whyMissing() }),
      );
    }, []);
    useReloadOnceBack(missing);
    // The view that it is a part of says so.
    if (missing === 'gone') throw partGone;
    return View === undefined ? null : <View {...props} />;
  };
}

interface Part<Props> {
  readonly View?: ComponentType<Props>;
  readonly missing?: Missing;
}
