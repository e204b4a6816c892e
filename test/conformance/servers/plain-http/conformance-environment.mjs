// The environment `conformance`: tools that test how a server handles state, failures and unusual outputs.
//
// An environment has splits with their tasks, tools, and `createEpisode(task, secrets)`. A tool returns an output, or
// `{ error }` for a failure that the agent can handle. With `onlyFor` it is a task tool of the matching tasks.

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';
const IMAGE_METADATA = { unicode: 'snow ☃ and 😀', deep: { list: [1, 2.5, null, true, { empty: [] }] } };

const PATTERNS = {
  ascii: 'abcdefghijklmnopqrstuvwxyz0123456789',
  spaces: ' ',
  prose: 'The quick brown fox jumps over the lazy dog. ',
  emoji: '\u{1f600}',
  mixed: 'a\u00e9\u2603\u{1f600}\u00a0\u3000 \n',
};

const ODD_TEXTS = {
  nul: 'a\u0000b',
  separators: 'a\u2028b\u2029c',
  crlf: 'a\r\nb\rc\n',
  surrogate: 'a\ud800b',
};

const isText = (value) => typeof value === 'string';
const textBlock = (text) => ({ type: 'text', text });
const imageBlock = () => ({ type: 'image', data: PIXEL, mimeType: 'image/png' });
const textOutput = (text, rest) => ({ blocks: [textBlock(text)], ...rest });

const BAD_OUTPUTS = {
  no_blocks: { blocks: [] },
  nan_reward: textOutput('bad', { reward: Number.NaN }),
  infinite_reward: textOutput('bad', { reward: Number.POSITIVE_INFINITY }),
  text_reward: textOutput('bad', { reward: '1' }),
  unknown_block: { blocks: [{ type: 'audio', text: 'bad' }] },
  no_text: { blocks: [{ type: 'text' }] },
};

const STRING = { type: 'string' };
const NONE = { type: 'object', properties: {} };

function parameters(properties, optional = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

const COORDINATE = { type: 'number', minimum: 0, maximum: 10 };
const NESTED = {
  type: 'object',
  properties: {
    mode: { enum: ['fast', 'slow'] },
    point: {
      type: 'object',
      properties: { x: COORDINATE, y: COORDINATE },
      required: ['x', 'y'],
      additionalProperties: false,
    },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    level: { type: 'integer', minimum: 1, maximum: 5 },
  },
  required: ['mode', 'point'],
};

/** Numbers of setups and teardowns since the start of the server, by the key of the task. */
const lifecycles = new Map();

function lifecycleOf(key) {
  if (!lifecycles.has(key)) lifecycles.set(key, { setups: 0, teardowns: 0 });
  return lifecycles.get(key);
}

class Episode {
  counter = 0;
  runs = new Map();

  constructor(task, secrets) {
    this.task = task;
    this.secrets = secrets;
    this.id = isText(task.id) ? task.id : 'inline';
  }

  async setup(signal) {
    const { key, setup_ms, setup_fail } = this.task;
    if (isText(key)) lifecycleOf(key).setups += 1;
    if (setup_ms > 0) await delay(setup_ms, undefined, { signal });
    if (isText(setup_fail)) throw new Error(setup_fail);
  }

  prompt() {
    const { prompt_fail, prompt_image } = this.task;
    if (isText(prompt_fail)) throw new Error(prompt_fail);
    const first = textBlock(`Conformance task ${this.id}.`);
    if (prompt_image !== true) return [first];
    return [first, { ...imageBlock(), detail: { alt: 'a point' } }, textBlock('Look.')];
  }

  teardown() {
    const { key } = this.task;
    if (!isText(key)) return;
    lifecycleOf(key).teardowns += 1;
    console.error(`conformance: teardown ${key}`);
  }

  began(tool) {
    this.runs.set(tool, (this.runs.get(tool) ?? 0) + 1);
  }
}

function bigText({ characters, pattern }) {
  const points = [...PATTERNS[pattern]];
  const whole = Math.floor(characters / points.length);
  return PATTERNS[pattern].repeat(whole) + points.slice(0, characters % points.length).join('');
}

function block({ ms }) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return textOutput('blocked');
}

function secretDigest({ secrets }, { name }) {
  const found = Object.hasOwn(secrets, name);
  return textOutput(found ? createHash('sha256').update(secrets[name], 'utf8').digest('hex') : 'none');
}

