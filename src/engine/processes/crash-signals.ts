/** Signals that a program raises by what it does itself; others are sent: by the system, a terminal, somebody. */
export const crashSignals: readonly NodeJS.Signals[] = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
];
