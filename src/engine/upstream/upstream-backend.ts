import type { ModelBackend, ServedModel } from '../model-backend.ts';
import type { Loadable } from '../pool/loadable.ts';
import { noMemory } from '../pool/memory-use.ts';
import type { RemoteBackendOptions, RemoteModelSpec } from '../remote/remote-engine.ts';
import { AddressBook } from './addresses/address-book.ts';
import { Connection } from './connection.ts';
import { UpstreamModel } from './upstream-model.ts';
import { toUpstreamSpec, type UpstreamSettings } from './upstream-settings.ts';

type UpstreamModelSpec = RemoteModelSpec<UpstreamSettings>;

/** Has other servers run models, over the API that they have in common with hearth. */
export class UpstreamBackend implements ModelBackend<UpstreamModelSpec> {
  readonly #options: RemoteBackendOptions;

  constructor(options: RemoteBackendOptions) {
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

  async #open({ id, settings, contextTokens, parallel }: UpstreamModelSpec): Promise<UpstreamModel> {
    const spec = toUpstreamSpec(id, settings);
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
