import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';

export const webhookSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const { webhooks } = new OpenAI({ apiKey: 'none' });

/** Takes notices as their receivers do: by the official client, which checks signature and time. */
export async function listenForWebhooks(secret: () => string = () => webhookSecret) {
  const received: Received[] = [];
  const problems: string[] = [];
  const answers = { status: 204, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      try {
        const event: unknown = await webhooks.unwrap(body, new Headers(headers), secret());
        received.push({ id: String(request.headers['webhook-id']), ...(event as Omit<Received, 'id'>) });
      } catch (error) {
        problems.push(String(error));
      }
      response.writeHead(answers.status, answers.headers).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook/secret-path`,
    /** In the order in which they came, those that were refused among them. */
    received,
    /** Messages that could not be verified. */
    problems,
    /** The answer to all that comes from now on. */
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
