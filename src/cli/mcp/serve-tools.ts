import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createToolServer } from '../../api/mcp/tools.ts';
import type { Config } from '../../config/types.ts';
import { sendForm } from '../send-form.ts';
import { withServer } from '../server-connection.ts';

/**
 * Serves the models of the running server as tools of MCP on standard input and output, until the client closes these.
 * Throws CliError where no server runs.
 */
export const serveTools = (config: Config): Promise<void> =>
  withServer(config, 'no tool can be called', async (connection) => {
    const server = createToolServer({
      source: 'path',
      ask: (route, body, signal) => connection.ask(body === undefined ? 'GET' : 'POST', route, body, signal),
      transcribe({ audio, model, language }, signal) {
        const fields = { model, ...(language !== undefined && { language }) };
        const form = { fields, path: audio, filename: path.basename(audio) };
        return sendForm(connection, '/audio/transcriptions', form, signal);
      },
    });
    const closed = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
    });
    await server.connect(new StdioServerTransport());
    await closed;
    await server.close();
  });
