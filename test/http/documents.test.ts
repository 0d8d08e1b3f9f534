import { strToU8, zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp, jsonRequest } from '../support/fakes/http-service.ts';
import { fakeCatalog, fakeModel } from '../support/fakes/fake-services.ts';
import { docxOf } from '../support/files/docx.ts';
import { pdfOf } from '../support/files/pdf.ts';
import { colouredPage, faxedPage, scanOf } from '../support/files/scan.ts';
import { messageRequest } from '../support/wire/messages.ts';

let service: ReturnType<typeof buildApp>;
beforeAll(() => {
  service = buildApp();
});

const post = async (path: string, body: object) => service.app.request(...jsonRequest(path, body));
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const pdf = base64(pdfOf(['First page', 'Second page']));
const pdfBody = '[page 1]\nFirst page\n\n[page 2]\nSecond page';
const pdfText = `a.pdf:\n\`\`\`\n${pdfBody}\n\`\`\``;

/** The texts of the last request's messages. */
function texts(): readonly string[] {
  const prompt = service.engine.calls.at(-1)?.request.prompt;
  return prompt?.kind === 'messages' ? prompt.messages.map(({ content }) => content) : [];
}

const chatFile = (file: object) => ({ type: 'file', file });
const chat = (part: object) =>
  post('/v1/chat/completions', {
    model: 'tiny',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Read:' }, part] }],
  });

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; param: string; message: string } };
  return { status: response.status, ...error };
}

describe('a document is the same text', () => {
  it('in a chat, in base64 and as a data: URL', async () => {
    for (const data of [pdf, `data:application/pdf;base64,${pdf}`]) {
      expect((await chat(chatFile({ file_data: data, filename: 'a.pdf' }))).status).toBe(200);
      expect(texts()).toEqual([`Read:\n${pdfText}`]);
    }
  });

  it('names what means nothing in a file, and nothing else', async () => {
    const response = await chat(chatFile({ file_data: pdf, filname: 'a.pdf' }));
    expect(response.headers.get('x-ignored-parameters')).toBe('messages[0].content[1].file.filname');
    expect((await chat(chatFile({ file_data: pdf }))).headers.get('x-ignored-parameters')).toBeNull();
  });

  it('in a response, also in the result of a call', async () => {
    const file = { type: 'input_file', file_data: pdf, filename: 'a.pdf' };
    const input = [
      { role: 'user', content: [file] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [file] },
    ];
    expect((await post('/v1/responses', { model: 'tiny', input })).status).toBe(200);
    expect(texts()).toEqual([pdfText, '', pdfText]);
    expect((await post('/v1/responses/input_tokens', { model: 'tiny', input })).status).toBe(200);
  });

  it('in a message, also in the result of a tool', async () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: pdf };
    const block = { type: 'document', source, title: 'a.pdf', cache_control: { type: 'ephemeral' } };
    const messages = [
      { role: 'user', content: [block] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [block] }] },
    ];
    const response = await service.app.request(...messageRequest({ model: 'tiny', messages }));
    expect(response.status).toBe(200);
    expect(texts()).toEqual([pdfText, '', pdfText]);
  });

  it('by itself', async () => {
    const response = await post('/v1/documents', { file_data: pdf, filename: 'a.pdf' });
    const read = { object: 'document', name: 'a.pdf', kind: 'pdf', parts: 2, text: pdfBody };
    expect(await response.json()).toEqual(read);
  });
});

describe('a document without text is its pages', () => {
  const senses = { audio: false, image: true, functionCalling: true, reasoning: false };
  const catalog = fakeCatalog([fakeModel('tiny'), fakeModel('eyes', { capabilities: senses })]);
  const scan = base64(scanOf([colouredPage(200, 0, 0), faxedPage]));
  const name = 'scan.pdf';
  const source = { type: 'base64', media_type: 'application/pdf', data: scan };
  const later = { type: 'document', source: { ...source, data: pdf }, title: 'a.pdf', citations: { enabled: true } };
  const bodies: readonly [path: string, field: string, parts: readonly object[]][] = [
    ['/v1/chat/completions', 'messages', [chatFile({ file_data: scan, filename: name }), chatFile({ file_data: pdf, filename: 'a.pdf' })]],
    ['/v1/responses', 'input', [{ type: 'input_file', file_data: scan, filename: name }, { type: 'input_file', file_data: pdf, filename: 'a.pdf' }]],
    ['/v1/messages', 'messages', [{ type: 'document', source, title: name }, later]],
  ];

  it.each(bodies)('for a model that sees: %s', async (path, field, parts) => {
    service = buildApp({}, { catalog });
    const ask = (model: string) => post(path, { model, max_tokens: 9, [field]: [{ role: 'user', content: parts }] });
    expect((await ask('eyes')).status).toBe(200);
    const prompt = service.engine.lastCall.request.prompt;
    const [message] = prompt.kind === 'messages' ? prompt.messages : [];
    expect(message?.content).toContain(`scan.pdf, page by page:${pdfText}`);
    const jpeg = Buffer.from('ffd8ff', 'hex');
    expect(message?.attachments?.map(({ offset, file }) => [offset, Buffer.from(file).subarray(0, 3)])).toEqual([
      [23, jpeg],
      [23, jpeg],
    ]);
    const refused = JSON.stringify(await (await ask('tiny')).json());
    expect(refused).toContain(`'${field}[0].content[0]' has no text but pictures of its pages`);
    expect(refused).toContain("use 'eyes'");
  });

  it('by itself', async () => {
    const read = (await (await post('/v1/documents', { file_data: scan })).json()) as { pictures: string[] };
    expect(read).toMatchObject({ kind: 'pdf', parts: 2, text: '' });
    expect(read.pictures.map((url) => url.slice(0, 27))).toEqual(Array(2).fill('data:image/jpeg;base64,/9j/'));
  });

  it('and one with some text says which page has none', async () => {
    const read = await post('/v1/documents', { file_data: base64(pdfOf(['First', ''])) });
    expect(await read.json()).toMatchObject({ text: '[page 1]\nFirst\n\n[page 2, which has no text]\n' });
  });
}); // prettier-ignore

