import type { Log } from '../../telemetry/log.ts';
import type { ModelBackend, ServedModel } from '../model-backend.ts';
import type { EngineObserver } from '../observer.ts';
import type { Loadable } from '../pool/loadable.ts';
import { noMemory } from '../pool/memory-use.ts';
import { AddressBook } from './addresses/address-book.ts';
import { Connection } from './connection.ts';
import { UpstreamModel } from './upstream-model.ts';
import type { UpstreamSpec } from './upstream-spec.ts';

/** A model that other servers run, as the backend gets it. */
export interface UpstreamModelSpec {
  readonly id: string;
  /** undefined: its server may tell. */
  readonly contextTokens: number | undefined;
  /** Requests at a time; the others wait in the fair queue. */
  readonly parallel: number;
  readonly spec: UpstreamSpec;
}

export interface UpstreamBackendOptions {
  /** Requests that may wait for one model. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly log: Log;
  readonly observer?: EngineObserver | undefined;
}

/** Has other servers run models, over the API that they have in common with hearth. */
export class UpstreamBackend implements ModelBackend<UpstreamModelSpec> {
  readonly #options: UpstreamBackendOptions;

  constructor(options: UpstreamBackendOptions) {
    this.#options = options;
  }

  loadable(model: UpstreamModelSpec): Loadable<ServedModel> {
    return {
      id: model.id,
      keepAliveMs: undefined,
      isElsewhere: true,
      plan: async () => ({ memory: noMemory, remedy: '', load: () => this.#open(model) }),
    };
  }

  async #open({ id, spec, contextTokens, parallel }: UpstreamModelSpec): Promise<UpstreamModel> {
    const { log } = this.#options;
    const connection = new Connection(spec);
    const probe: Connection['probe'] = (address) => connection.probe(address);
    const addresses = new AddressBook({ modelId: id, urls: spec.urls, probe, log });
    // The model opens even if all servers are down: one may come back.
    await addresses.open();
    log.info(
      { model: id, addresses: spec.urls, down: addresses.trouble !== undefined },
      'upstream model opened',
    );
    const configuredContextTokens = contextTokens;
    return new UpstreamModel({
      ...this.#options,
      id,
      configuredContextTokens,
      parallel,
      spec,
      connection,
      addresses,
    });
  }
}
