import { defineEnvironment, ToolError } from 'ors-kit';
import { z } from 'zod';
import { tasks } from './tasks.ts';

const MOST_TRIES = 3;
const MOST_HINTS = 2;

export default defineEnvironment({
  name: 'anagrams',
  description: 'Find the word that some letters make.',

  // Agents learn on `train` and are measured on `test`. A split may also be a function, or tasks made by number.
  splits: tasks,
  // Types `task` everywhere below, and checks tasks that players send.
  task: z.object({ letters: z.string(), word: z.string() }),
  // Whatever is in a task players can list, unless this says what they see of it: never the answer.
  publicTask: ({ letters }) => ({ letters }),

  // The state of one episode; tools may change it.
  setup: () => ({ tries: 0, hints: 0 }),
  prompt: ({ task }) =>
    `Which English word is made of all of the letters ${[...task.letters].join(' ')}?\n\n` +
    `Call \`guess\` with it: you have ${MOST_TRIES} tries, and the first is worth the most. ` +
    'Call `hint` for the next letter of the word; a hint costs as much as a wrong try.',

  tools: {
    guess: {
      description: 'Guess the word. A right guess ends the episode, and so does the last wrong one.',
      input: z.object({ word: z.string().describe('One word of all the letters') }),
      run: ({ input, task, state }) => {
        const word = input.word.trim().toLowerCase();
        // A ToolError is for what the player can mend: it reads the message, and goes on.
        if ([...word].sort().join() !== [...task.letters].sort().join()) {
          throw new ToolError(`that is not made of all of the letters ${task.letters}; it did not count as a try`);
        }
        state.tries += 1;
        if (word === task.word) return { text: 'Right.', reward: 1 / (state.tries + state.hints), finished: true };
        const left = MOST_TRIES - state.tries;
        if (left === 0) return { text: 'Wrong. That was the last try.', reward: 0, finished: true };
        // Without a reward in the middle: the end decides.
        return { text: `Wrong. Tries left: ${left}.` };
      },
    },
    hint: {
      description: 'Tell the next letter of the word, from its beginning.',
      run: ({ task, state }) => {
        if (state.hints === MOST_HINTS) throw new ToolError('there are no more hints; guess');
        state.hints += 1;
        return { text: `The word begins with '${task.word.slice(0, state.hints)}'.` };
      },
    },
  },

  // What `solve` must reach, and nobody may exceed: `ors validate` plays both.
  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('guess', { word: task.word });
  },
});
