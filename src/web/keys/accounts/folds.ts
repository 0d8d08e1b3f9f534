import { useState } from 'preact/hooks';

interface Kept {
  readonly unfolded?: readonly string[];
}

const kept = () => (history.state as Kept | null)?.unfolded;

/**
 * Which rows are unfolded. `byItself`: whether one is without anybody's doing, as a sought one is. A row that was
 * unfolded or folded by hand is kept so for either case, with the place in the browser's history: who goes back finds
 * it.
 */
export function useFolds() {
  const [turned, setTurned] = useState<ReadonlySet<string>>(() => new Set(kept()));
  const keyOf = (id: string, byItself: boolean) => `${id} ${byItself}`;
  return {
    isOpen: (id: string, byItself: boolean) => turned.has(keyOf(id, byItself)) !== byItself,
    put: (id: string, byItself: boolean, isOpen: boolean) =>
      setTurned((old) => {
        const next = new Set(old);
        if (isOpen === byItself) next.delete(keyOf(id, byItself));
        else next.add(keyOf(id, byItself));
        history.replaceState({ unfolded: [...next] } satisfies Kept, '');
        return next;
      }),
  };
}

export type Folds = ReturnType<typeof useFolds>;
