import {
  givenModelsDirs,
  givenValue,
  type ConfigFlags,
  type GivenValue,
} from '../config/flags-and-variables.ts';
import { defaultDataDir, resolvePath, type Environment, type Machine } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import type { ServiceScope } from './systemd-unit.ts';

/** The flags and variables that the server of a service is started with. */
export interface ServiceSettings {
  /** Flags of `hearth serve`; the files and folders among them are absolute. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Each of these settings, such as `--port 9000, from HEARTH_PORT`. */
  readonly told: readonly string[];
  /** Variables that are set and that hearth reads, but that are too secret for a service's file. */
  readonly secrets: readonly string[];
}

export interface ServiceSources {
  readonly flags: ConfigFlags;
  readonly env: Environment;
  readonly cwd: string;
  readonly machine: Machine;
  readonly scope: ServiceScope;
  /** The settings under these flags, this environment and this folder. */
  readonly config: Config;
}

const proxyVariables = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);
const plainVariables = ['HEARTH_STEPPER', 'HEARTH_MTMD', 'HF_ENDPOINT'];
const secretVariables = ['HEARTH_API_KEY', 'HF_TOKEN'];

/**
 * All that flags, environment and folder say now, for a server that a service manager starts in another folder and with
 * another environment.
 */
export function serviceSettings(sources: ServiceSources): ServiceSettings {
  const { env, config } = sources;
  const flags = givenFlags(sources);
  const isSecret = (name: string) => proxyVariables.includes(name) && env[name]?.includes('@') === true;
  const plain = [...plainVariables, ...proxyVariables].filter((name) => env[name] && !isSecret(name));
  const environment = {
    ...(env['HEARTH_FFMPEG'] && { HEARTH_FFMPEG: config.ffmpeg ?? 'built-in' }),
    ...Object.fromEntries(plain.map((name) => [name, env[name] ?? ''])),
  };
  const keysOfServers = config.models.flatMap(({ upstream }) => upstream?.apiKey?.variable ?? []);
  const valuesOfTools = config.mcp.flatMap(({ transport }) =>
    Object.values(transport.kind === 'http' ? transport.headers : transport.env).flatMap((value) =>
      typeof value === 'object' && 'env' in value ? value.env : [],
    ),
  );
  const secrets = [
    ...secretVariables,
    ...keysOfServers,
    ...valuesOfTools,
    ...proxyVariables.filter(isSecret),
  ];
  return {
    flags: flags.flatMap(({ words }) => words),
    environment,
    told: [
      ...flags.map(({ words, origin }) => `${words.join(' ')}, ${origin}`),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ],
    secrets: [...new Set(secrets)].filter((name) => env[name]),
  };
}

interface Flag {
  readonly words: readonly string[];
  readonly origin: string;
}

function givenFlags({ flags, env, cwd, machine, scope, config }: ServiceSources): Flag[] {
  const { configFile, dataDir } = config;
  const isUsual =
    dataDir === defaultDataDir(env, machine) && (scope === 'system' || env['XDG_DATA_HOME'] === undefined);
  const named = {
    config: givenValue('config', flags, env),
    dataDir: givenValue('dataDir', flags, env),
    host: flags.lan === true ? undefined : givenValue('host', flags, env),
    port: givenValue('port', flags, env),
    logLevel: givenValue('logLevel', flags, env),
  };
  const modelsDirs = (givenModelsDirs(flags, env) ?? []).map((given) => ({
    ...given,
    value: resolvePath(given.value, cwd, machine.homeDir),
  }));
  return [
    ...(configFile === undefined
      ? []
      : toFlag('--config', { origin: 'hearth.yaml here', ...named.config, value: configFile })),
    ...(isUsual
      ? []
      : toFlag('--data-dir', { origin: configFile ?? 'XDG_DATA_HOME', ...named.dataDir, value: dataDir })),
    ...modelsDirs.flatMap((given) => toFlag('--models-dir', given)),
    ...(flags.lan === true ? [{ words: ['--lan'], origin: 'as given' }] : []),
    ...toFlag('--host', named.host),
    ...toFlag('--port', named.port),
    ...toFlag('--log-level', named.logLevel),
    ...config.models
      .slice(0, flags.modelFile === undefined ? 0 : 1)
      .map(({ source = '' }) => ({ words: ['--model', source], origin: 'as given' })),
    ...(flags.key === false ? [{ words: ['--no-key'], origin: 'as given' }] : []),
  ];
}

function toFlag(flag: string, given: GivenValue | undefined): Flag[] {
  if (given === undefined) return [];
  const { value, origin } = given;
  return [{ words: [flag, value], origin: origin === flag ? 'as given' : `from ${origin}` }];
}
