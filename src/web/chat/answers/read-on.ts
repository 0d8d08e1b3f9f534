import { ApiError } from '../../api/request.ts';
import { afterMs } from '../../state/after-ms.ts';
import { asUser } from '../../state/session.ts';

/** The time for which the server goes on without a reader. */
const mostWaitMs = 60_000;
const retryMs = 1000;
/** Another tab says that it asks before it asks. */
const mostMissing = 3;

/** Opens a stream that was begun before, from its beginning. Waits while the server is away; rejects where it is lost. */
export const openAgain =
  (name: string) =>
  async (leaving: AbortSignal): Promise<Response> => {
    const endsAtMs = Date.now() + mostWaitMs;
    for (let missing = 0; ;) {
      try {
        return await asUser(`stream/${name}`, { signal: leaving });
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined;
        if (code === 'not_found') missing += 1;
        if (code !== 'unreachable' && (code !== 'not_found' || missing >= mostMissing)) throw error;
        if (Date.now() > endsAtMs) throw error;
        await afterMs(retryMs);
      }
    }
  };

/** Has the server stop a stream; without that it would go on for a while. */
export function stopStream(name: string): void {
  asUser(`stream/${name}`, { method: 'DELETE' }).catch(() => undefined);
}
