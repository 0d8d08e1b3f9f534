import type { Command } from 'commander';
import { nearest } from '../edit-distance.ts';
import { shellCommand } from './own-command.ts';

/** Has every usage error of `command`, and of each command below it, end with how to get that command's own help. */
export function helpWithErrors(command: Command, names: readonly string[] = []): void {
  command
    .showHelpAfterError(`(see ${shellCommand([...names, '--help'])})`)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'hearth: ')) });
  for (const below of command.commands) helpWithErrors(below, [...names, below.name()]);
}

/** Furthest that a slip of the fingers is from what was meant. */
const maxDistance = 2;

/**
 * Ends the program with a usage error where the first argument is neither a flag nor a command. Without this "serve",
 * which is what no command means, would complain of one argument too many.
 */
export function checkFirstWord(program: Command, [word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-')) return;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (names.includes(word)) return;
  const near = nearest(word, names);
  const suggestion =
    near !== undefined && near.distance <= maxDistance ? ` (did you mean ${near.word}?)` : '';
  program.error(`error: unknown command "${word}"${suggestion}`);
}
