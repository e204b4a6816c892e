import { expect, test } from '@jest/globals';
import { toAllowedToolNames } from '../../src/bridges/mcp/from-mcp.ts';
import fc from '../support/fast-check.ts';

test('converts names to unique valid ones, and keeps valid names', () => {
  const odd = fc.string({ unit: fc.constantFrom('a', '_', '/', '.', '-', ' ', 'é', '2'), maxLength: 140 });
  fc.assert(
    fc.property(fc.uniqueArray(odd), (names) => {
      const allowed = toAllowedToolNames(names);

      expect(new Set(allowed).size).toBe(names.length);
      for (const [index, name] of allowed.entries()) {
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/);
        const given = names[index] ?? '';
        if (/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(given)) expect(name).toBe(given);
      }
    }),
  );
});
