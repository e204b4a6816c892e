import { seededRandom, takeOne } from '../random.ts';

/** The position of a cell: row 0 is in the north, column 0 in the west. */
export type Cell = { row: number; column: number };
export type Direction = 'north' | 'east' | 'south' | 'west';

/** A square of cells with walls between them. Every cell is reachable from every other. */
export type Maze = { size: number; start: Cell; exit: Cell; doors: ReadonlySet<string> };

export const directions: readonly Direction[] = ['north', 'east', 'south', 'west'];

/** Creates a maze from a seed: a random spanning tree, with a few more doors for detours. */
export function createMaze(seed: number, size: number): Maze {
  const random = seededRandom(seed, size);
  const start = { row: 0, column: 0 };
  const doors = new Set<string>();
  const reached = new Set([keyOf(start)]);
  const path: Cell[] = [start];

  for (let here = path.at(-1); here; here = path.at(-1)) {
    const from = here;
    const neighbours = directions.map((direction) => neighbour(from, direction));
    const unvisited = neighbours.filter((cell) => isInside(size, cell) && !reached.has(keyOf(cell)));
    if (unvisited.length === 0) {
      path.pop();
      continue;
    }
    const next = takeOne(random, unvisited);
    doors.add(doorBetween(from, next));
    reached.add(keyOf(next));
    path.push(next);
  }
  for (let detours = Math.floor(size / 3); detours > 0; detours--) {
    const cell = { row: random(size - 1), column: random(size - 1) };
    doors.add(doorBetween(cell, neighbour(cell, random(2) === 0 ? 'east' : 'south')));
  }

  const maze = { size, start, exit: start, doors };
  return { ...maze, exit: farthestFrom(start, maze) };
}

/** Checks for a passage from the cell to its neighbour in this direction. */
export function isOpen(maze: Maze, cell: Cell, direction: Direction): boolean {
  return maze.doors.has(doorBetween(cell, neighbour(cell, direction)));
}

/** Finds a shortest path from the cell to the exit. */
export function pathToExit(maze: Maze, cell: Cell): Direction[] {
  const distances = distancesFrom(maze.exit, maze);
  const path: Direction[] = [];
  for (let here = cell; !sameCell(here, maze.exit); ) {
    const left = distances.get(keyOf(here)) ?? 0;
    const next = directions.find(
      (direction) => isOpen(maze, here, direction) && distances.get(keyOf(neighbour(here, direction))) === left - 1,
    );
    if (!next) throw new Error(`no path from row ${cell.row}, column ${cell.column} to the exit`);
    path.push(next);
    here = neighbour(here, next);
  }
  return path;
}

/** The neighbour of a cell, which may be outside the maze. */
export function neighbour({ row, column }: Cell, direction: Direction): Cell {
  switch (direction) {
    case 'north':
      return { row: row - 1, column };
    case 'east':
      return { row, column: column + 1 };
    case 'south':
      return { row: row + 1, column };
    case 'west':
      return { row, column: column - 1 };
  }
}

export const sameCell = (one: Cell, other: Cell): boolean => keyOf(one) === keyOf(other);

/** Computes the distance from the cell to every reachable cell, nearest first (breadth-first search). */
function distancesFrom(cell: Cell, maze: Maze): Map<string, number> {
  const distances = new Map([[keyOf(cell), 0]]);
  const queue = [cell];
  for (const here of queue) {
    for (const direction of directions) {
      const next = neighbour(here, direction);
      if (!isOpen(maze, here, direction) || distances.has(keyOf(next))) continue;
      distances.set(keyOf(next), (distances.get(keyOf(here)) ?? 0) + 1);
      queue.push(next);
    }
  }
  return distances;
}

function farthestFrom(cell: Cell, maze: Maze): Cell {
  const [row = 0, column = 0] = ([...distancesFrom(cell, maze).keys()].at(-1) ?? '').split(',').map(Number);
  return { row, column };
}

const isInside = (size: number, { row, column }: Cell) => row >= 0 && column >= 0 && row < size && column < size;
const keyOf = ({ row, column }: Cell) => `${row},${column}`;
const doorBetween = (one: Cell, other: Cell) => [keyOf(one), keyOf(other)].sort().join(' ');
