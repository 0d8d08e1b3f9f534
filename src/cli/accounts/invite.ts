import { connect } from 'node:net';
import { once } from 'node:events';
import type { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import type { Invitation, Invitations } from '../../accounts/sign-in/invitations.ts';
import { userScopes } from '../../accounts/types.ts';
import type { Config } from '../../config/types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { findServer } from '../../store/server-address.ts';
import { localAddresses } from '../../upkeep/local-addresses.ts';
import {
  addStoreOptions,
  lookIntoStore,
  parseDurationFlag,
  parseCountFlag,
  withStore,
  type StoreContext,
  type StoreOptions,
} from '../context.ts';
import { formatTime, printJson, printRow, printRows, printTable, type Column } from '../output.ts';
import { addBudgetOption } from './budget-flags.ts';
import { rightsIn, type RightFlags } from './right-flags.ts';

interface LinkOptions extends StoreOptions {
  readonly url?: string;
}

interface InviteOptions extends LinkOptions, RightFlags {
  readonly name?: string;
  readonly plan?: string;
  readonly seats?: string;
  readonly expires?: string;
  readonly keyExpires?: string;
}

const addressHelp = 'address of the server for those who are invited';

const columns: readonly Column<Invitation>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name || null, giveWay: 'wrap' },
  { title: 'PLAN', value: ({ plan }) => plan, giveWay: 1 },
  { title: 'CLAIMED', value: ({ seats, claims }) => `${claims.length} of ${seats}` },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'UNTIL', value: ({ expiresAtMs }) => formatTime(expiresAtMs), giveWay: 2 },
];

const claimColumns: readonly Column<Invitation['claims'][number]>[] = [
  { title: 'ACCOUNT', value: ({ accountName }) => accountName, giveWay: 'wrap' },
  { title: 'KEY', value: ({ keyId }) => keyId },
  { title: 'CLAIMED', value: ({ claimedAtMs }) => formatTime(claimedAtMs) },
];

export function registerInviteCommand(program: Command): void {
  const command = program
    .command('invite')
    .description(
      'have people make their account and key themselves, by a link; list, show and close invitations',
    );

  registerCreation(command);

  addStoreOptions(command.command('list'))
    .description('list all invitations, without their links')
    .action((options: StoreOptions) =>
      lookIntoStore(options, ({ invitations }) =>
        printRows(invitations.list(), columns, options.json, 'no invitations yet'),
      ),
    );

  addStoreOptions(command.command('show'))
    .description('who has claimed an invitation')
    .argument('<id>')
    .action((id: string, options: StoreOptions) =>
      lookIntoStore(options, ({ invitations }) => {
        const invitation = invitations.get(id);
        if (options.json) return printJson(invitation);
        printTable([invitation], columns);
        process.stdout.write('\n');
        printTable(invitation.claims, claimColumns, 'nobody has claimed it');
      }),
    );

  addStoreOptions(command.command('link'))
    .description('show a new link of an invitation, once; the old one works no more')
    .argument('<id>')
    .option('--url <address>', addressHelp)
    .action((id: string, options: LinkOptions) =>
      withStore(options, async (context) =>
        printLink(await originFor(context.config, options.url), context.invitations.renewCode(id), options),
      ),
    );

  addStoreOptions(command.command('close'))
    .description('let nobody claim an invitation any more')
    .argument('<id>')
    .option('--revoke-keys', 'and revoke the keys that claims made')
    .action((id: string, options: StoreOptions & { revokeKeys?: boolean }) =>
      withStore(options, ({ invitations }) => {
        const closed = invitations.close(id, options.revokeKeys);
        printRow(closed, columns, options.json);
        if (options.revokeKeys && !options.json)
          process.stdout.write(`keys revoked: ${closed.revokedKeys}\n`);
      }),
    );
}

function registerCreation(command: Command): void {
  addBudgetOption(addStoreOptions(command.command('create', { isDefault: true })))
    .description('make an invitation and show its link, once')
    .option('--name <text>', 'what it is for')
    .option('--plan <plan>', 'plan of the accounts (default: trial)')
    .option('--seats <number>', 'how many people may claim it (default: 1)')
    .option('--expires <time>', 'until when, such as 2h (default: 7d)')
    .option('--key-expires <time>', 'how long the keys work, such as 90d (default: for ever)')
    .option('--models <ids>', 'models that the keys may use, separated by commas (default: all)')
    .option(
      '--scopes <list>',
      `what the keys may be used for: ${userScopes.join(', ')} (default: everything)`,
    )
    .option('--parallel <number>', 'most requests of a key at once (default: any number)')
    .option('--url <address>', addressHelp)
    .action((options: InviteOptions) => withStore(options, (context) => invite(context, options)));
}

async function invite(context: StoreContext, options: InviteOptions): Promise<void> {
  const { name, plan, seats, expires, keyExpires } = options;
  const finite = (flag: string, text: string | undefined) => {
    const ms = text === undefined ? undefined : parseDurationFlag(flag, text);
    if (ms !== undefined && !(ms > 0 && ms < Infinity))
      throw new CliError(`${flag}: must end some time, such as 2h or 90d`);
    return ms;
  };
  const { allowedModels, scopes, parallel, budgets } = await rightsIn(options, context);
  const origin = await originFor(context.config, options.url);
  const made = context.invitations.create({
    name,
    plan,
    seats: seats === undefined ? undefined : parseCountFlag('--seats', seats, 'people, such as 30'),
    openMs: finite('--expires', expires),
    lifetimeMs: finite('--key-expires', keyExpires),
    allowedModels: allowedModels ?? undefined,
    scopes: scopes ?? undefined,
    parallel: parallel ?? undefined,
    budgets,
  });
  printLink(origin, made, options);
}

function printLink(
  origin: string,
  { invitation, code }: ReturnType<Invitations['create']>,
  { json }: LinkOptions,
): void {
  const link = `${origin}/#invite=${code}`;
  if (json) return printJson({ ...invitation, link });
  printTable([invitation], columns);
  process.stdout.write(`\nThe link, shown only this once: ${link}\n`);
  if (process.stdout.isTTY) process.stdout.write(`${renderUnicodeCompact(link)}\n`);
}

/** Where other people reach the server: as they were told, in the network where it listens there, or on this machine. */
async function originFor(
  { databaseFile, host, port, tls }: Config,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) {
    if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
      throw new CliError('--url: must be an address such as https://hearth.example');
    return given.replace(/[#?].*$/, '').replace(/\/+$/, '');
  }
  const server = findServer(databaseFile);
  const scheme = tls === undefined ? 'http' : 'https';
  const configured = `${scheme}://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const url = new URL(server.state === 'serving' ? server.baseUrl : configured);
  const [address] = localAddresses();
  if (url.hostname === '127.0.0.1' && address !== undefined && (await listensOn(address, Number(url.port))))
    url.hostname = address;
  return url.origin;
}

async function listensOn(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 1000 }).on('timeout', () =>
    socket.destroy(new Error('late')),
  );
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
