/** The command table, and the command that was called. */
import { Command } from 'commander';
import { registerAccountsCommand } from './accounts/accounts.ts';
import { registerBatchCommand } from './batch/batch.ts';
import { registerBenchCommand } from './bench/bench.ts';
import { registerBackupCommands } from './backup.ts';
import { registerLicencesCommand } from './about/licences.ts';
import { registerChatCommand, registerRunCommand } from './chat/chat.ts';
import { registerDoctorCommand } from './doctor/doctor.ts';
import { registerInviteCommand } from './accounts/invite.ts';
import { registerKeysCommand } from './accounts/keys.ts';
import { registerGpuCommand } from './gpu.ts';
import { registerLaunchCommand } from './launch/launch.ts';
import { registerMcpCommand } from './mcp/mcp.ts';
import { registerInMemoryCommands } from './models/in-memory.ts';
import { registerModelsCommand } from './models/models.ts';
import { registerPlansCommand } from './accounts/plans.ts';
import { harmless, tell } from './output.ts';
import { shellCommand } from './own-command.ts';
import { registerSayCommand } from './say/say.ts';
import { registerServeCommand } from './serve/serve.ts';
import { registerServiceCommand } from './service/service.ts';
import { registerTranscribeCommand } from './transcribe/transcribe.ts';
import { registerUpdateCommand } from './about/update.ts';
import { registerAuditCommand, registerNoticesCommand, registerUsageCommand } from './accounts/reports.ts';
import { unknownVariables } from '../config/flags-and-variables.ts';
import { packageVersion } from '../config/package-version.ts';
import { nearestName } from '../words/nearest-names.ts';

/** Commands of Ollama that have another name here or do not exist, each with the advice for who types it. */
const advice: ReadonlyMap<string, string> = new Map([
  ['ls', 'did you mean models list?'],
  ...['remove', 'delete'].map((word) => [word, 'did you mean models rm?'] as const),
  [
    'create',
    'a model with settings of its own is an entry of hearth.yaml; see also: accounts create, keys create',
  ],
  ['cp', 'another name of a model is one of its aliases in hearth.yaml'],
  ...['push', 'signin', 'signout'].map((word) => [word, 'models stay on this machine'] as const),
]);

const program = new Command(shellCommand([]))
  .description(
    'Serves language models on this computer through an OpenAI-style API, with accounts and limits.',
  )
  .version(packageVersion, '-V, --version', 'print the versions of hearth, Node and llama.cpp');

for (const register of [
  registerServeCommand,
  registerModelsCommand,
  registerAccountsCommand,
  registerKeysCommand,
  registerInviteCommand,
  registerPlansCommand,
  registerUsageCommand,
  registerAuditCommand,
  registerNoticesCommand,
  registerRunCommand,
  registerInMemoryCommands,
  registerChatCommand,
  registerLaunchCommand,
  registerMcpCommand,
  registerTranscribeCommand,
  registerSayCommand,
  registerBatchCommand,
  registerBenchCommand,
  registerDoctorCommand,
  registerGpuCommand,
  registerBackupCommands,
  registerServiceCommand,
  registerUpdateCommand,
  registerLicencesCommand,
])
  register(program);

helpWithErrors(program);
let isServer = false;
// A reader such as `head` closes the pipe once it has enough, and the command ends. A server goes on without its output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!isServer) process.exit();
});
// The log of `serve` has it too, in its own form.
program.hook('preAction', (_program, command) => {
  isServer = command.name() === 'serve';
  if (isServer) return;
  for (const problem of unknownVariables(process.env)) tell(problem);
});
checkFirstWord(process.argv.slice(2));
if (process.argv.length === 3 && /^(?:-V|--version)$/.test(process.argv[2] ?? ''))
  (await import('./about/version.ts')).printVersions();
else await program.parseAsync();

/** Has every usage error of `command`, and of each command below it, end with how to get that command's own help. */
function helpWithErrors(command: Command, names: readonly string[] = []): void {
  command.showHelpAfterError(`(see ${shellCommand([...names, '--help'])})`).configureOutput({
    outputError: (text, write) =>
      write(
        text
          .replace(/^error: /, 'hearth: ')
          .split('\n')
          .map(harmless)
          .join('\n'),
      ),
  });
  for (const below of command.commands) helpWithErrors(below, [...names, below.name()]);
}

/**
 * Ends the program with a usage error where the first argument is neither a flag nor a command. Otherwise "serve", the
 * default command, would complain of one argument too many. A command below another may have been meant, too.
 */
function checkFirstWord([word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-')) return;
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  if ([...names, 'help'].includes(word)) return;
  const meant = new Map(names.map((name) => [name, name]));
  for (const command of program.commands)
    for (const below of command.commands.map((one) => one.name()))
      if (!meant.has(below)) meant.set(below, `${command.name()} ${below}`);
  const near = nearestName(word, meant.keys());
  const hint = advice.get(word) ?? (near === undefined ? undefined : `did you mean ${meant.get(near)}?`);
  program.error(`error: unknown command "${word}"${hint === undefined ? '' : ` (${hint})`}`);
}
