#!/usr/bin/env node
import './cli/runtime.ts';
import { Command } from 'commander';
import { registerAccountsCommand } from './cli/accounts/accounts.ts';
import { registerBackupCommand } from './cli/backup/backup.ts';
import { registerLicencesCommand } from './cli/about/licences.ts';
import { registerRestoreCommand } from './cli/backup/restore.ts';
import { registerChatCommand } from './cli/chat/chat.ts';
import { registerDoctorCommand } from './cli/doctor/doctor.ts';
import { registerKeysCommand } from './cli/accounts/keys.ts';
import { registerGpuCommand } from './cli/gpu.ts';
import { registerModelsCommand } from './cli/models/models.ts';
import { registerPlansCommand } from './cli/accounts/plans.ts';
import { shellCommand } from './cli/own-command.ts';
import { registerServeCommand } from './cli/serve/serve.ts';
import { registerServiceCommand } from './cli/service/service.ts';
import { registerTranscribeCommand } from './cli/transcribe/transcribe.ts';
import { registerUpdateCommand } from './cli/about/update.ts';
import { registerUsageCommand } from './cli/accounts/usage.ts';
import { checkFirstWord, helpWithErrors } from './cli/usage-errors.ts';
import { packageVersion } from './config/package-version.ts';

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
  registerPlansCommand,
  registerUsageCommand,
  registerChatCommand,
  registerTranscribeCommand,
  registerDoctorCommand,
  registerGpuCommand,
  registerBackupCommand,
  registerRestoreCommand,
  registerServiceCommand,
  registerUpdateCommand,
  registerLicencesCommand,
])
  register(program);

helpWithErrors(program);
checkFirstWord(program, process.argv.slice(2));
if (process.argv.length === 3 && /^(?:-V|--version)$/.test(process.argv[2] ?? ''))
  (await import('./cli/about/version.ts')).printVersions();
else await program.parseAsync();
