import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pullModel, type PulledModel, type PullOptions } from '../../../src/catalog/download/pull.ts';
import { FileServer, serveBytes, type ServeOptions } from './file-server.ts';
import { ggufFile } from '../models/model-files.ts';

/** A GGUF file of a quarter of a megabyte whose content depends on `seed`. */
export function seededModel(seed: number): Buffer {
  return ggufFile({
    tensors: 2000,
    metadata: { 'general.name': { type: 'string', value: `model ${seed}` } },
  });
}

interface RepositoryOptions extends ServeOptions {
  /** Fields that replace those of each file in the listing. */
  readonly listing?: Readonly<Record<string, unknown>>;
  readonly repository?: string;
}

/** A model hub of its own for one test, and an empty folder to pull into. */
export class PullBench {
  readonly server: FileServer;
  readonly folder = mkdtempSync(join(tmpdir(), 'hearth-pull-'));

  private constructor(server: FileServer) {
    this.server = server;
  }

  static async open(): Promise<PullBench> {
    return new PullBench(await FileServer.open());
  }

  async close(): Promise<void> {
    await this.server.close();
    rmSync(this.folder, { recursive: true });
  }

  pull(source: string, options: Partial<PullOptions> = {}): Promise<PulledModel> {
    const env = { HF_ENDPOINT: this.server.origin };
    return pullModel(source, { folder: this.folder, env, retryDelayMs: 1, stallTimeoutMs: 5000, ...options });
  }

  /** A repository (default: Owner/Repo) whose listing tells the truth about `files`, except for the fields of `listing`. */
  putRepository(
    files: Readonly<Record<string, Buffer>>,
    { listing = {}, repository = 'Owner/Repo', ...serve }: RepositoryOptions = {},
  ): void {
    const entries = Object.entries(files).map(([path, bytes]) => ({
      type: 'file',
      path,
      size: bytes.length,
      lfs: { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length },
      ...listing,
    }));
    this.server.handlers.set(`/api/models/${repository}/tree/main`, (_request, response) => {
      response.end(JSON.stringify([{ type: 'directory', path: 'sub' }, ...entries]));
    });
    for (const [path, bytes] of Object.entries(files)) {
      this.server.handlers.set(
        `/${repository}/resolve/main/${path}`,
        serveBytes(() => bytes, serve),
      );
    }
  }

  /** Where a file of that repository is to lie. */
  targetPath(name = 'm-Q8_0.gguf'): string {
    return join(this.folder, 'Owner/Repo', name);
  }

  /** The Range headers of every request for a file of that repository. */
  downloads(): (string | undefined)[] {
    return this.server.requests
      .filter(({ url }) => url.includes('/resolve/'))
      .map(({ headers }) => headers.range);
  }
}
