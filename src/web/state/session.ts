import { computed, effect, signal } from '@preact/signals';
import { ApiError, send, sendForJson, type RequestOptions } from '../api/request.ts';
import { t } from '../words/texts.ts';
import { keepOnServer } from './kept-on-server.ts';
import { parsed } from './stored.ts';

/** The secrets that this tab sends. An ordinary key opens /v1, an admin key opens /admin/v1. */
export interface Secrets {
  readonly user?: string | undefined;
  readonly admin?: string | undefined;
}

const storageName = 'hearth-keys';
/** Tells the next sign-in by a provider that somebody has signed out: others may use this browser. */
const leftName = 'hearth-left';
/** Tells a reload why the person was signed out. */
const reasonName = 'hearth-reason';
const adminPrefix = 'hk-admin-';

/** The keys with which this tab is signed in. */
export const secrets = signal<Secrets>(
  parsed(sessionStorage.getItem(storageName) ?? localStorage.getItem(storageName), {}),
);

export const signedIn = computed(() => secrets.value.user !== undefined || secrets.value.admin !== undefined);
export const isAdmin = computed(() => secrets.value.admin !== undefined);
export const canChat = computed(() => secrets.value.user !== undefined);
/** Why the person was signed out; shown where keys are pasted. */
export const signOutReason = signal(sessionStorage.getItem(reasonName) || undefined);
effect(() => sessionStorage.setItem(reasonName, signOutReason.value ?? ''));

/** Whether the keys outlive this tab. */
export const isRemembered = signal(localStorage.getItem(storageName) !== null);
/** Whether somebody came by a link, and was not asked yet whether this device is to remember it. */
export const asksToRemember = signal(false);

function keep(next: Secrets, isToRemember: boolean): void {
  secrets.value = next;
  sessionStorage.setItem(storageName, JSON.stringify(next));
  if (isToRemember || isRemembered.value) remember(true);
}

/** Keeps the keys for other tabs and later visits, or forgets them there. */
export function remember(isWanted: boolean): void {
  if (isWanted) localStorage.setItem(storageName, JSON.stringify(secrets.value));
  else localStorage.removeItem(storageName);
  isRemembered.value = isWanted;
}

/** Tries a pasted key of either kind, and keeps it. Throws ApiError where the server refuses it. */
export async function signIn(secret: string, isToRemember: boolean): Promise<void> {
  if (secret.startsWith(adminPrefix)) {
    await send('admin/v1/plans', { key: secret });
    keep({ ...secrets.value, admin: secret }, isToRemember);
  } else {
    await send('v1/models', { key: secret });
    keep({ ...secrets.value, user: secret }, isToRemember);
  }
  signOutReason.value = undefined;
}

/** Keeps the ordinary key that the server has just made, here and for later visits. */
export function enterWith(user: string): void {
  keep({ ...secrets.value, user }, true);
  signOutReason.value = undefined;
}

/** Exchanges the one-time code of the printed link for a session of its own keys. */
export async function signInByCode(code: string): Promise<void> {
  keep(await sendForJson<Secrets>('page/session', { method: 'POST', body: { code } }), false);
  localStorage.removeItem(leftName);
  asksToRemember.value = !isRemembered.value;
  signOutReason.value = undefined;
}

/** Signs in with the key of a link. */
export async function signInByKey(key: string): Promise<void> {
  await signIn(key, false);
  asksToRemember.value = !isRemembered.value;
}

/** Whether whoever used this browser last has signed out. */
export const hasLeft = (): boolean => localStorage.getItem(leftName) !== null;

/** Signs out as a person wishes: the keys of a session open nothing any more, those that were pasted stay. */
export async function leave(): Promise<void> {
  const { user, admin } = secrets.value;
  signOut();
  localStorage.setItem(leftName, 'true');
  for (const key of [user, admin])
    if (key !== undefined) await send('page/session', { method: 'DELETE', key }).catch(() => undefined);
}

export function signOut(reason?: string): void {
  secrets.value = {};
  sessionStorage.removeItem(storageName);
  remember(false);
  keepOnServer(false);
  asksToRemember.value = false;
  signOutReason.value = reason;
}

/** A request to /v1 with the ordinary key. Signs out when the key is no longer taken. */
export async function asUser(path: string, options: RequestOptions = {}): Promise<Response> {
  return await guarded(secrets.value.user, `v1/${path}`, options);
}

/** A request to /admin/v1 with the admin key. */
export async function asAdmin(path: string, options: RequestOptions = {}): Promise<Response> {
  return await guarded(secrets.value.admin, `admin/v1/${path}`, options);
}

export async function userJson<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
  return (await (await asUser(path, options)).json()) as Answer;
}

export async function adminJson<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
  return (await (await asAdmin(path, options)).json()) as Answer;
}

async function guarded(key: string | undefined, path: string, options: RequestOptions): Promise<Response> {
  try {
    return await send(path, { ...options, key });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && key !== undefined) signOut(t.signIn.revoked);
    throw error;
  }
}
