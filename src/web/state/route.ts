import { computed, signal } from '@preact/signals';

/** The views, by the first part of the address after `#/`. */
export type ViewName =
  | 'chat'
  | 'speech'
  | 'batches'
  | 'limits'
  | 'models'
  | 'keys'
  | 'usage'
  | 'now'
  | 'audit';

/** The part of the address behind `#/`, such as `chat/3f2a`, and before how a table is sorted. */
const path = signal(readPath());

function readPath(): string {
  return /^#\/([^?]*)/.exec(location.hash)?.[1] ?? '';
}

addEventListener('hashchange', () => {
  // A link that signs in was opened where the page is open already.
  if (/^#(?:key|code|invite|sign-in)=/.test(location.hash)) location.reload();
  // The link past the navigation leads into the view that is shown.
  if (location.hash !== '#main') path.value = readPath();
});

export const routeParts = computed(() => path.value.split('/').map(decode));

/** `part` as it was before it was put into an address; one that somebody typed may be no such thing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a view, to be linked to. */
export const toAddress = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

export function go(...parts: string[]): void {
  location.hash = toAddress(...parts);
  path.value = readPath();
}

/** The key of a link that was made to share it, `#key=…`, which is removed from the address. */
export function takeSharedKey(): string | undefined {
  const key = /^#key=(hk-[\w-]+)$/.exec(location.hash)?.[1];
  if (key !== undefined) {
    history.replaceState(null, '', `${location.pathname}#/`);
    path.value = readPath();
  }
  return key;
}

/** The code of an invitation, `#invite=…`, which stays in the address until it is claimed. */
export const invitationCode = () => /^#invite=([\w-]+)$/.exec(location.hash)?.[1];

/** The one-time code of a printed sign-in link, `#code=…`, which is removed from the address. */
export function takeSignInCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', `${location.pathname}#/chat`);
  return code;
}

/** Why a sign-in by the provider did not end well, `#sign-in=…`, which is removed from the address. */
export function takeSignInProblem(): string | undefined {
  const problem = /^#sign-in=([a-z]+)$/.exec(location.hash)?.[1];
  if (problem !== undefined) history.replaceState(null, '', `${location.pathname}#/chat`);
  return problem;
}
