import path from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import type { Bootstrap } from '../../accounts/bootstrap.ts';
import { bootstrapAccountName } from '../../accounts/types.ts';
import { packageVersion } from '../../config/package-version.ts';
import type { CatalogModel } from '../../catalog/types.ts';
import type { Config } from '../../config/types.ts';
import type { HearthServer } from '../../server.ts';
import { localAddresses } from '../../upkeep/local-addresses.ts';
import { isDemo, preferredChatModel } from '../../config/demo.ts';
import { quote, sameFolder, shellCommand } from '../own-command.ts';

/** The text that a server prints when it listens: its models, how to ask them, and the links to the page. */
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
  else lines.push(modelsLine(models, command('models', 'list')));
  if (chatModel !== undefined && isDemo(chatModel))
    lines.push(
      '',
      `${chatModel.id} is a tiny demo that knows little. Other models for this machine:`,
      `  ${command('models', 'pull')}`,
    );
  const isNew = bootstrap.outcome === 'created';
  if (chatModel !== undefined) {
    const key = isNew ? bootstrap.secret : bootstrap.outcome === 'existing' ? 'YOUR_KEY' : '$HEARTH_API_KEY';
    lines.push('', 'Try it, in a second terminal:', `  ${command('chat')}`);
    const url = `${baseUrl}/chat/completions`;
    lines.push(...curlLines(url, config.noKey ? undefined : key, chatModel.id, ownCertificate(config)));
  }
  lines.push('', `API:          ${baseUrl}`, `Page:         ${new URL('/', baseUrl).href}`);
  lines.push(`Docs:         ${new URL('/docs/pages', baseUrl).href}`);
  lines.push(`Reference:    ${new URL('/docs', baseUrl).href}`);
  if (server.fingerprint !== undefined) {
    const file = ownCertificate(config);
    lines.push(`Certificate:  ${file === undefined ? '' : `${file}, `}SHA-256 ${server.fingerprint}`);
  }
  if (config.noKey)
    lines.push('Programs on this machine need no key; clients that insist on one take any text.');
  lines.push(...keyLines(bootstrap, command));
  // A log must hold no code that signs in, so links are for terminals only.
  if (process.stdout.isTTY) lines.push(...signInLines(server, config));
  else lines.push(...networkLines(server, config));
  return `${lines.join('\n')}\n`;
}

/** The links that sign browsers in, which come last on the screen. */
function signInLines(server: HearthServer, { host }: Config): string[] {
  const lines = ['', 'Open the page by this link, once and within ten minutes:', `  ${server.pageLink()}`];
  const [address] = networkAddresses(host);
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

const networkAddresses = (host: string) => (host === '0.0.0.0' || host === '::' ? localAddresses() : []);

/** The API's addresses for other machines, where it listens for them. */
function networkLines({ baseUrl }: HearthServer, { host }: Config): string[] {
  return networkAddresses(host).map((address) => {
    const url = new URL(baseUrl);
    url.hostname = address.includes(':') ? `[${address}]` : address;
    return `In the network: ${url.href}`;
  });
}

/** The certificate that hearth made itself, which clients have to be told of; undefined: it did not. */
const ownCertificate = ({ tls, dataDir }: Config) =>
  tls === 'self-signed' ? path.join(dataDir, 'tls', 'cert.pem') : undefined;

/** The lines about keys. */
function keyLines(bootstrap: Bootstrap, command: (...args: string[]) => string): string[] {
  const another = command('keys', 'create', '--account', bootstrapAccountName);
  switch (bootstrap.outcome) {
    case 'created':
      return [`Your API key, shown only once: ${bootstrap.secret}`];
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

/** A command in lines that fit a terminal: where the terminal breaks one, the key is copied with a space in it. */
const curlLines = (
  url: string,
  key: string | undefined,
  model: string,
  certificate: string | undefined,
): string[] => [
  `  curl ${url} \\`,
  ...(certificate === undefined ? [] : [`    --cacert ${quote(certificate)} \\`]),
  ...(key === undefined ? [] : [`    -H "Authorization: Bearer ${key}" \\`]),
  "    -H 'Content-Type: application/json' \\",
  `    -d '{"model": "${model}",`,
  `         "messages": [{"role": "user", "content": "Hello"}]}'`,
];

const maxNamed = 5;

function modelsLine(models: readonly CatalogModel[], all: string): string {
  const named = models.slice(0, maxNamed).map((model) => (isDemo(model) ? `${model.id} (demo)` : model.id));
  const more = models.length - named.length;
  return `models: ${named.join(', ')}${more > 0 ? ` and ${more} more: ${all}` : ''}`;
}
