/** Signals that a program causes by its own faults. All others are sent to it by the system, a terminal or a user. */
export const crashSignals: readonly NodeJS.Signals[] = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
];
