import { makeKey } from './make-accounts.ts';
import type { RunningServer } from './start-server.ts';

interface IsolatedStatus {
  readonly id: string;
  readonly state: string;
  readonly busy: number;
  readonly error: string | null;
  readonly pid: number | null;
}

export interface IsolatedServer {
  readonly server: RunningServer;
  /** The admin API's answer at /admin/v1/models and `path` behind it, as JSON. */
  admin(path: string, method?: string): Promise<unknown>;
  statusOf(id: string): Promise<IsolatedStatus>;
  /** The process of a loaded model. */
  pidOf(id: string): Promise<number>;
  /** The processes of all loaded models. */
  pids(): Promise<readonly number[]>;
}

/** `server`, whose models run in processes of their own, with an admin key to ask it about them. */
export async function openIsolated(server: RunningServer): Promise<IsolatedServer> {
  const { secret } = makeKey(server, 'local', { kind: 'admin' });
  const admin = async (path: string, method = 'GET'): Promise<unknown> => {
    const url = new URL(`/admin/v1/models${path}`, server.baseUrl);
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${secret}` } });
    return await response.json();
  };
  const statuses = async () => ((await admin('')) as { data: readonly IsolatedStatus[] }).data;
  const statusOf = async (id: string) => {
    const status = (await statuses()).find((one) => one.id === id);
    if (status === undefined) throw new Error(`no model ${id}`);
    return status;
  };
  return {
    server,
    admin,
    statusOf,
    async pidOf(id) {
      const { pid } = await statusOf(id);
      if (pid === null) throw new Error(`${id} is not loaded`);
      return pid;
    },
    pids: async () => (await statuses()).flatMap(({ pid }) => pid ?? []),
  };
}
