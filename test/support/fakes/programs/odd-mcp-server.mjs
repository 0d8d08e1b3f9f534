/**
 * A server of tools as careless programs write them: a mark before the first message, one tool on a page, nulls, lists in
 * the place of maps, schemas that nothing can be held to, results of unknown forms. With `flood` it never falls silent.
 * With `--http` it is at a free port, which it prints, and answers by the path: /json whole, and all others in events;
 * /flood never falls silent beside its answers, /flooded in place of its list, and the pages of /endless have no end.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const [mode] = process.argv.slice(2);
/** Stands for objects that are nested too deep for a program to write. */
const deep = 'deep';
const deepText = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const object = (fields) => ({ type: 'object', ...fields });
const text = { type: 'text', text: 'a' };

/** The schema of each tool's arguments, and its result. */
const tools = {
  echo: [object({ properties: { text: { type: 'string' } } }), { content: [text], isError: null }],
  nulls: [object({ properties: null, required: null, title: null }), { content: [{ type: 'text', text: null }] }],
  inner_null: [object({ properties: { a: { type: 'string', description: null, default: null } } }), {}],
  list_of_properties: [object({ properties: [] }), { content: null, structuredContent: null }],
  no_type: [{}, { content: 'plain' }],
  bad_type: [object({ properties: { a: { type: 'any' } } }), { content: text }],
  elsewhere: [object({ properties: { a: { $ref: 'https://example.com/s.json' } } }), { content: [{ type: 'image', data: 'AAAA' }] }],
  bad_ref: [object({ properties: { a: { $ref: '#/definitions/none' } } }), { content: [text, { type: 'video', data: 'A' }] }],
  bad_pattern: [object({ properties: { a: { type: 'string', pattern: '[a-' } } }), { content: [text, 7] }],
  deep_result: [object({}), { structuredContent: deep }],
  of_a_list: [{ type: 'array' }, {}],
  no_schema: [undefined, {}],
  full_list: [object({ properties: [1] }), {}],
  deep_schema: [object({ properties: { a: deep } }), {}],
  number_42: [7, {}],
}; // prettier-ignore
const names = Object.keys(tools);

const mark = '\uFEFF';
const toText = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }).replaceAll(`"${deep}"`, deepText);

function listOf(cursor, isEndless) {
  const page = Number(cursor ?? 0);
  // The 128th page is the last that is read.
  if (isEndless)
    return {
      tools: page < 127 ? [] : [{ name: `of_page_${page + 1}`, inputSchema: object({}) }],
      nextCursor: `${page + 1}`,
    };
  const [inputSchema] = tools[names[page]];
  const tool = { name: names[page], description: null, inputSchema };
  return { tools: [tool], nextCursor: page + 1 < names.length ? `${page + 1}` : null };
}

/** The answer to a message; undefined: it has none. */
function answerTo({ id, method, params }, isEndless) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'odd', version: '1' };
    return { id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
  }
  if (method === 'tools/list') return { id, result: listOf(params?.cursor, isEndless) };
  if (method === 'tools/call') return { id, result: tools[params.name][1] };
}

function flood(send, count = 0) {
  for (let at = count; at < count + 100; at++) {
    send({ id: `p${at}`, method: 'ping' });
    send({ id: `s${at}`, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    send({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
  }
  setImmediate(flood, send, count + 100);
}

async function answerByHttp(request, response) {
  const way = request.url.slice(1);
  // A client that has gone is told nothing more, and then the flood costs nothing.
  const send = (message) => void (response.closed || response.write(`data: ${toText(message)}\n\n`));
  const begin = (type) => response.writeHead(200, { 'content-type': type });
  if (request.method !== 'POST') {
    if (request.method !== 'GET' || way !== 'flood') return response.writeHead(405).end();
    begin('text/event-stream');
    return flood(send);
  }
  const message = await json(request);
  const answer = answerTo(message, way === 'endless');
  if (answer === undefined) return response.writeHead(202).end();
  if (way === 'json') return begin('application/json').end(mark + toText(answer));
  begin('text/event-stream').write(mark);
  if (way === 'flooded' && message.method === 'tools/list') return flood(send);
  send(answer);
  response.end();
}

if (mode === '--http') {
  const http = createServer((request, response) => void answerByHttp(request, response));
  http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));
} else {
  const send = (message) => process.stdout.write(`${toText(message)}\n`);
  process.stdout.write(mark);
  let unread = '';
  process.stdin.on('data', (chunk) => {
    const lines = (unread + chunk).split('\n');
    unread = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      const answer = answerTo(message);
      if (answer !== undefined) send(answer);
      if (mode === 'flood' && message.method === 'initialize') flood(send);
    }
  });
  process.stdin.on('end', () => process.exit());
}
