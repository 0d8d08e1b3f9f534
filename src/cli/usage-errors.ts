import type { Command } from 'commander';
import { nearestName } from '../words/nearest-names.ts';
import { shellCommand } from './own-command.ts';

/** Has every usage error of `command`, and of each command below it, end with how to get that command's own help. */
export function helpWithErrors(command: Command, names: readonly string[] = []): void {
  command
    .showHelpAfterError(`(see ${shellCommand([...names, '--help'])})`)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'hearth: ')) });
  for (const below of command.commands) helpWithErrors(below, [...names, below.name()]);
}

/**
 * Ends the program with a usage error where the first argument is neither a flag nor a command. Otherwise "serve", the
 * default command, would complain of one argument too many.
 */
export function checkFirstWord(program: Command, [word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-')) return;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (names.includes(word)) return;
  const near = nearestName(word, names);
  const suggestion = near === undefined ? '' : ` (did you mean ${near}?)`;
  program.error(`error: unknown command "${word}"${suggestion}`);
}
