import { signal } from '@preact/signals';

/** Whether the server did not answer when it was last asked; told once for the whole page. */
export const isServerAway = signal(false);

/** When the server answered last. */
export let answeredAtMs = Date.now();

/** Takes note of whether the server has answered a request. */
export function noteContact(hasAnswered: boolean): void {
  if (hasAnswered) answeredAtMs = Date.now();
  isServerAway.value = !hasAnswered;
}

/** Whether the browser knows of no network; a server of this device answers all the same. */
export const isOffline = signal(!navigator.onLine);

/** A server that takes longer to say that it is there is away. */
const deadlineMs = 5000;
const lookMs = 2000;
/** The page looks whether the server is still there before that has been silent for longer than this. */
export const patienceMs = 5000;

/** Whether the server answers now. */
export async function probe(): Promise<boolean> {
  const beganMs = Date.now();
  const leaving = AbortSignal.timeout(deadlineMs);
  try {
    await fetch(new URL('healthz', document.baseURI), { cache: 'no-store', signal: leaving });
    noteContact(true);
  } catch {
    // It may have answered something else meanwhile.
    if (answeredAtMs < beganMs) noteContact(false);
  }
  return !isServerAway.value;
}

// Whatever view is open, and whether it asks for something or not. A page that nobody sees only awaits the way back.
setInterval(() => {
  const isSilent = Date.now() - answeredAtMs > patienceMs - lookMs;
  if (isSilent && (isServerAway.value || !document.hidden)) void probe();
}, lookMs);

for (const event of ['offline', 'online'])
  addEventListener(event, () => {
    isOffline.value = !navigator.onLine;
    void probe();
  });

const reloadedName = 'hearth-reloaded-at';
/** A page that still lacks a file after it was loaded anew is not loaded again and again. */
const leastBetweenReloadsMs = 10_000;

/** The module that `load` imports. After an upgrade the files have other names, so the page is then loaded anew. */
export async function importPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const lastMs = Number(sessionStorage.getItem(reloadedName) ?? 0);
    if ((await probe()) && Date.now() - lastMs > leastBetweenReloadsMs) {
      sessionStorage.setItem(reloadedName, String(Date.now()));
      location.reload();
    }
    throw error;
  }
}
