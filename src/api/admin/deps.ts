import type { AppDeps } from '../env.ts';

/** What the admin API is given. */
export type AdminDeps = Pick<
  AppDeps,
  'administration' | 'authenticator' | 'catalog' | 'clock' | 'health' | 'log' | 'settings'
>;
