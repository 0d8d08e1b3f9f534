import { nodeBindings, type ApiSettings, type AppContext } from '../env.ts';
import { toOriginTest } from './cors.ts';

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
/**
 * The names of headers that proxies add, such as Via, X-Forwarded-For, True-Client-IP and CF-Ray: the client of such a
 * request is on another machine, whatever the address of the socket says.
 */
const proxyHeader =
  /forwarded|proxy|^via$|^cdn-loop$|^cf-|^x-(?:amzn|envoy|original)-|(?:[-_]|client|socket)ip(?:v\d)?$|addr(?:ess)?$/;

/** Whether a request comes from a program on this machine. */
export type LocalTest = (c: AppContext) => boolean;

/**
 * A test whether a request comes from a program on this machine: the socket says so, it names a loopback host, it passed
 * no proxy, and no page of another origin than `corsOrigins` made a browser send it. The host is checked because a web
 * page can make the browser resolve the page's own host to 127.0.0.1 (DNS rebinding). The address alone would then let
 * that page in.
 */
export function toLocalTest({ corsOrigins }: Pick<ApiSettings, 'corsOrigins'>): LocalTest {
  const isAllowedOrigin = toOriginTest(corsOrigins);
  return (c) => {
    const address = nodeBindings(c).incoming?.socket.remoteAddress;
    if (address === undefined || !loopbackAddress.test(address)) return false;
    const headers = c.req.header();
    const { host, origin, 'sec-fetch-site': fetchSite } = headers;
    if (host === undefined || !loopbackHost.test(host)) return false;
    if (Object.keys(headers).some((name) => proxyHeader.test(name))) return false;
    // Links and pictures of other sites come without an origin.
    return origin === undefined ? fetchSite !== 'cross-site' : isAllowedOrigin(origin);
  };
}
