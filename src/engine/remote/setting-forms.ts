/** How one setting is written in the configuration file. */
export type SettingForm =
  /** One base address of an API, or a list of them. */
  | { readonly form: 'addresses' }
  /** May be left out. */
  | { readonly form: 'text' }
  /** Where a key is to be found, which never stands in the file itself. May be left out. */
  | { readonly form: 'secret' }
  /** At least 1. */
  | { readonly form: 'count'; readonly most: number; readonly default: number }
  | { readonly form: 'duration'; readonly defaultMs: number };

/** A key that is read where it is needed, so that it stands in no setting. */
export interface SecretSetting {
  /** Where it comes from, for messages: `the environment variable LLAMA_KEY`. */
  readonly origin: string;
  /** undefined: there is none. */
  read(): string | undefined;
}

/** What a setting of each form is once it is read. */
interface SettingValues {
  /** Without a slash at the end, such as `http://10.0.0.5:8000/v1`. At least one, each once. */
  readonly addresses: readonly string[];
  readonly text: string | undefined;
  readonly secret: SecretSetting | undefined;
  readonly count: number;
  /** In milliseconds. */
  readonly duration: number;
}

/** Settings by the keys that they have in the file. */
export type SettingForms = Readonly<Record<string, SettingForm>>;

export type SettingsOf<Forms extends SettingForms> = {
  readonly [Key in keyof Forms]: SettingValues[Forms[Key]['form']];
};
