import { expect, test } from '@jest/globals';
import {
  bareHost,
  decodePercent,
  hasScheme,
  hostForUrl,
  isHttpUrl,
  isLoopbackHost,
  parseBaseUrl,
  withoutCredentials,
  withoutTrailingSlashes,
} from '../../src/core/index.ts';
import fc, { unicode } from '../support/fast-check.ts';

test.each([
  ['http://h:80/p', 'http://h:80/p'],
  ['http://u:pw@h/p?key=1#x', 'http://h/p'],
  ['http://u:pw@h', 'http://h'],
  ['http:u:pw@h', 'http://h'],
  ['postgres://u:p%40w@h/db', 'postgres://h/db'],
  ['htp://u:pw@h', 'htp://h'],
  ['http://127.0.0.1:8080/p?x=me@example.com', 'http://127.0.0.1:8080/p'],
  ['postgres://host/name?password=secret', 'postgres://host/name'],
  ['postgre://user:se@cr/e?t@host/name', 'postgre://host/name'],
  ['postgres://u:p/w#?@h/db', 'postgres://h/db'],
  ['u:pw@h:8080', 'h:8080'],
  ['localhost:8080', 'localhost:8080'],
  ['not a url', 'not a url'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('withoutCredentials shows %s as %s', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown);
});

test('removes every password from a URL, whatever characters it contains', () => {
  fc.assert(
    fc.property(unicode({ minLength: 1 }), (noise) => {
      const shown = withoutCredentials(`postgres://user:pass${noise}word@host/name`);

      expect(shown).toBe('postgres://host/name');
    }),
  );
});

test.each([
  ['http://h', true, true],
  ['HTTPS://h', true, true],
  ['http:8080', false, false],
  ['postgres://h', false, true],
  ['./http:/x', false, false],
])('recognizes the scheme of %s', (text, isHttp, isUrl) => {
  expect(isHttpUrl(text)).toBe(isHttp);
  expect(hasScheme(text)).toBe(isUrl);
});

test('removes all trailing slashes', () => {
  expect(withoutTrailingSlashes('http://h//')).toBe('http://h');
  expect(withoutTrailingSlashes('http://h/p')).toBe('http://h/p');
});

test('adds and removes the brackets of IPv6 addresses', () => {
  expect(['h', '::1', '[::1]'].map(hostForUrl)).toEqual(['h', '[::1]', '[::1]']);
  expect(['h', '::1', '[::1]'].map(bareHost)).toEqual(['h', '::1', '::1']);
});

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.0.0.2', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['[::ffff:7f00:1]', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.example.com', false],
  ['app.localhost', false],
])('isLoopbackHost knows %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});

test('decodePercent returns undefined for malformed escapes', () => {
  expect(decodePercent('a%20b')).toBe('a b');
  expect(decodePercent('%zz')).toBeUndefined();
});

test.each([
  ['http://h:8080', 'http://h:8080'],
  ['HTTPS://H/team/ors//', 'https://h/team/ors'],
])('normalizes the base URL %s', (url, expected) => {
  expect(parseBaseUrl(url, 'pass another')).toBe(expected);
});

test.each([
  ['nonsense', "invalid URL 'nonsense'; pass another"],
  ['ftp://h', "invalid URL 'ftp://h': expected http or https; pass another"],
  ['http://u:pw@h', "invalid URL 'http://h': it contains credentials; pass them as apiKey"],
  ['http://h/#x', /^invalid URL '.*': it has a query or a fragment; pass another$/],
])('rejects the base URL %s', (url, message) => {
  expect(() => parseBaseUrl(url, 'pass another')).toThrow(message);
});