const TOOLS = {
  echo: {
    description: 'Returns the text, with the metadata.',
    input_schema: parameters({ text: STRING, metadata: { type: 'object' } }, ['metadata']),
    run: (_, { text, metadata }) => textOutput(text, { metadata }),
  },
  count: {
    description: 'Adds to the counter of the episode, and returns it.',
    input_schema: parameters({ by: { type: 'integer', default: 1 } }, ['by']),
    run: (episode, { by = 1 }) => {
      episode.counter += by;
      return textOutput(String(episode.counter));
    },
  },
  runs: {
    description: 'Gives how often a tool has begun to run in this episode.',
    input_schema: parameters({ tool: STRING }),
    run: (episode, { tool }) => textOutput(String(episode.runs.get(tool) ?? 0)),
  },
  sleep: {
    description: 'Waits without holding the server up.',
    input_schema: parameters({ ms: { type: 'integer', minimum: 0, maximum: 3_600_000 } }),
    run: async (_, { ms }, signal) => {
      await delay(ms, undefined, { signal });
      return textOutput('slept');
    },
  },
  block: {
    description: 'Holds its thread, as a badly written tool does.',
    input_schema: parameters({ ms: { type: 'integer', minimum: 0, maximum: 60_000 } }),
    run: (_, input) => block(input),
  },
  big: {
    description: 'Returns a text with exactly this number of code points.',
    input_schema: parameters({
      characters: { type: 'integer', minimum: 1, maximum: 20_000_000 },
      pattern: { type: 'string', enum: Object.keys(PATTERNS) },
    }),
    run: (_, input) => textOutput(bigText(input)),
  },
  odd_text: {
    description: 'Returns a text with unusual characters.',
    input_schema: parameters({ kind: { type: 'string', enum: Object.keys(ODD_TEXTS) } }),
    run: (_, { kind }) => textOutput(ODD_TEXTS[kind]),
  },
  image: {
    description: 'Returns an image between two texts.',
    input_schema: NONE,
    run: () => ({ blocks: [textBlock('before'), imageBlock(), textBlock('after')], metadata: IMAGE_METADATA }),
  },
  fail: {
    description: 'Reports a failure that the player can mend.',
    input_schema: parameters({ message: { type: 'string', default: 'It failed.' } }, ['message']),
    run: (_, { message = 'It failed.' }) => ({ error: message }),
  },
  crash: {
    description: 'Throws an unexpected error.',
    input_schema: parameters({ message: { type: 'string', default: 'It crashed.' } }, ['message']),
    run: (_, { message = 'It crashed.' }) => {
      throw new Error(message);
    },
  },
  cancel: {
    description: 'Ends as a task does that was cancelled.',
    input_schema: NONE,
    run: () => {
      throw new DOMException('The task was cancelled', 'AbortError');
    },
  },
  reward: {
    description: 'Returns the given reward.',
    input_schema: parameters({ value: { type: ['number', 'null'] } }),
    run: (_, { value }) => textOutput('rewarded', { reward: value }),
  },
  finish: {
    description: 'Ends the episode with a reward of 1.',
    input_schema: NONE,
    run: () => textOutput('done', { reward: 1, finished: true }),
  },
  noargs: {
    description: 'Takes no parameters at all.',
    input_schema: null,
    run: () => textOutput('ran'),
  },
  nested: {
    description: 'Returns its nested parameters as metadata.',
    input_schema: NESTED,
    run: (_, input) => textOutput('nested', { metadata: { input } }),
  },
  show_task: {
    description: 'Returns the id of the task, and the complete task as metadata.',
    input_schema: NONE,
    run: ({ id, task }) => textOutput(id, { metadata: { task } }),
  },
  secret_digest: {
    description: 'Returns the SHA-256 of a secret.',
    input_schema: parameters({ name: STRING }),
    run: secretDigest,
  },
  bad_output: {
    description: 'Returns what no server may pass on.',
    input_schema: parameters({ kind: { type: 'string', enum: Object.keys(BAD_OUTPUTS) } }),
    run: (_, { kind }) => BAD_OUTPUTS[kind],
  },
  lifecycle: {
    description: 'Gives how often episodes with this key were set up and torn down.',
    input_schema: parameters({ key: STRING }),
    run: (_, { key }) => textOutput('counted', { metadata: lifecycles.get(key) ?? { setups: 0, teardowns: 0 } }),
  },
  only_here: {
    description: 'A tool of the task.',
    input_schema: NONE,
    onlyFor: () => true,
    run: () => textOutput('here'),
  },
};

function toolOf([name, tool]) {
  const run = (episode, input, signal) => {
    episode.began(name);
    return tool.run(episode, input, signal);
  };
  return { name, ...tool, run };
}

const tasksOf = (split, length, rest) => Array.from({ length }, (_, index) => ({ id: `${split}-${index}`, ...rest }));

export const conformance = {
  name: 'conformance',
  splits: [
    { name: 'train', type: 'train', tasks: tasksOf('train', 3) },
    { name: 'test', type: 'test', tasks: [] },
    { name: 'hard', tasks: tasksOf('hard', 5, { extra: { list: [1, 2.5, null, true, 'snow ☃'] } }) },
  ],
  tools: Object.entries(TOOLS).map(toolOf),
  createEpisode: (task, secrets) => new Episode(task, secrets),
};
