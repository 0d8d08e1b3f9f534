import type { Config } from '../config/types.ts';
import { openTellingStore } from './context.ts';
import { openServices, type Services } from '../assembly/services.ts';
import { createLog } from '../telemetry/log.ts';

/** The services for a command that computes in this process. Nothing is logged: errors are told in one line. */
export const openQuietServices = (config: Config): Promise<Services> =>
  openServices(config, createLog({ level: 'silent' }), openTellingStore(config));
