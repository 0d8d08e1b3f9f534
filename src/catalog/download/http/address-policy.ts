import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DownloadError } from '../download-error.ts';

/** Networks that are this machine, its own network or no single machine (IANA's special-purpose registries). */
const privateNetworks4 = [
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
] as const;
const privateNetworks6 = [
  // Unspecified, loopback, and the old form of an IPv4 address in an IPv6 one.
  ['::', 96],
  // IPv4-translated.
  ['::ffff:0:0:0', 96],
  // A translator of the local network decides what IPv4 address these mean.
  ['64:ff9b:1::', 48],
  ['100::', 64],
  // Teredo, whose addresses hold an IPv4 address, and other protocols that no server is reached by.
  ['2001::', 23],
  // 6to4: the 32 bits after the prefix are an IPv4 address.
  ['2002::', 16],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;
/**
 * The public NAT64 prefix: an IPv4 address follows it. On a network without IPv4 every public server has such an
 * address, so only those that hold a private one are refused.
 */
const nat64Prefix = '64:ff9b::';
const nat64PrefixBits = 96;

const privateAddresses = new BlockList();
for (const [network, prefixBits] of privateNetworks4) {
  // This covers the IPv4-mapped addresses (::ffff:10.0.0.1) as well.
  privateAddresses.addSubnet(network, prefixBits, 'ipv4');
  privateAddresses.addSubnet(`${nat64Prefix}${network}`, nat64PrefixBits + prefixBits, 'ipv6');
}
for (const [network, prefixBits] of privateNetworks6) {
  privateAddresses.addSubnet(network, prefixBits, 'ipv6');
}

/** Whether `address` (an IP, v6 without brackets) is loopback, private, link-local or multicast. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the host of `url` is a private address or a name of this machine: no look-up is needed to know. */
export function isExplicitlyPrivate(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || isPrivateAddress(host);
}

/**
 * `lookup`, but it fails for names that have a private address. The connection uses this very answer, so a name cannot
 * have a public address when it is checked and a private one when it is connected to.
 */
export function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      // The types promise an address here, but after an error there is none.
      if (error !== null) return callback(error, address, family);
      const addresses = typeof address === 'string' ? [address] : address.map((entry) => entry.address);
      if (addresses.some(isPrivateAddress)) callback(privateTargetError(hostname), '', 0);
      else callback(null, address, family);
    });
  };
}

export function privateTargetError(host: string): DownloadError {
  return new DownloadError(`${host} is an address inside this machine or its network`, {
    hint: 'redirects to such addresses are not followed; if the mirror is yours, name its own address on the command line',
  });
}
