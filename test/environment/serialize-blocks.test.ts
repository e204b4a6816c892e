import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OutputError, serializeBlocks } from '../../src/protocol/index.ts';
import fc, { runs } from '../support/fast-check.ts';

const specification = JSON.parse(readFileSync(new URL('../../generated/ors.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false }).addSchema(specification, 'ors');
const isValid = ajv.compile({ $ref: 'ors#/definitions/SerializedBlock' });

const value = fc.oneof(
  fc.constantFrom('text', 'image', 'image/png', 'text/plain', 'AAAA', 'AAA=', 'A', ''),
  fc.constantFrom(undefined, null, 1, true, [], {}, { a: 1 }),
);
const block = fc.oneof(
  value,
  fc.record({ type: value, text: value, data: value, mimeType: value, detail: value }, { requiredKeys: [] }),
  fc.record({ type: fc.constant('image'), data: value, mimeType: value }),
  fc.record({ type: fc.constant('text'), text: value, detail: value, other: value }),
);

test('sends blocks that are valid by the specification, and rejects all others', () => {
  fc.assert(
    fc.property(block, (candidate) => {
      let sent: readonly unknown[];
      try {
        sent = serializeBlocks([candidate], 'blocks');
      } catch (error) {
        expect(error).toBeInstanceOf(OutputError);
        const completed = { detail: null, ...(candidate as object) };
        // The specification does not check base64.
        expect(isValid(completed) && !('data' in completed)).toBe(false);
        return;
      }
      expect(sent.every((each) => isValid(each))).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
