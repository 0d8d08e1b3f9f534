import { nodeBindings } from '../env.ts';
import type { AppContext } from '../env.ts';

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/**
 * True for a request of a program on this machine: from a loopback address and to a loopback name.
 * The name matters because a web page can make a browser here resolve its own host to 127.0.0.1
 * (DNS rebinding); the address alone would then let that page in.
 */
export function isLoopbackRequest(c: AppContext): boolean {
  const address = nodeBindings(c).incoming?.socket.remoteAddress;
  const host = c.req.header('host');
  return (
    address !== undefined && loopbackAddress.test(address) && host !== undefined && loopbackHost.test(host)
  );
}
