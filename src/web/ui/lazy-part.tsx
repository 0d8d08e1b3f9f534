import { signal } from '@preact/signals';
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { importPart } from '../api/connection.ts';

/** A component whose file is loaded when it is first shown; until then there is nothing. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const part = signal<{ readonly View: ComponentType<Props> } | { readonly error: unknown }>();
  let loading: Promise<void> | undefined;
  return (props) => {
    useEffect(() => {
      loading ??= importPart(load).then(
        (View) => void (part.value = { View }),
        (error: unknown) => void (part.value = { error }),
      );
    }, []);
    if (part.value === undefined) return null;
    // The view that it is a part of says so.
    if ('error' in part.value) throw part.value.error;
    const { View } = part.value;
    return <View {...props} />;
  };
}
