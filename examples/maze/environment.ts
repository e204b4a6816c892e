import { defineEnvironment, defineTool, image, text } from 'ors-kit';
import { z } from 'zod';
import { drawMaze } from './draw.ts';
import {
  type Cell,
  createMaze,
  type Direction,
  directions,
  isOpen,
  type Maze,
  neighbour,
  pathToExit,
  sameCell,
} from './maze.ts';

type State = { maze: Maze; walked: Cell[] };
type Task = { seed: number; size: number; compass: boolean };

/** Find the way out of a maze, seen from above. Some tasks have a compass. */
export default defineEnvironment({
  name: 'maze',
  description: 'Walk to the exit of a maze, with images and a reward for each step towards it.',

  // Tasks are computed from their index, so that none is kept in memory.
  splits: {
    train: { count: 1_000, get: (index) => taskOf(index, 0) },
    test: { count: 100, get: (index) => taskOf(index, 1_000_000) },
  },
  task: z.object({ seed: z.int().min(0), size: z.int().min(2).max(20), compass: z.boolean() }),

  // Nothing here differs between two runs, so an episode can come back from a journal.
  durability: 'replay',
  setup: ({ task }): State => {
    const maze = createMaze(task.seed, task.size);
    return { maze, walked: [maze.start] };
  },
  prompt: ({ state }) => [
    text(
      'Walk to the exit of this maze. Dark lines are walls, the red disc is you, the green square with the flag is ' +
        'the exit, and the orange line shows where you have walked. North is up. Each step towards the exit ' +
        `is rewarded.\n\n${positionText(state)}`,
    ),
    image(drawMaze(state.maze, state.walked), 'image/png'),
  ],

  tools: {
    move: {
      description: 'Walk some steps in one direction. You stop at a wall and at the exit, which ends the episode.',
      input: z.object({
        direction: z.enum(['north', 'east', 'south', 'west']).describe('Where to walk.'),
        steps: z.int().min(1).max(20).default(1).describe('How far to walk.'),
      }),
      run: ({ input, state }) => {
        const { maze, walked } = state;
        const before = distanceLeft(state);
        const steps = walk(state, input.direction, input.steps);
        const after = distanceLeft(state);
        return {
          blocks: [
            text(`${moveText(input.direction, steps, input.steps, after === 0)}\n${positionText(state)}`),
            image(drawMaze(maze, walked), 'image/png'),
          ],
          // The share of the path that these steps cover: the sum up to the exit is 1, with or without detours.
          reward: (before - after) / pathToExit(maze, maze.start).length,
          finished: after === 0,
        };
      },
    },
  },
  taskTools: ({ task, state }) => {
    if (!task.compass) return {};
    const compass = defineTool({
      description: 'Returns the direction of the next step on a shortest path to the exit.',
      run: () => ({ text: pathToExit(state.maze, currentCell(state))[0] ?? 'You are at the exit.', reward: 0 }),
    });
    return { compass };
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    const maze = createMaze(task.seed, task.size);
    for (const direction of pathToExit(maze, maze.start)) await call('move', { direction });
  },
});

/** Maze sizes cycle from 4 x 4 to 11 x 11; every second task has a compass. */
function taskOf(index: number, firstSeed: number): Task {
  return { seed: firstSeed + index, size: 4 + (Math.floor(index / 2) % 8), compass: index % 2 === 0 };
}

/** Walks up to `steps` steps. @returns the number of steps before a wall or the exit. */
function walk({ maze, walked }: State, direction: Direction, steps: number): number {
  for (let step = 0; step < steps; step++) {
    const cell = currentCell({ maze, walked });
    if (!isOpen(maze, cell, direction) || sameCell(cell, maze.exit)) return step;
    walked.push(neighbour(cell, direction));
  }
  return steps;
}

const currentCell = ({ maze, walked }: State): Cell => walked.at(-1) ?? maze.start;
const distanceLeft = (state: State): number => pathToExit(state.maze, currentCell(state)).length;
const cellText = ({ row, column }: Cell) => `row ${row + 1}, column ${column + 1}`;

function moveText(direction: Direction, steps: number, wanted: number, isAtExit: boolean): string {
  if (steps === 0) return `There is a wall to the ${direction}: you have not moved.`;
  const moved = `You walked ${steps} ${steps === 1 ? 'step' : 'steps'} ${direction}`;
  if (isAtExit) return `${moved} and reached the exit!`;
  return steps < wanted ? `${moved}, up to a wall.` : `${moved}.`;
}

function positionText(state: State): string {
  const open = directions.filter((direction) => isOpen(state.maze, currentCell(state), direction));
  return `You are at ${cellText(currentCell(state))}; the exit is at ${cellText(state.maze.exit)}. Open: ${open.join(', ')}.`;
}
