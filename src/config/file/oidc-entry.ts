import { z } from 'zod';
import type { ProviderSettings } from '../../accounts/sign-in/identity-provider.ts';
import { absoluteSource, secretSource } from '../values/secret-source.ts';

const text = z.string().min(1);
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isAddress(given: string, allowsPlain: (url: URL) => boolean): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  const isPlain = url.protocol === 'http:' && allowsPlain(url);
  return (isPlain || url.protocol === 'https:') && url.username + url.password + url.search + url.hash === '';
}

export const oidcSchema = z
  .strictObject({
    issuer: z.string().refine((given) => isAddress(given, ({ hostname }) => loopback.test(hostname)), {
      error: 'must be an https address such as https://login.example.org, without a user, a query or a #',
    }),
    name: text.max(60).optional(),
    url: z.string().refine((given) => isAddress(given, () => true), {
      error: 'must be the address of the page as browsers reach it, such as https://ai.example.org',
    }),
    clientId: text,
    clientSecret: secretSource.optional(),
    scopes: z.array(text.regex(/^\S+$/)).min(1).default(['openid', 'profile', 'email']),
    groupsClaim: text.default('groups'),
    groups: z.array(z.strictObject({ name: text, plan: text })).default([]),
    defaultPlan: text.optional(),
  })
  .superRefine(({ scopes, groups, defaultPlan }, context) => {
    const complain = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (!scopes.includes('openid')) complain('scopes', 'must have openid among them');
    if (groups.length === 0 && defaultPlan === undefined)
      complain('groups', 'lets nobody in: name groups with their plans, a defaultPlan, or both');
  });

/** Where people sign in. Files become absolute by `resolve`. */
export function toProvider(
  entry: z.output<typeof oidcSchema> | undefined,
  resolve: (file: string) => string,
): ProviderSettings | undefined {
  if (entry === undefined) return undefined;
  const { issuer, name = new URL(issuer).hostname, url, clientSecret, defaultPlan, ...rest } = entry;
  return {
    ...rest,
    issuer,
    name,
    pageUrl: url.replace(/\/*$/, '/'),
    clientSecret: clientSecret && absoluteSource(clientSecret, resolve),
    defaultPlan,
  };
}
