/**
 * Builds the addons: `npm run build:addons`, and at the end of every `npm install`, which goes on without them
 * (--optional) and takes those of the release or the clone where it has some for this machine. Plain JavaScript, since it also runs
 * in an installed package and under an old Node.
 */
import { existsSync } from 'node:fs';

const isOptional = process.argv.includes('--optional');

const load = (path) =>
  import(
    [`../../src/engine/${path}.ts`, `../../dist/engine/${path}.js`]
      .map((candidate) => new URL(candidate, import.meta.url))
      .find((url) => existsSync(url)).href
  );

/** Each with the abilities that go on without it. */
const addons = [
  {
    name: 'The speech engine',
    build: async () => (await load('whisper/addon/whisper-build')).whisperBuild(process.env),
    without: 'Chat works without it.',
  },
  {
    name: 'The stepper for chat',
    build: async () => (await load('llama/native/builds/stepper-build')).stepperBuild(),
    without: 'Chat works without it, somewhat slower.',
  },
  {
    name: 'What reads pictures and sound for chat',
    build: async () => (await load('llama/native/builds/stepper-build')).mtmdBuild(),
    without: 'Chat works without it, with texts alone.',
  },
];

if (
  !existsSync(new URL('../../src/engine', import.meta.url)) &&
  !existsSync(new URL('../../dist', import.meta.url))
) {
  console.error('The addons are not built: neither src nor dist is here: run npm run build first');
  if (!isOptional) process.exitCode = 1;
} else
  for (const { name, build, without } of addons)
    try {
      const { buildAddon, installAddon } = await load('addons/build-addon');
      const { isPackedStale } = await load('addons/packed-addon');
      const how = await build();
      if (isOptional && isPackedStale(how.addon, process.arch))
        console.log(`${name} is compiled: the clone has it prebuilt of other sources only.`);
      const make = isOptional ? installAddon : buildAddon;
      console.log(`${name} is here: ${make(how, process.env)}`);
    } catch (error) {
      console.error(`${name} is not built: ${error instanceof Error ? error.message : String(error)}`);
      console.error(without);
      if (!isOptional) process.exitCode = 1;
    }
