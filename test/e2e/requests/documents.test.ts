import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText } from 'ai';
import { strToU8, zipSync } from 'fflate';
import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { docxOf } from '../../support/files/docx.ts';
import { pdfOf } from '../../support/files/pdf.ts';
import { colouredPage, faxedPage, scanOf } from '../../support/files/scan.ts';
import { demoModel, useDemoServer } from '../../support/server/demo-server.ts';
import type { RunningServer } from '../../support/server/start-server.ts';

const demo = useDemoServer();
const pdf = Buffer.from(pdfOf(['Ships sail on the sea', 'and come home late']));
const data = pdf.toString('base64');
const question = 'What is this?';

const post = async ({ baseUrl, apiKey }: RunningServer, path: string, body: object) =>
  await fetch(`${baseUrl}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

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
    const { baseUrl: baseURL, apiKey } = server;
    const openai = createOpenAI({ baseURL, apiKey });
    for (const model of [
      openai.chat(demoModel),
      openai(demoModel),
      createAnthropic({ baseURL, apiKey })(demoModel),
    ]) {
      const part = {
        type: 'file' as const,
        mediaType: 'application/pdf',
        filename: 'a.pdf',
        data: Uint8Array.from(pdf),
      };
      const content = [part, { type: 'text' as const, text: question }];
      const answer = await generateText({
        model,
        maxOutputTokens: 16,
        messages: [{ role: 'user', content }],
      });
      counts.push(answer.usage.inputTokens);
    }
    expect(counts).toHaveLength(8);
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeGreaterThan(40);
  });

  it('that are too long are refused with their tokens and those that fit, before anything is computed', async () => {
    const { server } = demo();
    const long = Buffer.from('Ships sail on the sea. '.repeat(800)).toString('base64');
    const file = { file_data: long, filename: 'long.txt' };
    const source = { type: 'base64', media_type: 'text/plain', data: long };
    for (const [path, body] of [
      ['chat/completions', { messages: [{ role: 'user', content: [{ type: 'file', file }] }] }],
      ['responses', { input: [{ role: 'user', content: [{ type: 'input_file', ...file }] }] }],
      ['messages', { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'document', source }] }] }],
    ] as const) {
      const response = await post(server, path, { model: demoModel, ...body });
      expect(response.status).toBe(400);
      const message = JSON.stringify(await response.json());
      expect(message).toMatch(/context length is 2048 tokens.*The prompt has \d{4,5}\D/);
    }
  });

  it('are read in batches', async () => {
    const { server } = demo();
    const anthropic = new Anthropic({ baseURL: new URL('/', server.baseUrl).href, apiKey: server.apiKey });
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data };
    const params = {
      model: demoModel,
      max_tokens: 1,
      messages: [{ role: 'user' as const, content: [{ type: 'document' as const, source, title: 'a.pdf' }] }],
    };
    const { input_tokens: tokens } = await anthropic.messages.countTokens({
      model: demoModel,
      messages: params.messages,
    });
    const { id } = await anthropic.messages.batches.create({ requests: [{ custom_id: 'one', params }] });
    const status = async () => (await anthropic.messages.batches.retrieve(id)).processing_status;
    await expect.poll(status, { timeout: 60_000, interval: 50 }).toBe('ended');
    for await (const { result } of await anthropic.messages.batches.results(id)) {
      const usage = result.type === 'succeeded' ? result.message.usage : undefined;
      expect((usage?.input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0)).toBe(tokens);
    }
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

  it('that are made to do harm are read or refused by all APIs', async () => {
    const { server } = demo();
    const hostile: Uint8Array[] = [
      zipSync({ 'word/document.xml': strToU8('<w:p>'.repeat(1_000_000)) }),
      docxOf('x').subarray(0, 60),
    ];
    const send = async (file: Uint8Array, at: number) => {
      const given = { file_data: Buffer.from(file).toString('base64'), filename: `../${at}\u0000\n.pdf` };
      const source = { type: 'base64', media_type: 'application/pdf', data: given.file_data };
      const bodies = [
        ['documents', given],
        ['chat/completions', { messages: [{ role: 'user', content: [{ type: 'file', file: given }] }] }],
        ['responses', { input: [{ role: 'user', content: [{ type: 'input_file', ...given }] }] }],
        [
          'messages',
          { messages: [{ role: 'user', content: [{ type: 'document', source, title: given.filename }] }] },
        ],
      ] as const;
      const statuses = bodies.map(async ([path, body]) => {
        const most = path === 'responses' ? { max_output_tokens: 16 } : { max_tokens: 1 };
        return (
          await post(server, path, path === 'documents' ? body : { model: demoModel, ...most, ...body })
        ).status;
      });
      return await Promise.all(statuses);
    };
    const statuses = (await Promise.all(hostile.map(send))).flat();
    expect(statuses).toHaveLength(8);
    for (const status of statuses) expect([200, 400]).toContain(status);
  });
});
