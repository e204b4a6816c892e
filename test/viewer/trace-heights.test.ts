import { describe, expect, it } from '@jest/globals';
import { RowHeights } from '../../src/viewer/page/trace/scroller.ts';
import fc from '../support/fast-check.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 60 });
const changes = fc.array(fc.tuple(fc.nat(59), fc.integer({ min: 1, max: 900 })), { maxLength: 20 });

describe('heights of rows', () => {
  it('return the offset of each row and the row at each offset, also after changes', () => {
    fc.assert(
      fc.property(sizes, changes, fc.nat(60_000), (given, changed, offset) => {
        const heights = new RowHeights(Float64Array.from(given));
        const plain = [...given];

        for (const [index, height] of changed) {
          heights.set(index, height);
          if (index < plain.length) plain[index] = height;
        }

        const tops = plain.map((_, index) => plain.slice(0, index).reduce((sum, height) => sum + height, 0));
        expect(plain.map((_, index) => heights.offsetOf(index))).toEqual(tops);
        expect(heights.total).toBe(plain.reduce((sum, height) => sum + height, 0));
        expect(heights.indexAt(offset)).toBe(
          Math.max(
            0,
            tops.findLastIndex((top) => top <= offset),
          ),
        );
      }),
    );
  });
});
