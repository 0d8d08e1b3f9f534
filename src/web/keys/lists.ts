import { useEffect, useState } from 'preact/hooks';
import type { Account, ApiKey, Invitation, ListOf, PlanList, UsageList } from '../api/types.ts';
import { useAdmin } from '../state/asked.ts';
import { changes } from '../now/standing.ts';
import { inOrder } from '../words/formats.ts';

const pollMs = 5000;
const usagePollMs = 30_000;

/** All that the parts show; the lists are loaded anew after each act. An account that was `made` is there at once. */
export function useLists() {
  const [made, setMade] = useState<Account>();
  const accounts = useAdmin<ListOf<Account>>('accounts', pollMs);
  const keys = useAdmin<ListOf<ApiKey>>('keys', pollMs);
  const plans = useAdmin<PlanList>('plans');
  const invitations = useAdmin<ListOf<Invitation>>('invitations', pollMs);
  const usage = useAdmin<UsageList>('usage?by=account&since=1d', usagePollMs);
  const usageOfKeys = useAdmin<UsageList>('usage?by=key&since=1d', usagePollMs);
  const listed = accounts.value?.data ?? [];
  const isListed = listed.some(({ id }) => id === made?.id);
  useEffect(() => {
    if (isListed) setMade(undefined);
  }, [isListed]);
  const lists = [accounts, keys, plans, invitations];
  return {
    accounts: (made === undefined || isListed ? [...listed] : [...listed, made]).sort(byName),
    keys: keys.value?.data ?? [],
    plans: plans.value?.data ?? [],
    invitations: invitations.value?.data ?? [],
    usage: usage.value?.data ?? [],
    usageOfKeys: usageOfKeys.value?.data ?? [],
    isReady: lists.every(({ value }) => value !== undefined),
    /** One that failed, or is still to come. */
    waits: lists.find(({ error }) => error !== undefined) ?? lists.find(({ value }) => value === undefined),
    setMade,
    reload: () => {
      changes.value += 1;
      for (const list of lists) list.reload();
    },
  };
}

const byName = (one: Account, other: Account) => inOrder(one.name, other.name);
