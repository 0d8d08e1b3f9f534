import type { SecretSetting, SettingForms, SettingsOf } from '../remote/setting-forms.ts';

/** What the configuration says of a model that other servers run. */
export const upstreamSettings = {
  url: { form: 'addresses' },
  model: { form: 'text' },
  apiKey: { form: 'secret' },
  concurrency: { form: 'count', most: 10_000, default: 64 },
  timeout: { form: 'duration', defaultMs: 10 * 60_000 },
} as const satisfies SettingForms;

export type UpstreamSettings = SettingsOf<typeof upstreamSettings>;

/** How a model is reached that other servers run. */
export interface UpstreamSpec {
  /** Base addresses without a slash at the end, such as `http://10.0.0.5:8000/v1`. At least one. */
  readonly urls: readonly string[];
  /** What the model is called there. */
  readonly model: string;
  /** undefined: no key is sent. */
  readonly apiKey: SecretSetting | undefined;
  /** The longest wait for the first event of an answer, and between two events. */
  readonly timeoutMs: number;
}

/** How the model `id` is reached. */
export function toUpstreamSpec(
  id: string,
  { url: urls, model = id, apiKey, timeout: timeoutMs }: UpstreamSettings,
): UpstreamSpec {
  return { urls, model, apiKey, timeoutMs };
}
