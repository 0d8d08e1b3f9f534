import { renderUnicodeCompact } from 'uqr';
import { bootstrapAccountName, type Bootstrap } from '../../accounts/bootstrap.ts';
import { packageVersion } from '../../config/package-version.ts';
import type { Config } from '../../config/types.ts';
import type { HearthServer } from '../../server.ts';
import { localAddresses } from '../../upkeep/local-addresses.ts';
import { isDemo, preferredChatModel } from '../demo.ts';
import { sameFolder, shellCommand } from '../own-command.ts';

/** What a server prints when it listens: what it serves, how to ask it, and the links to the page. */
export function banner(server: HearthServer, config: Config): string {
  const { baseUrl, bootstrap, catalog } = server;
  const models = catalog.list();
  const chatModel = preferredChatModel(models);
  const command = (...args: string[]) => shellCommand([...args, ...sameFolder(config)]);
  const lines = [`hearth ${packageVersion}, data in ${config.dataDir}`];
  if (models.length === 0)
    lines.push(
      `no models yet: put GGUF files into a --models-dir, or get one with\n  ${command('models', 'pull')}`,
    );
  else
    lines.push(
      `models: ${models.map((model) => (isDemo(model) ? `${model.id} (demo)` : model.id)).join(', ')}`,
    );
  if (chatModel !== undefined && isDemo(chatModel))
    lines.push(
      '',
      `${chatModel.id} is a tiny demo that knows little. What else runs well on this machine:`,
      `  ${command('models', 'pull')}`,
    );
  const isNew = bootstrap.outcome === 'created';
  if (chatModel !== undefined) {
    const body = JSON.stringify({ model: chatModel.id, messages: [{ role: 'user', content: 'Hello' }] });
    const key = isNew ? bootstrap.secret : bootstrap.outcome === 'existing' ? 'YOUR_KEY' : '$HEARTH_API_KEY';
    lines.push('', 'Try it:', curlLine(`${baseUrl}/chat/completions`, key, body));
  }
  lines.push('', `API:          ${baseUrl}`, `Page:         ${new URL('/', baseUrl).href}`);
  lines.push(`Reference:    ${new URL('/docs', baseUrl).href}`);
  if (server.fingerprint !== undefined) lines.push(`Certificate:  SHA-256 ${server.fingerprint}`);
  lines.push(...keyLines(bootstrap, command));
  // A log must hold no code that signs in, so links are for terminals only.
  if (process.stdout.isTTY) lines.push(...signInLines(server, config));
  return `${lines.join('\n')}\n`;
}

/** The links that sign browsers in, which come last on the screen. */
function signInLines(server: HearthServer, { host }: Config): string[] {
  const lines = ['', 'Open the page by this link, once and within ten minutes:', `  ${server.pageLink()}`];
  const [address] = host === '0.0.0.0' || host === '::' ? localAddresses() : [];
  if (address === undefined) return lines;
  const link = server.pageLink(address);
  const microphone =
    server.fingerprint === undefined ? ' (without tls in hearth.yaml it gets no microphone)' : '';
  return [
    ...lines,
    '',
    `The same for a phone in this network${microphone}:`,
    `  ${link}`,
    renderUnicodeCompact(link),
  ];
}

/** The lines about keys. */
function keyLines(bootstrap: Bootstrap, command: (...args: string[]) => string): string[] {
  const another = command('keys', 'create', '--account', bootstrapAccountName);
  switch (bootstrap.outcome) {
    case 'created':
      return [`Your API key, shown only this once: ${bootstrap.secret}`];
    case 'created-from-environment':
      return ['Your API key is the one in HEARTH_API_KEY.'];
    case 'existing':
      return [
        ...(bootstrap.unknownApiKey ? ['HEARTH_API_KEY is not a key of this data folder.'] : []),
        'Your API key was shown at the first start. For another one, in a second terminal:',
        `  ${another}`,
      ];
    default:
      return bootstrap satisfies never;
  }
}

const curlLine = (url: string, key: string, body: string) =>
  `curl ${url} -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
