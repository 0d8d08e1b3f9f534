#!/usr/bin/env node
import './cli/runtime.ts';
import { Command } from 'commander';
import { registerAccountsCommand } from './cli/accounts.ts';
import { registerChatCommand } from './cli/chat.ts';
import { registerDoctorCommand } from './cli/doctor.ts';
import { registerKeysCommand } from './cli/keys.ts';
import { registerModelsCommand } from './cli/models.ts';
import { registerServeCommand } from './cli/serve.ts';
import { registerTranscribeCommand } from './cli/transcribe.ts';
import { registerUsageCommand } from './cli/usage.ts';
import { packageVersion } from './package-version.ts';

const program = new Command('hearth')
  .description(
    'Serves language models on this computer through an OpenAI-style API, with accounts and limits.',
  )
  .version(packageVersion)
  .showHelpAfterError('(see hearth --help)');

for (const register of [
  registerServeCommand,
  registerModelsCommand,
  registerAccountsCommand,
  registerKeysCommand,
  registerUsageCommand,
  registerChatCommand,
  registerTranscribeCommand,
  registerDoctorCommand,
])
  register(program);

await program.parseAsync();
