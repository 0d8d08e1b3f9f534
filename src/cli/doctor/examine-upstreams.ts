import type { CatalogModel } from '../../catalog/types.ts';
import { Address } from '../../engine/upstream/addresses/address.ts';
import { Connection } from '../../engine/upstream/connection.ts';
import type { UpstreamSpec } from '../../engine/upstream/upstream-spec.ts';
import { describeError } from '../../words/describe-error.ts';

/** What was found about one address of the model `subject`. */
interface AddressFinding {
  readonly subject: string;
  readonly ok: boolean;
  readonly finding: string;
  readonly remedy?: string;
}

/** Whether the servers answer that run models for hearth: one finding per address. */
export async function upstreamFindings(models: readonly CatalogModel[]): Promise<AddressFinding[]> {
  const findings = models.flatMap(({ id, remote }) =>
    remote === undefined ? [] : [modelFindings(id, remote.spec)],
  );
  return (await Promise.all(findings)).flat();
}

async function modelFindings(subject: string, spec: UpstreamSpec): Promise<AddressFinding[]> {
  let connection: Connection;
  try {
    connection = new Connection(spec);
  } catch (error) {
    return [
      {
        subject,
        ok: false,
        finding: describeError(error),
        remedy: 'set it, or take apiKey out of the configuration',
      },
    ];
  }
  return await Promise.all(
    spec.urls.map(async (url) => ({ subject, ...(await addressFinding(connection, url)) })),
  );
}

async function addressFinding(connection: Connection, url: string): Promise<Omit<AddressFinding, 'subject'>> {
  const address = new Address(url);
  const startedAtMs = performance.now();
  try {
    await connection.probe(address);
  } catch (error) {
    const finding = `${url}: ${error instanceof Error ? error.message : String(error)}`;
    return { ok: false, finding, remedy: 'start that server, or correct upstream in the configuration' };
  }
  const tokens = address.contextTokens === undefined ? '' : `, ${address.contextTokens} tokens`;
  return {
    ok: true,
    finding: `${url}: answers in ${Math.round(performance.now() - startedAtMs)} ms${tokens}`,
  };
}
