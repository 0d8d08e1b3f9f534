import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DownloadError } from './download-error.ts';

/** Addresses that lead into this machine or its network, and none of the public internet (IANA's registries). */
const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv6');
}

/** Whether `address` (an IP, v6 without brackets) is loopback, private, link-local or multicast. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the host of `url` says by itself that it is private: such an address, or a name of this machine. */
export function isExplicitlyPrivate(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || isPrivateAddress(host);
}

/** `lookup` that fails for names with a private address, so that what is connected to is what was checked. */
export function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      // There is no address then, whatever the types say.
      if (error !== null) return callback(error, address, family);
      const addresses = typeof address === 'string' ? [address] : address.map((entry) => entry.address);
      if (addresses.some(isPrivateAddress)) callback(privateTargetError(hostname), '', 0);
      else callback(null, address, family);
    });
  };
}

export function privateTargetError(host: string): DownloadError {
  return new DownloadError(`${host} is an address inside this machine or its network`, {
    hint: 'no redirect there is followed; if the mirror is yours, name its own address on the command line',
  });
}
