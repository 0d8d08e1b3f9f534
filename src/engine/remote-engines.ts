import type { ModelKind } from '../model-kinds.ts';
import type { UpstreamSpec } from './upstream/upstream-spec.ts';

/** The engines of models that have no file here, and what each needs to know of a model: one row per engine. */
export interface RemoteEngines {
  readonly upstream: UpstreamSpec;
}

export type RemoteEngineName = keyof RemoteEngines;

/** Where a model without a file runs. */
export type RemotePlace = {
  readonly [Name in RemoteEngineName]: {
    readonly engine: Name;
    readonly spec: RemoteEngines[Name];
    /** A text that changes whenever the model must be opened again, for example when its key has changed. */
    version(): string;
  };
}[RemoteEngineName];

/** A model that runs elsewhere, as its backend gets it. */
export interface RemoteModelSpec<Name extends RemoteEngineName> {
  readonly id: string;
  readonly kind: ModelKind;
  /** undefined: its server may tell. */
  readonly contextTokens: number | undefined;
  /** Requests at a time; the others wait in the fair queue. */
  readonly parallel: number;
  readonly spec: RemoteEngines[Name];
}
