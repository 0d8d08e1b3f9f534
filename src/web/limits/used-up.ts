import type { Account, LimitList } from '../api/types.ts';

/** Whether nothing more can be asked because of it, speech aside. */
export const isUsedUp = ({ measure, left }: Account['budgets'][number]): boolean =>
  left <= 0 && measure !== 'audio_seconds';

/** The models that a limit of their own refuses now, by both names of those that can think first. */
export const modelsUsedUp = (limits: LimitList['data']): readonly string[] =>
  limits.filter(({ remaining }) => remaining < 1).flatMap(({ model }) => [model, `${model}-r`]);
