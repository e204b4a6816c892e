import { defineEnvironment, defineTool, image, text } from 'ors-kit';
import { z } from 'zod';
import { drawMaze } from './draw.ts';
import {
  type Cell,
  type Direction,
  directions,
  isOpen,
  type Maze,
  makeMaze,
  neighbour,
  sameCell,
  wayOut,
} from './maze.ts';

type State = { maze: Maze; walked: Cell[] };
type Task = { seed: number; size: number; compass: boolean };

/** Find the way out of a maze that you see from above; some tasks come with a compass. */
export default defineEnvironment({
  name: 'maze',
  description: 'Walk to the exit of a maze, with pictures and a reward for every step nearer.',

  // A task is its number, so none is kept in memory: count and get are enough.
  splits: {
    train: { count: 1_000, get: (index) => taskOf(index, 0) },
    test: { count: 100, get: (index) => taskOf(index, 1_000_000) },
  },
  task: z.object({ seed: z.int().min(0), size: z.int().min(2).max(20), compass: z.boolean() }),

  setup: ({ task }): State => {
    const maze = makeMaze(task.seed, task.size);
    return { maze, walked: [maze.start] };
  },
  prompt: ({ state }) => [
    text(
      'Walk to the exit of this maze. Dark lines are walls, the red disc is you, the green square with the flag is ' +
        'the exit, and the orange line shows where you have walked. North is up. Every step that brings you nearer ' +
        `to the exit is rewarded.\n\n${describe(state)}`,
    ),
    image(drawMaze(state.maze, state.walked), 'image/png'),
  ],

  tools: {
    move: {
      description: 'Walk some steps in one direction. You stop at a wall and at the exit, which ends the episode.',
      input: z.object({
        direction: z.enum(['north', 'east', 'south', 'west']),
        steps: z.int().min(1).max(20).default(1),
      }),
      run: ({ input, state }) => {
        const { maze, walked } = state;
        const before = distanceLeft(state);
        const steps = walk(state, input.direction, input.steps);
        const after = distanceLeft(state);
        return {
          blocks: [
            text(`${account(input.direction, steps, input.steps, after === 0)}\n${describe(state)}`),
            image(drawMaze(maze, walked), 'image/png'),
          ],
          // The part of the way that these steps have saved: the sum up to the exit is 1, whatever the detours.
          reward: (before - after) / wayOut(maze, maze.start).length,
          finished: after === 0,
        };
      },
    },
  },
  taskTools: ({ task, state }) => {
    if (!task.compass) return {};
    const compass = defineTool({
      description: 'Names the direction of the next step on a shortest way to the exit.',
      run: () => ({ text: wayOut(state.maze, here(state))[0] ?? 'You are at the exit.', reward: 0 }),
    });
    return { compass };
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    const maze = makeMaze(task.seed, task.size);
    for (const direction of wayOut(maze, maze.start)) await call('move', { direction });
  },
});

/** The mazes grow from 4 x 4 to 11 x 11 and begin again; every second task has a compass. */
function taskOf(index: number, firstSeed: number): Task {
  return { seed: firstSeed + index, size: 4 + (Math.floor(index / 2) % 8), compass: index % 2 === 0 };
}

/** Walks up to so many steps; returns how many it could. */
function walk({ maze, walked }: State, direction: Direction, steps: number): number {
  for (let step = 0; step < steps; step++) {
    const cell = here({ maze, walked });
    if (!isOpen(maze, cell, direction) || sameCell(cell, maze.exit)) return step;
    walked.push(neighbour(cell, direction));
  }
  return steps;
}

const here = ({ maze, walked }: State): Cell => walked.at(-1) ?? maze.start;
const distanceLeft = (state: State): number => wayOut(state.maze, here(state)).length;
const place = ({ row, column }: Cell) => `row ${row + 1}, column ${column + 1}`;

function account(direction: Direction, steps: number, wanted: number, isOut: boolean): string {
  if (steps === 0) return `There is a wall to the ${direction}: you have not moved.`;
  const moved = `You walked ${steps} ${steps === 1 ? 'step' : 'steps'} ${direction}`;
  if (isOut) return `${moved} and reached the exit!`;
  return steps < wanted ? `${moved}, up to a wall.` : `${moved}.`;
}

function describe(state: State): string {
  const open = directions.filter((direction) => isOpen(state.maze, here(state), direction));
  return `You are at ${place(here(state))}; the exit is at ${place(state.maze.exit)}. Open: ${open.join(', ')}.`;
}
