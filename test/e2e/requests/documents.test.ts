import Anthropic from '@anthropic-ai/sdk';
import { strToU8, zipSync } from 'fflate';
import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { docxOf } from '../../support/files/docx.ts';
import { pdfOf } from '../../support/files/pdf.ts';
import { colouredPage, faxedPage, scanOf } from '../../support/files/scan.ts';
import { demoModel, useDemoServer } from '../../support/server/demo-server.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';

const demo = useDemoServer();
const pdf = Buffer.from(pdfOf(['Ships sail on the sea', 'and come home late']));
const data = pdf.toString('base64');
const question = 'What is this?';

describe('documents', () => {
  it('are the same prompt by all APIs, in base64 and by the id of a file', async () => {
    const { client, server } = demo();
    const { id } = await client.files.create({ file: await toFile(pdf, 'a.pdf'), purpose: 'user_data' });
    const counts: (number | undefined)[] = [];
    for (const file of [{ file_data: data, filename: 'a.pdf' }, { file_id: id }]) {
      const content = [
        { type: 'file' as const, file },
        { type: 'text' as const, text: question },
      ];
      const chat = { model: demoModel, max_tokens: 1, messages: [{ role: 'user' as const, content }] };
      counts.push((await client.chat.completions.create(chat)).usage?.prompt_tokens);
    }
    for (const file of [{ file_data: data, filename: 'a.pdf' }, { file_id: id }]) {
      const content = [
        { type: 'input_file' as const, ...file },
        { type: 'input_text' as const, text: question },
      ];
      const input = [{ role: 'user' as const, content }];
      const { usage } = await client.responses.create({ model: demoModel, max_output_tokens: 16, input });
      counts.push(usage?.input_tokens);
    }
    const anthropic = new Anthropic({ baseURL: new URL('/', server.baseUrl).href, apiKey: server.apiKey });
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data };
    const { usage } = await anthropic.messages.create({
      model: demoModel,
      max_tokens: 1,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source, title: 'a.pdf' },
            { type: 'text', text: question },
          ],
        },
      ],
    });
    counts.push(usage.input_tokens + (usage.cache_read_input_tokens ?? 0));
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeGreaterThan(40);
  });

  it('without text are the same pictures by all APIs', async () => {
    const { client, server } = demo();
    const scan = scanOf([colouredPage(200, 0, 0), faxedPage]).toString('base64');
    const file = { file_data: scan, filename: 'scan.pdf' };
    const asked = { type: 'text' as const, text: question };
    const chat = await client.chat.completions.create({
      model: demoModel,
      max_tokens: 1,
      messages: [{ role: 'user', content: [{ type: 'file', file }, asked] }],
    });
    const response = await client.responses.create({
      model: demoModel,
      max_output_tokens: 16,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file', ...file },
            { type: 'input_text', text: question },
          ],
        },
      ],
    });
    const anthropic = new Anthropic({ baseURL: new URL('/', server.baseUrl).href, apiKey: server.apiKey });
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: scan };
    const { usage } = await anthropic.messages.create({
      model: demoModel,
      max_tokens: 1,
      messages: [{ role: 'user', content: [{ type: 'document', source, title: 'scan.pdf' }, asked] }],
    });
    const counts = [
      chat.usage?.prompt_tokens,
      response.usage?.input_tokens,
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
    ];
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeGreaterThan(40);
  });

  it('are computed once: a second question about one computes what is new', async () => {
    const { client } = demo();
    const long = Array.from({ length: 40 }, (_, at) => `Ship ${at} sails on the sea and comes home.`).join(
      '\n',
    );
    const file = { file_data: Buffer.from(long).toString('base64'), filename: 'ships.txt' };
    const first = {
      role: 'user' as const,
      content: [
        { type: 'file' as const, file },
        { type: 'text' as const, text: question },
      ],
    };
    const chat = { model: demoModel, max_tokens: 8, temperature: 0 };
    const { choices, usage } = await client.chat.completions.create({ ...chat, messages: [first] });
    const answer = { role: 'assistant' as const, content: choices[0]?.message.content ?? '' };
    const second = { role: 'user' as const, content: 'And which is the last?' };
    const next = await client.chat.completions.create({ ...chat, messages: [first, answer, second] });
    const cached = next.usage?.prompt_tokens_details?.cached_tokens ?? 0;
    expect(usage?.prompt_tokens).toBeGreaterThan(300);
    // The marks of turns at the end of the first prompt may be others in the second.
    expect(cached).toBeGreaterThan((usage?.prompt_tokens ?? 0) - 30);
  });

  it('of another account are none', async () => {
    const { client } = demo();
    const content = [{ type: 'file' as const, file: { file_id: 'file-000000000000000000000000' } }];
    const asking = client.chat.completions.create({
      model: demoModel,
      messages: [{ role: 'user', content }],
    });
    await expect(asking).rejects.toMatchObject({ status: 400, param: 'messages[0].content[0]' });
  });

  it('that are made to do harm are refused, and hold up nobody', async () => {
    const { server } = demo();
    const hostile: Uint8Array[] = [
      zipSync({ 'word/document.xml': strToU8('<w:p>'.repeat(1_000_000)) }),
      zipSync({
        'xl/workbook.xml': strToU8('<a/>'),
        'xl/worksheets/sheet1.xml': strToU8('<c r="XFD1"/>'.repeat(20_000)),
      }),
      Buffer.from('%PDF-1.7\n' + '1 0 obj <<'.repeat(3000)),
      Buffer.from(`<!doctype html>${'<div>'.repeat(300_000)}`),
      docxOf('x').subarray(0, 60),
    ];
    const send = async (file: Uint8Array, at: number) => {
      const response = await fetch(new URL('/v1/documents', server.baseUrl), {
        method: 'POST',
        headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          file_data: Buffer.from(file).toString('base64'),
          filename: `../${at}\u0000.pdf`,
        }),
      });
      return response.status;
    };
    const files = Array.from({ length: 12 }, (_, at) => hostile[at % hostile.length] ?? Buffer.alloc(0));
    const { result, delayMs } = await watchHealth(server, () => Promise.all(files.map(send)));
    for (const status of result) expect([200, 400]).toContain(status);
    expect(delayMs).toBeLessThan(1000);
  });
});
