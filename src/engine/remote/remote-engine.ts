import type { ModelKind } from '../../model-kinds.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ModelBackend } from '../model-backend.ts';
import type { EngineObserver } from '../observer.ts';
import type { SettingForm, SettingForms, SettingsOf } from './setting-forms.ts';

/** The settings that every engine has whose models run elsewhere. */
interface CommonForms extends SettingForms {
  readonly url: Extract<SettingForm, { form: 'addresses' }>;
  /** Requests at a time; the others wait in the fair queue. */
  readonly concurrency: Extract<SettingForm, { form: 'count' }>;
}

export type RemoteSettings = SettingsOf<CommonForms>;

/** A model that runs elsewhere, as its backend gets it. */
export interface RemoteModelSpec<Settings extends RemoteSettings = RemoteSettings> {
  readonly id: string;
  readonly kind: ModelKind;
  /** undefined: its server may tell. */
  readonly contextTokens: number | undefined;
  /** Requests at a time; the others wait in the fair queue. */
  readonly parallel: number;
  readonly settings: Settings;
}

export interface RemoteBackendOptions {
  /** Requests that may wait for one model. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly log: Log;
  readonly observer?: EngineObserver | undefined;
}

/** What the operator is told about one server of a model. */
export interface AddressFinding {
  readonly ok: boolean;
  readonly finding: string;
  readonly remedy?: string;
}

/** How models that have no file here are configured, examined and run by one engine. */
export interface RemoteEngine {
  /** What a model has in the configuration file below the engine's name. */
  readonly settings: CommonForms;
  /** What has such models run. */
  open(options: RemoteBackendOptions): Promise<ModelBackend<RemoteModelSpec>>;
  /** Whether the servers of the model `id` answer: a finding for each. Never rejects. */
  examine(id: string, settings: RemoteSettings): Promise<readonly AddressFinding[]>;
}
