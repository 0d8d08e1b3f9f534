import type { ComponentType, FunctionComponent } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { importPart } from '../api/connection.ts';

/** A component whose file is loaded when it is first shown; until then there is nothing. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const Part = lazy(async () => ({ default: await importPart(load) }));
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
}
