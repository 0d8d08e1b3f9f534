import { strictEqual as equal, match, ok } from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Container, run } from './try-image/container.ts';
import { answersFromInside, answersFromOutside, hears } from './try-image/answers.ts';
import { stopsAfterAnswers } from './try-image/ending.ts';
import { makeStandIn } from './try-image/stand-in.ts';

const help = `Builds the image of scripts/deploy/Dockerfile, runs it as compose.yaml does, and tries it out.

Usage: node scripts/release/try-image.ts [options]

  --image NAME    tries this image and builds none
  --network NAME  the build's network, such as host where the engine gives containers no way out
  --stand-in      makes the base image here, from Debian's packages and npm's, where no registry of images is reached
                  (needs root and debootstrap)
  --help          this text

Needs a Docker engine and its compose. Prints what holds; the exit status is 1 where something does not.
`;

const { values } = parseArgs({
  options: {
    image: { type: 'string' },
    network: { type: 'string', default: 'default' },
    'stand-in': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(help);
else await tryImage(values.image ?? (await build()));

async function build(): Promise<string> {
  const image = 'hearth-try';
  const base = values['stand-in'] ? ['--build-arg', `NODE_IMAGE=${makeStandIn()}`] : [];
  const options = ['--network', values.network, '--file', 'scripts/deploy/Dockerfile', '--tag', image];
  const startedAt = performance.now();
  await run('docker', ['build', ...options, ...base, '.'], { env: { DOCKER_BUILDKIT: '1', ...process.env } });
  console.log(`built in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return image;
}

async function tryImage(image: string): Promise<void> {
  const bytes = Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', image]));
  console.log(`${image} has ${Math.round(bytes / 1e6)} MB`);
  await using container = new Container(image, ['scripts/deploy/compose.yaml']);
  await container.start();
  console.log('holds: it starts, and its health check succeeds');
  await holds('it is not root, has no capabilities and can write nothing but its data', () =>
    isLocked(container),
  );
  await holds('it has both addons', async () => {
    const versions = await container.exec(['hearth', '--version']);
    for (const addon of ['speech', 'stepper']) match(versions, new RegExp(`^${addon} .*\\.node$`, 'm'));
  });
  const [key] = /hk-[\w-]+/.exec(await container.logs()) ?? [];
  ok(key !== undefined, 'the logs tell no key');
  await holds('it answers a chat, from inside and through its port', async () => {
    await answersFromInside(container);
    await answersFromOutside(container, key);
  });
  await holds('it hears WAV, MP3 and M4A', () => hears(container));
  await holds('models may take of the container’s memory, not of the machine’s', async () => {
    match(await container.exec(['hearth', 'doctor']), /models may take 5\.6 GB/);
  });
  await holds('on SIGTERM it ends the answers that it has begun', () => stopsAfterAnswers(container, key));
  await holds('after another start the key is the same, and models are there', async () => {
    await container.start();
    await answersFromOutside(container, key);
    await hears(container, ['wav']);
    equal((await container.logs()).match(/shown only once/g)?.length, 1);
  });
  await holds('its health check succeeds with a certificate', async () => {
    const settings = 'tls: self-signed\n';
    await container.exec(['sh', '-c', 'cat > /data/hearth.yaml'], settings);
    await container.start({ HEARTH_CONFIG: '/data/hearth.yaml' });
    match(await container.exec(['cat', '/data/hearth.db.address']), /^https:.*/);
  });
}

/** Does it, and says that it holds; a failure is told and counted, and the rest is tried all the same. */
async function holds(what: string, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
    console.log(`holds: ${what}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`DOES NOT HOLD: ${what}: ${String(error)}`);
  }
}

async function isLocked(container: Container): Promise<void> {
  const status = await container.exec(['cat', '/proc/1/status']);
  match(status, /^Uid:\t1000\t1000\t/m);
  match(status, /^CapEff:\t0+$/m);
  match(status, /^NoNewPrivs:\t1$/m);
  const writable = await container.exec([
    'sh',
    '-c',
    'for dir in / /usr/local /home/node /data /tmp; do test -w $dir && echo $dir; done; true',
  ]);
  equal(writable, '/data\n/tmp\n');
}
