/**
 * A server of tools as careless programs write them: a mark before the first message, one tool on a page, nulls, lists in
 * the place of maps, schemas that nothing can be held to, results of unknown forms. With `flood` it never falls silent.
 */
const isFlood = process.argv[2] === 'flood';
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

const send = (message) => {
  const json = JSON.stringify({ jsonrpc: '2.0', ...message }).replace(`"${deep}"`, deepText);
  process.stdout.write(`${json}\n`);
};
process.stdout.write('\uFEFF');

function answer({ id, method, params }) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'odd', version: '1' };
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
    if (isFlood) flood(0);
  } else if (method === 'tools/list') {
    const page = Number(params?.cursor ?? 0);
    const [inputSchema] = tools[names[page]];
    const tool = { name: names[page], description: null, inputSchema };
    send({ id, result: { tools: [tool], nextCursor: page + 1 < names.length ? `${page + 1}` : null } });
  } else if (method === 'tools/call') send({ id, result: tools[params.name][1] });
}

function flood(count) {
  for (let at = count; at < count + 100; at++) {
    send({ id: `p${at}`, method: 'ping' });
    send({ id: `s${at}`, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    send({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
  }
  setImmediate(flood, count + 100);
}

let unread = '';
process.stdin.on('data', (chunk) => {
  const lines = (unread + chunk).split('\n');
  unread = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});
process.stdin.on('end', () => process.exit());
