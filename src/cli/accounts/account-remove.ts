import { confirm } from '@clack/prompts';
import { CliError } from '../../errors/operator-errors.ts';
import type { StoreContext, StoreOptions } from '../context.ts';
import { printJson } from '../output.ts';

export interface RemoveOptions extends StoreOptions {
  readonly yes?: boolean | undefined;
}

/** Removes an account after asking on a terminal; elsewhere only with `--yes`. Throws AppError and CliError. */
export async function removeAccount(
  { accounts, keys }: StoreContext,
  nameOrId: string,
  { yes, json }: RemoveOptions,
): Promise<void> {
  const { id, name } = accounts.get(nameOrId);
  const activeKeys = keys.list(id).filter(({ state }) => state === 'active').length;
  if (yes !== true && !(await isConfirmed(name, activeKeys, json === true))) return;
  const removed = await accounts.remove(id);
  if (json === true) {
    printJson(removed);
    return;
  }
  const { revokedKeys, deletedResponses } = removed;
  process.stdout.write(
    `removed account ${name}: ${counted(revokedKeys, 'key')} revoked, ${counted(deletedResponses, 'stored response')} deleted; ` +
      `what it used stays in "usage", under ${id}\n`,
  );
}

async function isConfirmed(name: string, activeKeys: number, json: boolean): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError(
      `account "${name}" has ${counted(activeKeys, 'active key')}`,
      'add --yes to remove it',
    );
  const answer = await confirm({
    message:
      `Remove account "${name}"? From the next request on ${activeKeys === 1 ? 'its key opens' : `its ${activeKeys} keys open`} nothing, ` +
      'and its stored responses are deleted. What it used stays in the usage.',
    initialValue: false,
  });
  return answer === true;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
