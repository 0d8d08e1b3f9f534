import { upstreamSettings, type UpstreamSettings } from '../upstream/upstream-settings.ts';
import type { RemoteEngine, RemoteSettings } from './remote-engine.ts';

const rows = {
  upstream: {
    settings: upstreamSettings,
    open: async (options) => new (await import('../upstream/upstream-backend.ts')).UpstreamBackend(options),
    examine: async (id, settings: UpstreamSettings) =>
      (await import('../upstream/examine.ts')).examineUpstream(id, settings),
  },
} satisfies Record<string, RemoteEngine>;

export type RemoteEngineName = keyof typeof rows;

/**
 * The engines of models that have no file here, each in one row. Its name is the key that such a model has in the
 * configuration file. Their code is loaded when it is needed.
 */
export const remoteEngines: Readonly<Record<RemoteEngineName, RemoteEngine>> = rows;

export const remoteEngineNames = Object.keys(rows) as readonly RemoteEngineName[];

/** Where a model without a file runs. */
export interface RemotePlace {
  readonly engine: RemoteEngineName;
  /** What its engine's forms were read to. */
  readonly settings: RemoteSettings;
  /** A text that changes whenever the model must be opened again, for example when its key has changed. */
  version(): string;
}
