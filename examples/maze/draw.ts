import { type Canvas, type Colour, createCanvas, type Point } from './canvas.ts';
import { type Cell, directions, isOpen, type Maze } from './maze.ts';

const paper: Colour = [250, 247, 240];
const floor: Colour = [241, 235, 223];
const wall: Colour = [47, 53, 66];
const trail: Colour = [244, 162, 97];
const player: Colour = [214, 72, 62];
const exit: Colour = [42, 157, 113];
const white: Colour = [255, 255, 255];

/** Minimum side of the image in pixels; small mazes have larger cells. */
const MIN_SIDE = 400;
const margin = 24;

/**
 * Draws the maze from above as a PNG: dark walls, an orange line for the path so far, the player in red, the exit in
 * green.
 */
export function drawMaze(maze: Maze, walked: readonly Cell[]): Uint8Array {
  const scale = Math.max(32, Math.ceil((MIN_SIDE - 2 * margin) / maze.size));
  const side = 2 * margin + maze.size * scale;
  const canvas = createCanvas(side, side, paper);
  const centre = ({ row, column }: Cell): Point => [margin + (column + 0.5) * scale, margin + (row + 0.5) * scale];

  for (const cell of cellsOf(maze)) canvas.box(centre(cell), scale * 0.94, scale * 0.94, scale * 0.12, floor);
  canvas.box(centre(maze.exit), scale * 0.94, scale * 0.94, scale * 0.12, exit);
  drawTrail(canvas, walked.map(centre), scale);
  for (const cell of cellsOf(maze)) drawWalls(canvas, maze, cell, centre(cell), scale);
  drawExit(canvas, centre(maze.exit), scale);
  drawPlayer(canvas, centre(walked.at(-1) ?? maze.start), scale);
  return canvas.png();
}

function cellsOf({ size }: Maze): Cell[] {
  return Array.from({ length: size * size }, (_, index) => ({ row: Math.floor(index / size), column: index % size }));
}

function drawTrail(canvas: Canvas, points: readonly Point[], scale: number): void {
  for (const [index, point] of points.entries()) canvas.line(points[index - 1] ?? point, point, scale * 0.16, trail);
  const first = points[0];
  if (first) canvas.line(first, first, scale * 0.3, trail);
}

function drawWalls(canvas: Canvas, maze: Maze, cell: Cell, [x, y]: Point, scale: number): void {
  const half = scale / 2;
  for (const direction of directions) {
    if (isOpen(maze, cell, direction)) continue;
    const alongRow = direction === 'north' || direction === 'south';
    const side = direction === 'south' || direction === 'east' ? half : -half;
    const [from, to]: [Point, Point] = alongRow
      ? [
          [x - half, y + side],
          [x + half, y + side],
        ]
      : [
          [x + side, y - half],
          [x + side, y + half],
        ];
    canvas.line(from, to, scale * 0.11, wall);
  }
}

/** A white flag on the green tile. */
function drawExit(canvas: Canvas, [x, y]: Point, scale: number): void {
  const left = x - scale * 0.15;
  canvas.line([left, y - scale * 0.24], [left, y + scale * 0.24], scale * 0.06, white);
  canvas.box([left + scale * 0.17, y - scale * 0.13], scale * 0.34, scale * 0.24, scale * 0.04, white);
}

function drawPlayer(canvas: Canvas, at: Point, scale: number): void {
  canvas.line(at, at, scale * 0.58, wall, 0.18);
  canvas.line(at, at, scale * 0.52, white);
  canvas.line(at, at, scale * 0.42, player);
}
