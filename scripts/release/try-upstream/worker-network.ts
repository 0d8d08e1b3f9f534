import { execFileSync } from 'node:child_process';

/** A network namespace, and the address of the machine that it plays. */
export interface Namespace {
  readonly name: string;
  readonly address: string;
}

/** Network namespaces on one bridge, as machines on one switch. They are gone when it is disposed of. */
export class WorkerNetwork implements Disposable {
  readonly namespaces: readonly Namespace[];
  readonly #bridge = `hearth${process.pid % 10_000}`;

  constructor(count: number) {
    const subnet = `10.${200 + (process.pid % 50)}.0`;
    this.namespaces = Array.from({ length: count }, (_, index) => ({
      name: `${this.#bridge}w${index}`,
      address: `${subnet}.${index + 2}`,
    }));
    try {
      ip('link', 'add', this.#bridge, 'type', 'bridge');
      ip('addr', 'add', `${subnet}.1/24`, 'dev', this.#bridge);
      ip('link', 'set', this.#bridge, 'up');
      for (const [index, namespace] of this.namespaces.entries())
        this.#connect(namespace, `${this.#bridge}v${index}`);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    for (const args of [
      ...this.namespaces.map(({ name }) => ['netns', 'del', name]),
      ['link', 'del', this.#bridge],
    ])
      try {
        ip(...args);
      } catch {
        // It was not made, because a step before it failed.
      }
  }

  #connect({ name, address }: Namespace, link: string): void {
    ip('netns', 'add', name);
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', link, 'master', this.#bridge, 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }
}

function ip(...args: readonly string[]): void {
  process.stdout.write(`ip ${args.join(' ')}\n`);
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
