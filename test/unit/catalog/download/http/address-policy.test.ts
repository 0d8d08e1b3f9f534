import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  isExplicitlyPrivate,
  isPrivateAddress,
  publicOnly,
} from '../../../../../src/catalog/download/http/address-policy.ts';

describe('addresses that downloads are kept from', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::',
    '::1',
    '::127.0.0.1',
    '::a9fe:a9fe',
    '::ffff:192.168.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.255.255.255',
    '64:ff9b:1::808:808',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2002:7f00:1::1',
    '2002:a00:1::',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2003::1',
  ])('not %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  it.each([
    'https://[64:ff9b::127.0.0.1]/m.gguf',
    'https://[2002:7f00:1::]/m.gguf',
    'https://[::7f00:1]/m.gguf',
    'https://0x7f.1/m.gguf',
    'https://localhost./m.gguf',
    'https://models.localhost/m.gguf',
  ])('also in a URL: %s', (url) => {
    expect(isExplicitlyPrivate(new URL(url))).toBe(true);
  });
});

describe('the look-up of names', () => {
  /** The addresses that `publicOnly` lets through of those that a name has; the error's message where none. */
  const answerFor = (addresses: readonly string[]): Promise<unknown> => {
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    return new Promise((resolve) => {
      publicOnly(lookup)('models.example', { all: true }, (error, address) =>
        resolve(error === null ? address : error.message),
      );
    });
  };

  it('fails where one of several addresses is private, since any of them may be connected to', async () => {
    expect(await answerFor(['1.1.1.1', '64:ff9b::a00:1'])).toMatch(/models\.example is an address inside/);
    expect(await answerFor(['2606:4700::1', '127.0.0.1'])).toMatch(/models\.example is an address inside/);
    expect(await answerFor(['1.1.1.1', '2606:4700::1'])).toHaveLength(2);
  });

  it('goes by the answer, whatever the name: this machine’s own name is refused', async () => {
    const error = await new Promise<Error | null>((resolve) => {
      publicOnly(systemLookup)('localhost', { all: true }, resolve);
    });
    expect(error?.message).toMatch(/inside this machine/);
  });
});
