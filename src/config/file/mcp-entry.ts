import { z } from 'zod';
import { bootstrapAccountName } from '../../accounts/types.ts';
import type { McpServerSpec, SettingValue } from '../../mcp/server-spec.ts';
import { absoluteSource, settingValue } from '../values/secret-source.ts';

const defaultTimeoutMs = 60_000;
const defaultOutputBytes = 32 * 1024;

const text = z.string().min(1);
const names = z.array(text).min(1).max(1000);
const values = z.record(text, settingValue);
const address = z.string().refine(isHttpAddress, {
  error: 'must be an http(s) address without a user or a #, such as https://tools.example.org/mcp',
});
const label = text.regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, {
  error: 'a label has up to 32 small letters, digits and hyphens',
});

/** The servers of tools by label; `duration` and `size` are the schemas of a time that ends and of bytes. */
export const mcpSchema = (duration: z.ZodType<number>, size: z.ZodType<number>) =>
  z.record(label, serverSchema(duration, size));

const serverSchema = (duration: z.ZodType<number>, size: z.ZodType<number>) =>
  z
    .strictObject({
      command: text.optional(),
      args: z.array(z.string()).optional(),
      env: values.optional(),
      url: address.optional(),
      headers: values.optional(),
      tools: names.optional(),
      accounts: z.union([z.literal('all'), names], { error: 'must be all, or a list of names' }).optional(),
      approval: z
        .union([z.enum(['always', 'never']), z.strictObject({ never: names })], {
          error: 'must be always, never or { never: [TOOLS] }',
        })
        .optional(),
      timeout: duration.optional(),
      outputLimit: size.optional(),
    })
    .superRefine((entry, context) => {
      const complain = (message: string) => context.addIssue({ code: 'custom', message });
      if ((entry.command === undefined) === (entry.url === undefined))
        return complain('needs either a command or a url');
      if (entry.command === undefined && (entry.args ?? entry.env) !== undefined)
        return complain('has a url: args and env are for a command');
      if (entry.url === undefined && entry.headers !== undefined)
        complain('has a command: headers are for a url');
    });

type McpEntries = z.output<ReturnType<typeof mcpSchema>>;

/** The servers under `mcp:`. Names of files become absolute by `resolve`. */
export function toMcpServers(
  entries: McpEntries | undefined,
  resolve: (file: string) => string,
): readonly McpServerSpec[] {
  const absolute = (given: Readonly<Record<string, SettingValue>> = {}) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, absoluteSource(value, resolve)]));
  return Object.entries(entries ?? {}).map(([name, entry]) => {
    const { command, url = '', args = [], env, headers, tools } = entry;
    return {
      label: name,
      transport:
        command === undefined
          ? { kind: 'http', url, headers: absolute(headers) }
          : { kind: 'command', command, args, env: absolute(env) },
      tools,
      accounts: entry.accounts ?? [bootstrapAccountName],
      approval: entry.approval ?? 'always',
      timeoutMs: entry.timeout ?? defaultTimeoutMs,
      outputLimitBytes: entry.outputLimit ?? defaultOutputBytes,
    };
  });
}

function isHttpAddress(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, username, password, hash } = new URL(given);
  return /^https?:$/.test(protocol) && username + password + hash === '';
}
