import { describe, expect, it } from '@jest/globals';
import { Outline } from '../../src/viewer/page/trace/outline.ts';
import { VirtualScroller } from '../../src/viewer/page/trace/scroller.ts';
import { visibleRows } from '../../src/viewer/page/trace/visible-rows.ts';
import fc from '../support/fast-check.ts';
import { skeleton } from './trace-blocks.ts';

const open = () => false;
const messages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) =>
    skeleton(`tb_${from + index}`, 'MESSAGE', { created_at: String(1e6 + from + index) }),
  );
const rowsOf = (count: number, outline = new Outline()) => {
  outline.add(messages(0, count));
  return visibleRows(outline, { isClosed: open, filters: new Set() });
};

function scrollerOf(count: number) {
  const scroller = new VirtualScroller();
  scroller.resize(800, 600);
  scroller.show(rowsOf(count), open, false);
  return scroller;
}

/** Shows `count` messages and the one at `ahead`, which was loaded before those between. */
function aheadOf(count: number, ahead: number) {
  const outline = new Outline();
  const scroller = new VirtualScroller();
  const show = () => scroller.show(visibleRows(outline, { isClosed: open, filters: new Set() }), open, false);
  scroller.resize(800, 600);
  outline.add(messages(0, count));
  outline.addOutOfOrder(messages(ahead, ahead + 1), { isLast: false });
  show();
  return { outline, scroller, show };
}

/** Distance of a row from the top of the view. */
const below = (scroller: VirtualScroller, id: string): number =>
  scroller.topOf(scroller.rows.findIndex((row) => row.id === id)) - scroller.top;

describe('a scroller', () => {
  it('reveals a part of a row, and keeps it in view when rows above it are measured', () => {
    const scroller = scrollerOf(100);

    const moves = [scroller.reveal(50, 400, 420), scroller.reveal(50, 400, 420)];
    scroller.measure(
      new Map([
        [10, 900],
        [48, 700],
      ]),
    );

    expect(moves).toEqual([true, false]);
    expect(below(scroller, 'tb_50') + 400).toBe(200);
  });

  it('keeps the visible row in place when rows above it are measured', () => {
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

  it('renders all visible rows and not many more', () => {
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

  it('stays at the end while rows are added, and nowhere else', () => {
    const outline = new Outline();
    const scroller = new VirtualScroller();
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

  it('starts at the beginning, also while rows are added', () => {
    const outline = new Outline();
    const scroller = new VirtualScroller();
    scroller.resize(800, 600);

    scroller.show([], open, true);
    scroller.show(rowsOf(3, outline), open, true);
    scroller.show(rowsOf(60, outline), open, true);

    expect(scroller.total).toBeGreaterThan(600);
    expect(scroller.top).toBe(0);
  });

  it('keeps the position of a block that was loaded ahead of its page until all is loaded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 580 }), fc.integer({ min: 30, max: 900 }), (up, height) => {
        const { outline, scroller, show } = aheadOf(20, 900);
        const index = scroller.rows.findIndex(({ id }) => id === 'tb_900');
        scroller.anchorTo(index, 8);
        const landed = scroller.top;
        const offset = scroller.topOf(index) - landed;

        scroller.scrolled(landed - up);
        scroller.measure(new Map([[2, height]]));
        const before = below(scroller, 'tb_900');
        outline.add(messages(20, 500));
        show();
        const between = below(scroller, 'tb_900');
        outline.add(messages(500, 1_000));
        show();
        const after = below(scroller, 'tb_900');

        expect(offset).toBe(8);
        expect(before).toBeCloseTo(8 + up);
        expect(between).toBeCloseTo(8 + up);
        expect(after).toBeCloseTo(8 + up);
        expect(scroller.rows).toHaveLength(1_000);
      }),
    );
  });

  it('keeps the rows before a gap in place', () => {
    const { outline, scroller, show } = aheadOf(20, 900);

    scroller.scrolled(scroller.topOf(19) + 5);
    outline.add(messages(20, 1_000));
    show();

    expect(scroller.top).toBeCloseTo(scroller.topOf(19) + 5);
  });
});
