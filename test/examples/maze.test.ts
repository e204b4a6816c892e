import { expect, test } from '@jest/globals';
import { play } from 'ors-kit/testing';
import { PNG } from 'pngjs';
import { drawMaze } from '../../examples/maze/draw.ts';
import environment from '../../examples/maze/environment.ts';
import {
  createMaze,
  directions,
  isOpen,
  type Maze,
  neighbour,
  pathToExit,
  sameCell,
} from '../../examples/maze/maze.ts';
import fc, { runs } from '../support/fast-check.ts';

const mazes = fc
  .record({ seed: fc.nat(), size: fc.integer({ min: 2, max: 20 }) })
  .map(({ seed, size }) => createMaze(seed, size));

test('every maze has a way out from each of its cells, and no wall on it', () => {
  fc.assert(
    fc.property(mazes, fc.nat(), fc.nat(), (maze, row, column) => {
      let cell = { row: row % maze.size, column: column % maze.size };

      for (const direction of pathToExit(maze, cell)) {
        expect(isOpen(maze, cell, direction)).toBe(true);
        cell = neighbour(cell, direction);
      }

      expect(cell).toEqual(maze.exit);
    }),
    { numRuns: runs(60) },
  );
});

test('nothing leads out of a maze but its exit', () => {
  fc.assert(
    fc.property(mazes, (maze) => {
      for (let place = 0; place < maze.size; place++) {
        expect(isOpen(maze, { row: 0, column: place }, 'north')).toBe(false);
        expect(isOpen(maze, { row: maze.size - 1, column: place }, 'south')).toBe(false);
        expect(isOpen(maze, { row: place, column: 0 }, 'west')).toBe(false);
        expect(isOpen(maze, { row: place, column: maze.size - 1 }, 'east')).toBe(false);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('the way out is a shortest one: no neighbour is nearer by more than a step', () => {
  fc.assert(
    fc.property(mazes, (maze) => {
      const length = pathToExit(maze, maze.start).length;

      expect(sameCell(maze.start, maze.exit)).toBe(false);
      for (const direction of directions.filter((direction) => isOpen(maze, maze.start, direction))) {
        expect(Math.abs(pathToExit(maze, neighbour(maze.start, direction)).length - length)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('a maze depends on its seed and size alone', () => {
  expect(createMaze(7, 9)).toEqual(createMaze(7, 9));
  expect(createMaze(7, 9)).not.toEqual(createMaze(8, 9));
});

test.each([2, 5, 20])('the picture of a maze of size %i shows the exit in green and you in red', (size) => {
  const maze = createMaze(1, size);

  const bytes = drawMaze(maze, [maze.start]);

  const picture = PNG.sync.read(Buffer.from(bytes));
  expect(picture.width).toBe(picture.height);
  expect(picture.width).toBeGreaterThanOrEqual(256);
  expect(colourAt(picture, maze, maze.start)).toEqual([214, 72, 62]);
  expect(colourAt(picture, maze, maze.exit, 0.3)).toEqual([42, 157, 113]);
});

test('a task of a maze too large to draw is refused', async () => {
  await expect(play(environment, { task: { seed: 1, size: 21, compass: true } })).rejects.toThrow('size');
});

test('many steps at once end at a wall, one is the default, and the rewards of all of them add up to 1', async () => {
  const task = { seed: 11, size: 6, compass: false };
  const maze = createMaze(task.seed, task.size);
  await using episode = await play(environment, { task });

  let [sum, cell, last] = [0, maze.start, await episode.call('move', { direction: 'west' })];
  for (let way = pathToExit(maze, cell); way[0]; way = pathToExit(maze, cell)) {
    const [direction] = way;
    const steps = way.findIndex((other) => other !== direction);
    last = await episode.call('move', steps === 1 ? { direction } : { direction, steps: steps < 0 ? 20 : steps });
    sum += last.reward ?? 0;
    for (const step of way.slice(0, steps < 0 ? way.length : steps)) cell = neighbour(cell, step);
  }

  expect(last).toMatchObject({ finished: true, text: expect.stringContaining('reached the exit!') });
  expect(sum).toBeCloseTo(1, 9);
});

/** The colour in a cell's middle, or a part of a cell below it. */
function colourAt(picture: PNG, maze: Maze, cell: { row: number; column: number }, below = 0): number[] {
  const scale = (picture.width - 48) / maze.size;
  const [x, y] = [24 + (cell.column + 0.5) * scale, 24 + (cell.row + 0.5 + below) * scale].map(Math.floor);
  const byte = ((y ?? 0) * picture.width + (x ?? 0)) * 4;
  return [...picture.data.subarray(byte, byte + 3)];
}
