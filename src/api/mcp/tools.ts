import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { preferredModel } from '../../config/demo.ts';
import { can, modelKinds, type Ability, type ModelKind } from '../../model-kinds.ts';
import { packageVersion } from '../../config/package-version.ts';

/** Asks the API of this server. Each rejects with an Error whose message says what is wrong. */
export interface ToolApi {
  /** The answer of a route below /v1: of GET without a body, else of POST. */
  ask(path: string, body: object | undefined, signal: AbortSignal): Promise<unknown>;
  /** The transcript of a recording: of a file of this machine, or in base64, as `source` says. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<unknown>;
  /** How a client names its recordings. */
  readonly source: 'path' | 'base64';
}

export interface Recording {
  readonly audio: string;
  readonly model: string;
  readonly language: string | undefined;
}

interface Listed {
  readonly id: string;
  readonly kind: ModelKind;
}

const model = z.string().optional().describe('The id of a model; default: the first that can do it.');

/** An MCP server whose tools are the abilities of the models here: to ask, embed, rank and transcribe. */
export function createToolServer(api: ToolApi): McpServer {
  const server = new McpServer({ name: 'hearth', version: packageVersion });
  for (const add of [addList, addAsk, addEmbed, addRerank, addTranscribe]) add(server, api);
  return server;
}

function addList(server: McpServer, api: ToolApi): void {
  server.registerTool(
    'list_models',
    { description: 'The models of this machine and what they do.', annotations: { readOnlyHint: true } },
    async ({ signal }) => {
      const models = await listModels(api, signal);
      return said(models.map(({ id, kind }) => `${id}: it ${modelKinds[kind].strength}`).join('\n'));
    },
  );
}

function addAsk(server: McpServer, api: ToolApi): void {
  server.registerTool(
    'ask',
    {
      description: 'Asks a language model that runs on this machine. It sees nothing but the prompt.',
      inputSchema: {
        prompt: z.string(),
        system: z.string().optional().describe('Instructions for the model.'),
        model,
        max_tokens: z.int().min(1).optional(),
      },
    },
    async ({ prompt, system, model: named, max_tokens }, { signal }) => {
      const messages = [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        { role: 'user', content: prompt },
      ];
      const body = { model: await modelFor(api, 'generate', named, signal), messages, max_tokens };
      const { choices } = (await api.ask('/chat/completions', body, signal)) as {
        choices: { message: { content: string | null } }[];
      };
      return said(choices[0]?.message.content ?? '');
    },
  );
}

function addEmbed(server: McpServer, api: ToolApi): void {
  server.registerTool(
    'embed',
    {
      description: 'The embedding of each text, as a JSON array of vectors.',
      inputSchema: { texts: z.array(z.string()).min(1), model },
    },
    async ({ texts, model: named }, { signal }) => {
      const body = { model: await modelFor(api, 'embed', named, signal), input: texts };
      const { data } = (await api.ask('/embeddings', body, signal)) as { data: { embedding: number[] }[] };
      return said(JSON.stringify(data.map(({ embedding }) => embedding)));
    },
  );
}

function addRerank(server: McpServer, api: ToolApi): void {
  server.registerTool(
    'rerank',
    {
      description: 'Ranks documents by their relevance to a query, as JSON: index and score, the best first.',
      inputSchema: { query: z.string(), documents: z.array(z.string()).min(1), model },
    },
    async ({ query, documents, model: named }, { signal }) => {
      const body = { model: await modelFor(api, 'rank', named, signal), query, documents };
      const { results } = (await api.ask('/rerank', body, signal)) as { results: unknown };
      return said(JSON.stringify(results));
    },
  );
}

function addTranscribe(server: McpServer, api: ToolApi): void {
  server.registerTool(
    'transcribe',
    {
      description: 'Writes down what is said in a recording.',
      inputSchema: {
        audio: z
          .string()
          .describe(
            api.source === 'path' ? 'The path of an audio or video file.' : 'An audio file in base64.',
          ),
        language: z.string().optional().describe('Such as "en"; default: what is heard.'),
        model,
      },
    },
    async ({ audio, language, model: named }, { signal }) => {
      const recording = { audio, language, model: await modelFor(api, 'transcribe', named, signal) };
      return said(((await api.transcribe(recording, signal)) as { text: string }).text);
    },
  );
}

/** The model that a call names, else the one that is taken for such work. */
async function modelFor(
  api: ToolApi,
  ability: Ability,
  named: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (named !== undefined) return named;
  const found = preferredModel((await listModels(api, signal)).filter((one) => can(one, ability)));
  if (found === undefined)
    throw new Error(`No model here ${strengthOf(ability)}. Get one with: hearth models pull`);
  return found.id;
}

const listModels = async (api: ToolApi, signal: AbortSignal) =>
  ((await api.ask('/models', undefined, signal)) as { data: Listed[] }).data;

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

function strengthOf(ability: Ability): string {
  const kinds = Object.values(modelKinds);
  return kinds.find(({ abilities }) => abilities.some((one) => one === ability))?.strength ?? ability;
}
