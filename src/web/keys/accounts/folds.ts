import { useState } from 'preact/hooks';

/**
 * Which rows are unfolded. `byItself`: whether one is without anybody's doing, as what is searched for is. What was
 * unfolded or folded by hand is kept for either case.
 */
export function useFolds() {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const keyOf = (id: string, byItself: boolean) => `${id} ${byItself}`;
  return {
    isOpen: (id: string, byItself: boolean) => turned.has(keyOf(id, byItself)) !== byItself,
    put: (id: string, byItself: boolean, isOpen: boolean) =>
      setTurned((old) => {
        const next = new Set(old);
        if (isOpen === byItself) next.delete(keyOf(id, byItself));
        else next.add(keyOf(id, byItself));
        return next;
      }),
  };
}

export type Folds = ReturnType<typeof useFolds>;
