import { networkInterfaces } from 'node:os';

/** The IPv4 addresses under which other machines of the network reach this one, the likeliest first. */
export function localAddresses(): readonly string[] {
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, isVirtual: /^(?:docker|br-|veth|virbr|tun|tap|wg)/.test(name) })),
  );
  return addresses
    .toSorted((a, b) => Number(a.isVirtual) - Number(b.isVirtual))
    .map(({ address }) => address);
}
