import { defineEnvironment, ToolError } from 'ors-kit';
import { z } from 'zod';
import { tasks } from './tasks.ts';

const MAX_GUESSES = 3;
const MAX_HINTS = 2;

export default defineEnvironment({
  name: 'anagrams',
  description: 'Find the word with the given letters.',

  // Agents train on `train` and are evaluated on `test`. A split can also be a function, or create tasks by index.
  splits: tasks,
  // Infers the type of `task` below, and validates tasks from clients.
  task: z.object({ letters: z.string(), word: z.string() }),
  // Clients can list every field of a task unless this filters it. Never include the answer.
  publicTask: ({ letters }) => ({ letters }),

  // Creates the state of an episode, which tools can change.
  setup: () => ({ guesses: 0, hints: 0 }),
  prompt: ({ task }) =>
    `Which English word has exactly the letters ${[...task.letters].join(' ')}?\n\n` +
    `Call \`guess\` with it: you have ${MAX_GUESSES} guesses, and an early one earns more. ` +
    'Call `hint` for the next letter of the word; a hint costs as much as a wrong guess.',

  tools: {
    guess: {
      description: 'Guess the word. A correct guess ends the episode, and so does the last wrong one.',
      input: z.object({ word: z.string().describe('One word that uses all letters') }),
      run: ({ input, task, state }) => {
        const word = input.word.trim().toLowerCase();
        // A ToolError is for a failure that the agent can handle: it receives the message, and the episode continues.
        if ([...word].sort().join() !== [...task.letters].sort().join()) {
          throw new ToolError(
            `'${word}' does not use exactly the letters ${task.letters}; it does not count as a guess`,
          );
        }
        state.guesses += 1;
        if (word === task.word) return { text: 'Correct.', reward: 1 / (state.guesses + state.hints), finished: true };
        const left = MAX_GUESSES - state.guesses;
        if (left === 0) return { text: 'Wrong. That was the last guess.', reward: 0, finished: true };
        // No reward for this step: only the end of the episode counts.
        return { text: `Wrong. Guesses left: ${left}.` };
      },
    },
    hint: {
      description: 'Reveal the next letter of the word.',
      run: ({ task, state }) => {
        if (state.hints === MAX_HINTS) throw new ToolError('no hints left: make a guess');
        state.hints += 1;
        return { text: `The word starts with '${task.word.slice(0, state.hints)}'.` };
      },
    },
  },

  // The highest possible reward, which `solve` must reach. `ors validate` checks it.
  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('guess', { word: task.word });
  },
});
