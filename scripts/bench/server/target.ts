/** A server under load. */
export interface Target {
  /** Short name in the report. */
  readonly name: string;
  /** Ends in /v1 where the server's routes do; no slash at the end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** For memory and CPU time, where the server runs on this machine. */
  readonly pid: number | undefined;
}

/** The id of the first model that the server lists. */
export async function firstModel(baseUrl: string, apiKey: string | undefined): Promise<string> {
  const response = await fetch(`${baseUrl}/models`, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`GET ${baseUrl}/models answered ${response.status}: ${text.slice(0, 300)}`);
  const listing = JSON.parse(text) as { readonly data?: readonly { readonly id: string }[] };
  const id = listing.data?.[0]?.id;
  if (id === undefined) throw new Error(`${baseUrl} lists no models; name one with --model`);
  return id;
}