const sheet = {
  'xl/workbook.xml': '<workbook><sheets><sheet name="A &amp; B"/></sheets></workbook>',
  'xl/sharedStrings.xml': '<sst><si><t>one</t></si><si><r><t>tw</t></r><r><t>o, x</t></r></si></sst>',
  'xl/worksheets/sheet1.xml':
    '<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row><c r="B2"><v>3.5</v></c></row></sheetData></worksheet>',
};
const book = {
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="O/b.opf"/></rootfiles></container>',
  'O/b.opf':
    '<package><manifest><item id="x" href="a%20b.xhtml"/></manifest><spine><itemref idref="x"/></spine></package>',
  'O/a b.xhtml': '<html><body><h1>Begin</h1><p>It was.</p></body></html>',
};
const page =
  '<!doctype html><title>T</title><script>no()</script><h1>Head</h1><p>One\n two<ul><li>a<li>b</ul><pre>  x\n   y</pre>';
const zip = (contents: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(contents).map(([name, text]) => [name, strToU8(text)])));

it.each<[kind: string, bytes: Uint8Array, text: string]>([
  ['docx', docxOf('First <p>', 'Second'), 'First <p>\nSecond'],
  ['xlsx', zip(sheet), '[sheet A & B]\none,,"two, x"\n,3.5'],
  ['epub', zip(book), '[chapter 1]\n# Begin\n\nIt was.'],
  ['html', Buffer.from(page), 'T\n\n# Head\n\nOne two\n\n- a\n- b\n\n  x\n   y'],
  ['text', Buffer.from('[1, "é"]'), '[1, "é"]'],
  ['text', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'café'],
  ['text', Buffer.from('\uFEFFhi', 'utf16le'), 'hi'],
])('is known by its content, not by its name: %s', async (kind, bytes, text) => {
  const response = await post('/v1/documents', { file_data: base64(bytes), filename: 'x.pdf' });
  expect(await response.json()).toMatchObject({ kind, text });
});

describe('refused is', () => {
  it.each<[what: string, file: object, message: string]>([
    ['an empty file', { file_data: base64('') || '====' }, 'is empty'],
    ['a scan', { file_data: base64(pdfOf([''])) }, 'has no text but pictures of its pages'],
    ['a scan of 21 pages', { file_data: base64(pdfOf(Array.from({ length: 21 }, () => ''))) }, 'at most 20'],
    ['a damaged PDF', { file_data: base64('%PDF-1.4 no more') }, 'is a damaged PDF'],
    ['an archive of something else', { file_data: base64(zip({ 'a.txt': 'x' })) }, 'is an archive'],
    ['a damaged archive', { file_data: base64(zip(sheet).subarray(0, 200)) }, 'is a damaged archive'],
    [
      'what is no text',
      { file_data: base64(Uint8Array.of(1, 2, 3, 0)) },
      'is no PDF, DOCX, XLSX, EPUB, HTML or text',
    ],
    ['a file without content', { filename: 'a.pdf' }, 'is a file without its content'],
  ])('%s', async (_what, file, message) => {
    const error = await errorOf(await chat(chatFile(file)));
    expect(error).toMatchObject({ status: 400, param: 'messages[0].content[1]' });
    expect(error.message).toContain(message);
  });

  it('an archive that unfolds to far more than it is', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(129 * 2 ** 20) }, { level: 1 });
    const { app } = buildApp({ jsonBodyLimitBytes: 2 ** 20 });
    const error = await errorOf(
      await app.request(...jsonRequest('/v1/documents', { file_data: base64(bomb) })),
    );
    expect(error).toMatchObject({ status: 400, code: 'invalid_document' });
    expect(error.message).toContain('has more than can be unpacked');
  });

  it('an address where nothing is fetched', async () => {
    const file = { type: 'input_file', file_url: 'https://example.org/a.pdf' };
    const error = await errorOf(
      await post('/v1/responses', { model: 'tiny', input: [{ role: 'user', content: [file] }] }),
    );
    expect(error).toMatchObject({ status: 400, code: 'unsupported_value', param: 'input[0].content[0]' });
    expect(error.message).toContain('fetches no files');
  });

  it('more than 32 in a request', async () => {
    const parts = Array.from({ length: 33 }, () => chatFile({ file_data: 'YQ==' }));
    const error = await errorOf(
      await post('/v1/chat/completions', { model: 'tiny', messages: [{ role: 'user', content: parts }] }),
    );
    expect(error).toMatchObject({ status: 400, param: 'messages[0].content[32]' });
  });
});
