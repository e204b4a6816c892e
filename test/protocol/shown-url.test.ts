import { expect, test } from '@jest/globals';
import { shownUrl } from '../../src/protocol/index.ts';
import fc, { unicode } from '../support/fast-check.ts';

test.each([
  ['postgres://user:secret@host:5432/name', 'postgres://host:5432/name'],
  ['postgres://user:secret@host', 'postgres://host'],
  ['postgres://host/name?password=secret', 'postgres://host/name'],
  ['postgre://user:se@cr/e?t@host/name', 'postgre://host/name'],
  ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
  ['a file.db', 'a file.db'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

test('no password is shown, whatever is in it', () => {
  fc.assert(
    fc.property(unicode({ minLength: 1 }), (noise) => {
      const shown = shownUrl(`postgres://user:pass${noise}word@host/name`);

      expect(shown).toBe('postgres://host/name');
    }),
  );
});
