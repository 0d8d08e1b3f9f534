import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../errors/operator-errors.ts';
import { describeProcess, findPortHolder, stopCommand } from './port-holder.ts';
import type { Config } from '../config/types.ts';

/**
 * The base address, such as `http://127.0.0.1:8080/v1`, once `http` takes connections. Throws ConfigError where it
 * cannot.
 */
export async function listen(
  http: Server,
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
): Promise<string> {
  http.listen(port, host);
  try {
    await once(http, 'listening');
    return baseUrlOf(http.address() as AddressInfo, tls === undefined ? 'http' : 'https');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      const holder = findPortHolder(port);
      throw new ConfigError(
        `port ${port} on ${host} is taken${holder === undefined ? '' : ` by ${describeProcess(holder)}`}`,
        `${holder === undefined ? 'stop what uses it' : `stop it with "${stopCommand(holder.pid)}"`}, or choose another --port`,
      );
    }
    if (code === 'EACCES')
      throw new ConfigError(`port ${port} may not be opened`, 'choose a --port above 1023');
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError(`${host} is no address of this machine`, 'choose another --host');
    throw error;
  }
}

function baseUrlOf({ address, family, port }: AddressInfo, protocol: string): string {
  const anywhere = address === '0.0.0.0' || address === '::';
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `${protocol}://${host}:${port}/v1`;
}
