#!/usr/bin/env node
import './cli/runtime.ts';
import { Command } from 'commander';
import { registerServeCommand } from './cli/serve.ts';
import { packageVersion } from './package-version.ts';

const program = new Command('hearth')
  .description(
    'Serves language models on this computer through an OpenAI-style API, with accounts and limits.',
  )
  .version(packageVersion)
  .showHelpAfterError('(see hearth --help)');

registerServeCommand(program);

await program.parseAsync();
