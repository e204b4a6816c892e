// Sums to solve, with a calculator and, where the task has one, a hint.

const NUMBERS = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};

const text = (value) => ({ blocks: [{ type: 'text', text: String(value) }] });

function taskOf(split, index) {
  const [a, b] = [(index * 7) % 23, (index * 5 + 3) % 19];
  const task =
    index % 2 === 0
      ? { id: `${split}-${index}`, question: `What is ${a} + ${b}?`, answer: a + b }
      : { id: `${split}-${index}`, question: `What is ${a} * ${b}?`, answer: a * b };
  return index % 5 === 0 ? { ...task, hint: `It is between ${task.answer - 2} and ${task.answer + 3}.` } : task;
}

const tasksOf = (split, length) => Array.from({ length }, (_, index) => taskOf(split, index));

class Exercise {
  constructor(task) {
    this.task = task;
  }

  setup() {
    const { question, answer } = this.task;
    if (typeof question !== 'string' || !Number.isFinite(answer)) {
      throw new Error('A task needs a question and an answer that is a number');
    }
  }

  prompt() {
    return text(this.task.question).blocks;
  }
}

function submit({ task }, { answer }) {
  const right = answer === task.answer;
  const verdict = right ? `Correct! The answer is ${answer}.` : `Incorrect. The answer is ${task.answer}.`;
  return { ...text(verdict), reward: right ? 1 : 0, finished: true };
}

export const arithmetic = {
  name: 'arithmetic',
  splits: [
    { name: 'train', type: 'train', tasks: tasksOf('train', 50) },
    { name: 'test', type: 'test', tasks: tasksOf('test', 10) },
  ],
  tools: [
    { name: 'add', description: 'Add two numbers.', input_schema: NUMBERS, run: (_, { a, b }) => text(a + b) },
    {
      name: 'multiply',
      description: 'Multiply two numbers.',
      input_schema: NUMBERS,
      run: (_, { a, b }) => text(a * b),
    },
    {
      name: 'submit',
      description: 'Submit the answer to the question. This ends the episode; the right answer is rewarded with 1.',
      input_schema: { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] },
      run: submit,
    },
    {
      name: 'hint',
      description: 'Get a hint for this question.',
      input_schema: null,
      onlyFor: (task) => typeof task.hint === 'string',
      run: ({ task }) => text(task.hint),
    },
  ],
  createEpisode: (task) => new Exercise(task),
};
