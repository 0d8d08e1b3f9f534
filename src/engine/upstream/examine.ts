import { describeError, messageOf } from '../../words/describe-error.ts';
import { Address } from './addresses/address.ts';
import { Connection } from './connection.ts';
import type { UpstreamSpec } from './upstream-spec.ts';

/** The state of one server of a model, for the operator. */
interface AddressFinding {
  readonly ok: boolean;
  readonly finding: string;
  readonly remedy?: string;
}

/** Whether the servers answer that run a model: one finding per address. Never rejects. */
export async function examineUpstream(spec: UpstreamSpec): Promise<AddressFinding[]> {
  let connection: Connection;
  try {
    connection = new Connection(spec);
  } catch (error) {
    const remedy = 'set it, or take apiKey out of the configuration';
    return [{ ok: false, finding: describeError(error), remedy }];
  }
  return await Promise.all(spec.urls.map((url) => addressFinding(connection, url)));
}

async function addressFinding(connection: Connection, url: string): Promise<AddressFinding> {
  const address = new Address(url);
  const startedAtMs = performance.now();
  try {
    await connection.probe(address);
  } catch (error) {
    const finding = `${url}: ${messageOf(error)}`;
    return { ok: false, finding, remedy: 'start that server, or correct upstream in the configuration' };
  }
  const tokens = address.contextTokens === undefined ? '' : `, ${address.contextTokens} tokens`;
  return {
    ok: true,
    finding: `${url}: answers in ${Math.round(performance.now() - startedAtMs)} ms${tokens}`,
  };
}
