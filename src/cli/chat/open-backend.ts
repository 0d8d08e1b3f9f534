import type { Config } from '../../config/types.ts';
import { connectToServer } from '../server-connection.ts';
import type { ChatBackend } from './backend.ts';
import { ServerBackend } from './server-backend.ts';

/** The running server of the data folder where there is one, else models in this process. */
export async function openBackend(config: Config): Promise<ChatBackend> {
  const connection = await connectToServer(config);
  if (connection !== undefined) return new ServerBackend(connection);
  // Loading the engine takes a moment that a chat with the server should not pay.
  const [{ openServices }, { createLog }, { EngineBackend }] = await Promise.all([
    import('../../services.ts'),
    import('../../telemetry/log.ts'),
    import('./engine-backend.ts'),
  ]);
  // What goes wrong is told to the user in one line.
  return new EngineBackend(await openServices(config, createLog({ level: 'silent' })), config);
}
