import { describe, expect, test } from '@jest/globals';
import { MAX_HEIGHT_PX, ScrollScale } from '../../src/viewer/page/parts/scroll-scale.ts';
import { type TextSlice, toSections } from '../../src/viewer/page/payload/slices.ts';
import fc from '../support/fast-check.ts';

const VIEW = 800;
const HUGE = 200_000_000;

const scaleOf = (total: number, top = 0) => {
  const scale = new ScrollScale();
  scale.place(total, VIEW, top);
  return scale;
};

describe('a scroll scale', () => {
  test('scrolls an element like its list, if browsers can show one of that height', () => {
    const scale = scaleOf(MAX_HEIGHT_PX, 123.5);

    expect([scale.height, scale.scrollTop, scale.shift]).toEqual([MAX_HEIGHT_PX, 123.5, 0]);
    expect(scale.follow(6_000_000)).toBe(6_000_000);
    expect([scale.scrollTop, scale.shift]).toEqual([6_000_000, 0]);
  });

  test('limits the height of the element, and reaches both ends of the list', () => {
    const scale = scaleOf(HUGE);

    expect(scale.height).toBe(MAX_HEIGHT_PX);
    expect(scale.follow(MAX_HEIGHT_PX - VIEW)).toBe(HUGE - VIEW);
    expect(scale.follow(0)).toBe(0);
    expect(scale.follow(MAX_HEIGHT_PX / 2 - VIEW / 2)).toBe(HUGE / 2 - VIEW / 2);
  });

  test('moves a huge list by the distance of the wheel, also over its whole height', () => {
    const scale = scaleOf(30_000_000, 500_000);

    const positions = Array.from({ length: 29_000 }, () => ({
      top: scale.follow(scale.scrollTop + 1_000),
      scrollTop: scale.scrollTop,
    }));

    const wrong = positions.filter(({ top }, at) => Math.abs(top - 501_000 - at * 1_000) > 0.001);
    expect(wrong).toEqual([]);
    expect(positions.filter(({ scrollTop }) => scrollTop <= 0 || scrollTop > MAX_HEIGHT_PX - VIEW)).toEqual([]);
  });

  test('keeps the place in the list, and a position of the element that can be scrolled in both directions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MAX_HEIGHT_PX + 1, max: 2_000_000_000 }),
        fc.array(
          fc.oneof(
            fc.integer({ min: -4_000, max: 4_000 }),
            fc.nat({ max: MAX_HEIGHT_PX }).map((to) => ({ to })),
          ),
          {
            maxLength: 50,
          },
        ),
        (total, scrolls) => {
          const scale = scaleOf(total);
          const last = total - VIEW;

          for (const scroll of scrolls) {
            const to = typeof scroll === 'number' ? scale.scrollTop + scroll : scroll.to;
            const top = scale.follow(Math.max(0, Math.min(MAX_HEIGHT_PX - VIEW, to)));

            expect(top >= 0 && top <= last).toBe(true);
            expect(scale.top).toBe(top);
            const [above, below] = [scale.scrollTop, MAX_HEIGHT_PX - VIEW - scale.scrollTop];
            expect(above).toBeGreaterThanOrEqual(Math.min(top, 500_000) - 0.01);
            expect(below).toBeGreaterThanOrEqual(Math.min(last - top, 500_000) - 0.01);
          }
        },
      ),
    );
  });
});

test('toSections groups the slices of a text so that no section has too many lines', () => {
  const slices: TextSlice[] = [3, 4, 5, 20, 1].map((rows, start) => ({ start, end: start + 1, rows }));

  expect(toSections(slices, 8)).toEqual([
    { from: 0, to: 2, rowsBefore: 0, rows: 7 },
    { from: 2, to: 3, rowsBefore: 7, rows: 5 },
    { from: 3, to: 4, rowsBefore: 12, rows: 20 },
    { from: 4, to: 5, rowsBefore: 32, rows: 1 },
  ]);
  expect(toSections([], 8)).toEqual([]);
});
