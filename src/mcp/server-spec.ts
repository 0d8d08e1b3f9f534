/** A value of the configuration that stands there, in an environment variable, or in a file by its absolute path. */
export type SettingValue = string | { readonly env: string } | { readonly file: string };

/** How a server of tools is reached: a command that speaks over its standard input and output, or an address. */
export type McpTransport =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, SettingValue>>;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, SettingValue>>;
    };

/** Which calls a person has to allow: all, none, or all but those of the named tools. */
export type Approval = 'always' | 'never' | { readonly never: readonly string[] };

export interface McpServerSpec {
  readonly label: string;
  readonly transport: McpTransport;
  /** Names of the tools that may be used; undefined: all. */
  readonly tools: readonly string[] | undefined;
  /** Names of the accounts whose keys may use it. */
  readonly accounts: readonly string[] | 'all';
  readonly approval: Approval;
  readonly timeoutMs: number;
  readonly outputLimitBytes: number;
}

/** Whether a person has to allow calls of `tool`. */
export function needsApproval({ approval }: Pick<McpServerSpec, 'approval'>, tool: string): boolean {
  return approval === 'always' || (approval !== 'never' && !approval.never.includes(tool));
}
