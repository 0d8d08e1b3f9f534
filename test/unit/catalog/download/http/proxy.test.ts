import { describe, expect, it } from 'vitest';
import {
  isExplicitlyPrivate,
  isPrivateAddress,
} from '../../../../../src/catalog/download/http/address-policy.ts';
import { proxyFor } from '../../../../../src/catalog/download/http/http-get.ts';

describe('proxyFor', () => {
  const env = { HTTPS_PROXY: 'http://proxy:3128', http_proxy: 'http://other:80' };
  it.each([
    ['https://host.example/x', {}, 'http://proxy:3128'],
    ['http://host.example/x', {}, 'http://other:80'],
    ['https://host.example/x', { https_proxy: 'http://lower:1' }, 'http://lower:1'],
    ['https://host.example/x', { NO_PROXY: '*' }, undefined],
    ['https://host.example/x', { no_proxy: 'a.example, .example' }, undefined],
    ['https://host.example/x', { no_proxy: 'ost.example' }, 'http://proxy:3128'],
    ['https://host.example/x', { no_proxy: 'host.example:8443' }, 'http://proxy:3128'],
    ['https://host.example:8443/x', { no_proxy: 'host.example:8443' }, undefined],
    ['https://[::1]/x', { no_proxy: '::1' }, undefined],
    ['https://host.example/x', { HTTPS_PROXY: '' }, undefined],
    ['https://host.example/x', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128'],
  ])('%s with %j: %s', (url, more, expected) => {
    expect(proxyFor(new URL(url), { ...env, ...more })).toBe(expected);
  });

  it.each(['socks5://me:secret@host:1080', 'http://not a url', '://'])(
    'refuses %s, and does not show it',
    (proxy) => {
      const find = (): unknown => proxyFor(new URL('https://host.example/x'), { HTTPS_PROXY: proxy });
      expect(find).toThrow(/^https_proxy names no proxy that can be used$/);
    },
  );
});

describe('private addresses', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
  ])('%s is one', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1', 'host.example'])(
    '%s is none',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  it('are told from a URL that names one', () => {
    expect(isExplicitlyPrivate(new URL('http://localhost.:1/'))).toBe(true);
    expect(isExplicitlyPrivate(new URL('http://[fd00::1]/'))).toBe(true);
    expect(isExplicitlyPrivate(new URL('https://mirror.example/'))).toBe(false);
  });
});
