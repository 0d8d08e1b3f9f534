import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import './told.css';

/** What was done last with an account, a key, a plan or an invitation. */
export const told = signal('');

const toldMs = 10_000;

/** Tells it for a while. */
export function ToldNote() {
  useEffect(() => {
    const timer = setTimeout(() => (told.value = ''), toldMs);
    return () => clearTimeout(timer);
  }, [told.value]);
  return (
    <p class="card done-note" role="status">
      {told}
    </p>
  );
}
