import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Outline } from '../../src/viewer/page/trace/outline.ts';
import { Scroller } from '../../src/viewer/page/trace/scroller.ts';
import { visibleRows } from '../../src/viewer/page/trace/visible-rows.ts';
import { skeleton } from './trace-blocks.ts';

const open = () => false;
const rowsOf = (count: number, outline = new Outline()) => {
  outline.add(
    Array.from({ length: count }, (_, index) =>
      skeleton(`tb_${index}`, 'MESSAGE', { created_at: String(1e6 + index) }),
    ),
  );
  return visibleRows(outline, { isClosed: open, filters: new Set() });
};

function scrollerOf(count: number) {
  const scroller = new Scroller();
  scroller.resize(800, 600);
  scroller.show(rowsOf(count), open, false);
  return scroller;
}

describe('a scroller', () => {
  it('has what one looks at stay where it is when rows above it are measured', () => {
    const measured = fc.dictionary(fc.nat(30).map(String), fc.integer({ min: 30, max: 900 }), { maxKeys: 10 });
    fc.assert(
      fc.property(measured, fc.integer({ min: 3_000, max: 5_000 }), (heights, top) => {
        const scroller = scrollerOf(500);
        scroller.scrolled(top);
        const row = scroller.anchor?.row;
        const index = row ? scroller.rows.indexOf(row) : -1;
        const before = scroller.topOf(index) - scroller.top;

        scroller.measure(new Map(Object.entries(heights).map(([at, height]) => [Number(at), height])));

        expect(scroller.topOf(index) - scroller.top).toBeCloseTo(before);
      }),
    );
  });

  it('draws all rows that are in sight and not many more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 28_000 }), (top) => {
        const scroller = scrollerOf(500);

        scroller.scrolled(top);
        const { from, to } = scroller.range();

        expect(scroller.topOf(from)).toBeLessThanOrEqual(top);
        expect(scroller.topOf(to + 1)).toBeGreaterThanOrEqual(Math.min(top + 600, scroller.total));
        expect(to - from).toBeLessThan(60);
      }),
    );
  });

  it('stays at the end while rows come by themselves, and nowhere else', () => {
    const outline = new Outline();
    const scroller = new Scroller();
    scroller.resize(800, 600);
    scroller.show(rowsOf(100, outline), open, true);

    scroller.toEnd();
    scroller.show(rowsOf(120, outline), open, true);
    const isAtEnd = scroller.isAtEnd;
    scroller.scrolled(1_000);
    scroller.show(rowsOf(140, outline), open, true);

    expect(isAtEnd).toBe(true);
    expect(scroller.top).toBe(1_000);
  });

  it('begins at the beginning, also where rows come by themselves', () => {
    const outline = new Outline();
    const scroller = new Scroller();
    scroller.resize(800, 600);

    scroller.show([], open, true);
    scroller.show(rowsOf(3, outline), open, true);
    scroller.show(rowsOf(60, outline), open, true);

    expect(scroller.total).toBeGreaterThan(600);
    expect(scroller.top).toBe(0);
  });
});
