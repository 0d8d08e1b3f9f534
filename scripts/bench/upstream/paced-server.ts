import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server that answers chats without a model: `max_tokens` chunks, one every `pace-<ms>` milliseconds by the name of
 * the model, all at once for `pace-0`. Runs in a process of its own and tells its parent its port.
 */
const chunk = (choices: readonly object[], usage?: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-paced', object: 'chat.completion.chunk', created: 1, model: 'paced', choices, usage })}\n\n`;
const word = chunk([{ index: 0, delta: { content: ' word' }, finish_reason: null }]);

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'list', data: [{ id: 'pace-0', object: 'model', owned_by: 'paced' }] }),
    );
    return;
  }
  let text = '';
  request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  request.on('end', () => {
    const { model, max_tokens: tokens } = JSON.parse(text) as { model: string; max_tokens: number };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void answer(response, tokens, Number(model.replace('pace-', '')));
  });
});

async function answer(response: ServerResponse, tokens: number, paceMs: number): Promise<void> {
  response.write(chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]));
  for (let token = 0; token < tokens && !response.destroyed; token++) {
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
    response.write(word);
  }
  response.write(chunk([{ index: 0, delta: {}, finish_reason: 'length' }]));
  response.write(chunk([], { prompt_tokens: 5, completion_tokens: tokens, total_tokens: 5 + tokens }));
  response.end('data: [DONE]\n\n');
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
