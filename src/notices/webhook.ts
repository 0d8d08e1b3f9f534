import { createHmac } from 'node:crypto';
import { DownloadError } from '../catalog/download/download-error.ts';
import { isExplicitlyPrivate } from '../catalog/download/http/address-policy.ts';
import { httpPost, type Network } from '../catalog/download/http/http-get.ts';
import { webhookPrefix } from '../accounts/secrets.ts';

/** Where notices go, and the secret that signs them. */
export interface Webhook {
  readonly url: URL;
  readonly secret: Buffer;
  /** The operator's own settings allow an address inside this machine or its network. */
  readonly mayBeLocal: boolean;
}

const longestUrl = 2048;

/** Why an address cannot be used; undefined: it can. Names are looked up when something is sent there. */
export function webhookProblem(address: string, mayBeLocal = false): string | undefined {
  const url = URL.canParse(address) && address.length <= longestUrl ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.hash !== '')
    return 'must be an address such as https://hooks.example.org/hearth';
  if (mayBeLocal) return undefined;
  if (isExplicitlyPrivate(url)) return 'must not be an address inside this machine or its network';
  return url.protocol === 'https:' ? undefined : 'must begin with https://';
}

/** The bytes of a secret as Standard Webhooks writes it; undefined: it is none. */
export function toSecretBytes(secret: string): Buffer | undefined {
  const base64 = secret.startsWith(webhookPrefix) ? secret.slice(webhookPrefix.length) : '';
  const bytes = Buffer.from(base64, 'base64');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && bytes.length >= 24 && bytes.length <= 64
    ? bytes
    : undefined;
}

/** Sends `body`, signed as Standard Webhooks has it. Redirects are not followed. Rejects unless it was taken. */
export async function postSigned(
  { url, secret, mayBeLocal }: Webhook,
  id: string,
  body: string,
  signal: AbortSignal,
  network: Network,
): Promise<void> {
  const seconds = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
  const { body: answer } = await httpPost(
    url,
    { headers, body, signal },
    { publicOnly: !mayBeLocal, ...network },
  );
  answer.destroy();
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) throw new DownloadError(`it answers ${statusCode}`);
}
