import { type Random, seededRandom, takeOne } from '../../../examples/random.ts';

/**
 * JSON value of a script. An object with one of these keys is a placeholder, which the player replaces:
 * `{ seen }` by the last match of the pattern's group in the texts that the model has seen so far,
 * `{ replies }` by the number of messages of an assistant in the conversation with which the episode began,
 * `{ image }` by the SHA-256 of the last image that the model has seen, as Base64.
 * In the first two, `text` is a template for the found text (`%`), and `number` makes it a number.
 */
type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

/** Response of the scripted model. Without calls it is the last one. */
export interface Turn {
  /** Parts of its text. */
  readonly text: readonly Value[];
  readonly calls: readonly Call[];
  readonly reasoning?: string;
}

interface Call {
  readonly name: string;
  readonly input: { readonly [key: string]: Value };
}

export interface Task {
  readonly spec: { readonly [key: string]: Value };
  /** A script for each episode of the task. */
  readonly samples: readonly (readonly Turn[])[];
}

/** File that the servers read for their tasks, and both players for their turns. */
export interface Episodes {
  readonly max_turns: number;
  /** Tasks by lower-case environment name. */
  readonly environments: Readonly<Record<string, readonly Task[]>>;
}

export const MAX_TURNS = 6;

/** Creates the tasks and episodes of every environment: 100 episodes each, which depend only on the seed. */
export function createEpisodes(seed: number, episodes = 100): Episodes {
  const environments = Object.entries(creators).map(([name, { samples = 1, create }], at) => {
    const tasks = Array.from({ length: episodes / samples }, (_, index) => {
      const random = seededRandom(seed, at, index);
      return create(random, index);
    });
    return [name, tasks] as const;
  });
  return { max_turns: MAX_TURNS, environments: Object.fromEntries(environments) };
}

interface Creator {
  /** Episodes per task. @default 1 */
  readonly samples?: number;
  readonly create: (random: Random, index: number) => Task;
}

const says = (...text: readonly Value[]): Turn => ({ text, calls: [] });
const calls = (...list: readonly Call[]): Turn => ({ text: [], calls: list });
const call = (name: string, input: Call['input'] = {}): Call => ({ name, input });
const seen = (pattern: string, text = '%'): Value => ({ seen: pattern, text });
const seenNumber = (pattern: string): Value => ({ seen: pattern, number: true });
const image = { image: true };

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;
const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] => {
  const left = [...items];
  return items.map(() => takeOne(random, left));
};
const some = (random: Random, items: readonly string[], least: number, most: number) =>
  shuffled(random, items).slice(0, least + random(most - least + 1));

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'];
const WORDS = ['autumn', 'river', 'stone', 'owl', 'frost', 'moon', 'reed', 'snow', 'leaf', 'rain'];

const creators: Readonly<Record<string, Creator>> = {
  cardtable: {
    create(random) {
      const deck = shuffled(
        random,
        Array.from({ length: 16 }, (_, index) => index * 3 + 1),
      );
      const highest = call('play', { card: seenNumber('highest: (\\d+)') });
      const first = call('play', { card: seenNumber('first: (\\d+)') });
      const ways = [
        [calls(highest), calls(highest)],
        [calls(first), calls(highest)],
        [calls(call('play', { card: 99 })), calls(highest), calls(first)],
        [calls(first), says('That is enough.')],
        // The first call may play the card that the second one wants.
        [calls(first, highest), calls(highest), calls(highest)],
      ];
      return { spec: { deck }, samples: [pick(random, ways)] };
    },
  },

  pettycash: {
    create(random) {
      const account = () => `${pick(random, ['AB', 'KQ', 'ZZ'])}-${100 + random(900)}`;
      const receipts = Object.fromEntries(
        Array.from({ length: 2 + random(2) }, () => [account(), 5 + 5 * random(99)] as const),
      );
      const book = (name: Value, amount: Value) => call('book', { account: name, amount });
      const entries = Object.entries(receipts);
      const right = entries.map(([name, amount]) => book(name, amount));
      const close = calls(call('close'));
      const [name = '', amount = 0] = entries[0] ?? [];
      const ways = [
        [...right.map((one) => calls(one)), close],
        // Refused by the validators, then as the refusal says.
        [calls(book(name.toLowerCase(), amount)), ...right.map((one) => calls(one)), close],
        [calls(book(name, amount + 1)), calls(book(name, 1_000)), calls(...right), close],
        [calls(book('petty', amount)), calls(book(seen('such as ([A-Z]{2}-\\d{3})'), amount)), close],
        [calls(...right, call('close'))],
        [calls(book(name, `${amount}`)), close],
        [{ text: ['I book everything at once.'], calls: right }, says('I leave it open.')],
      ];
      return { spec: { receipts }, samples: [pick(random, ways)] };
    },
  },

  essay: {
    create(random, index) {
      const [topic = '', reference = '', other = ''] = shuffled(random, WORDS);
      const library = { [topic]: `The best word for ${topic} is: ${reference}.` };
      const spec = { question: `Essay ${index}: what is the best word for ${topic}?`, reference, library };
      const lookUp = (name: string) => call('look_up', { topic: name });
      const fromLibrary = seen('word for \\w+ is: (\\w+)', 'It is %.');
      const ways = [
        [says(`It is ${reference}.`)],
        [says(`It is ${other}.`)],
        [calls(lookUp(topic)), says(fromLibrary)],
        [calls(lookUp(other), lookUp(topic)), says(fromLibrary)],
        [says(`\n\t It is ${reference}. \u00a0\n`)],
        // Only one of the languages has these for white space.
        [says(`\ufeff It is ${reference}.\u0085`)],
        [says(`\u001fIt is ${reference}. \ufeff`)],
        [says('Let me think. ', ` It is ${reference}.`)],
        [{ text: [`It is ${other}.`], calls: [lookUp(topic)] }, says(fromLibrary)],
        [{ ...says(`It is \u{1f989} ${reference}, naïve.`), reasoning: `Or ${other}?` }],
        [says('')],
        [says()],
        Array.from({ length: MAX_TURNS + 1 }, () => calls(lookUp(other))),
      ];
      return { spec, samples: [pick(random, ways)] };
    },
  },

  helpdesk: {
    create(random) {
      const spec = { customer: pick(random, NAMES), ticket: `T${1_000 + random(9_000)}x`, times: 1 + random(2) };
      const ticket = seen('open ticket: (\\w+)', 'Your ticket is %.');
      const replies = { replies: true, text: 'It comes after % replies.' };
      const search = calls(call('search', { words: spec.customer }));
      const ways = [
        [says(ticket, replies)],
        [says(ticket)],
        [search, says(ticket, replies)],
        [search, says(seen('closed ticket: (\\w+)'), replies)],
        [says(replies, 'I do not know your ticket.')],
        Array.from({ length: MAX_TURNS }, () => search),
      ];
      return { spec, samples: [pick(random, ways)] };
    },
  },

  haiku: {
    samples: 4,
    create(random, index) {
      const judge = ['scores', 'numbers', 'scores', 'fails', 'miscounts'][index % 5] ?? '';
      const word = pick(random, WORDS);
      const poem = () => [...some(random, WORDS, 1, 6), ...(random(2) === 0 ? [word] : [])].join(' ');
      return { spec: { word, judge }, samples: Array.from({ length: 4 }, () => [says(poem(), poem())]) };
    },
  },

  workshop: {
    create(random) {
      const pieces = Array.from({ length: 2 + random(2) }, () => 1 + random(5));
      const spec = { board: 16 + random(5), pieces };
      const cuts = pieces.map((length) => call('cut', { length }));
      const deliver = call('deliver');
      const ways = [
        [calls(call('measure')), ...cuts.map((cut) => calls(cut)), calls(deliver)],
        [calls(...cuts), calls(deliver)],
        [calls(...cuts, deliver)],
        [calls(call('cut', { length: 30 })), calls(...cuts), calls(deliver)],
        [calls(...[...cuts].reverse()), calls(deliver)],
        [calls(call('measure')), calls(call('cut', { length: seenNumber('board is (\\d+) long') })), calls(deliver)],
        [calls(deliver, ...cuts)],
      ];
      return { spec, samples: [pick(random, ways)] };
    },
  },

  vault: {
    create(random) {
      const way = pick(random, ['dial', 'dial', 'drill']);
      const code = `${1_000 + random(9_000)}`;
      const look = calls(call('look'));
      const dial = (value: Value) => calls(call('dial', { code: value }));
      const found = dial(seen('code (\\d+)'));
      const ways = [
        [look, found],
        [dial('0'), look, found],
        [dial('0'), dial('1'), says('I give up.')],
        [calls(call('look'), call('dial', { code })), look],
        [says('I do not open vaults.')],
      ];
      const drilled = [[look, calls(call('drill'))], [calls(call('drill'))], [look, says('It would be too loud.')]];
      return { spec: { way, code }, samples: [pick(random, way === 'drill' ? drilled : ways)] };
    },
  },

  gallery: {
    create(random) {
      const colours = Array.from({ length: 2 + random(2) }, () => [random(256), random(256), random(256)]);
      const tell = calls(call('tell', { sha256: image }));
      const wrong = calls(call('tell', { sha256: 'a red one' }));
      const walk = calls(call('walk'));
      const ways = [
        colours.map(() => tell),
        [wrong, ...colours.slice(1).map(() => tell)],
        [walk, ...colours.slice(1).map(() => tell)],
        [...colours.slice(1).map(() => walk), tell],
        [tell, says('That was the most beautiful one.')],
      ];
      return { spec: { colours }, samples: [pick(random, ways)] };
    },
  },

  'climb-v0': {
    create(random) {
      const steps = Array.from({ length: 3 + random(8) }, () => call('step', { metres: random(6) - 2 }));
      const perTurn = 1 + random(3);
      const turns = Array.from({ length: Math.ceil(steps.length / perTurn) }, (_, at) =>
        calls(...steps.slice(at * perTurn, (at + 1) * perTurn)),
      );
      const wild = [calls(call('step', { metres: 7 }))];
      const start = random(3) === 0 ? wild : [];
      return { spec: { height: 3 + random(4) }, samples: [[...start, ...turns, says('I am tired.')]] };
    },
  },

  slowlab: {
    create(random) {
      const samples = Object.fromEntries(some(random, NAMES, 2, 4).map((name) => [name, random(9) / 8]));
      const ways = [
        [calls(call('measure', { sample: seen('sample (\\w+)') }))],
        [calls(call('measure', { sample: Object.keys(samples)[0] ?? '' }))],
        [calls(call('measure', { sample: 'the wrong one' }))],
        [says('I would rather not.')],
      ];
      return { spec: { samples }, samples: [pick(random, ways)] };
    },
  },

  courtroom: {
    create(random) {
      const witnesses = some(random, NAMES, 2, 4);
      const guilty = random(2) === 0;
      const hear = witnesses.map((name) => call('hear', { name }));
      const verdict = call('verdict', { guilty: random(4) > 0 ? guilty : !guilty });
      const ways = [
        [...hear.map((one) => calls(one)), calls(verdict)],
        [calls(...hear), calls(verdict)],
        [calls(...hear, verdict)],
        [calls(...hear.slice(1), verdict, ...hear.slice(0, 1))],
        [calls(verdict, ...hear)],
        [calls(...hear, verdict, call('verdict', { guilty }))],
        [calls(call('verdict', { guilty: 'perhaps' }), ...hear), calls(verdict)],
      ];
      return { spec: { witnesses, guilty }, samples: [pick(random, ways)] };
    },
  },

  kitchen: {
    create(random) {
      const recipe = some(random, ['onion', 'carrot', 'leek', 'potato', 'celery'], 2, 4);
      const chop = recipe.map((item) => call('chop', { item }));
      const add = recipe.map((item) => call('add', { item }));
      const serve = call('serve');
      const ways = [
        [calls(...chop), calls(...add), calls(serve)],
        [calls(...chop, ...add, serve)],
        [calls(...chop), ...add.map((one) => calls(one)), calls(serve)].slice(-MAX_TURNS),
        [calls(...add, ...chop), calls(...add), calls(serve)],
        [calls(...chop), calls(...[...add].reverse(), serve)],
        [calls(...chop.slice(1)), calls(...add), calls(serve, ...chop)],
      ];
      return { spec: { recipe }, samples: [pick(random, ways)] };
    },
  },

  sums: {
    create(random) {
      const numbers = [random(500), random(500)];
      const sum = numbers.reduce((one, other) => one + other);
      const answers = [`${sum}`, ` ${sum}\n`, `${sum}.0`, `${sum + 1}`, `${sum - 2}`];
      return { spec: { numbers, open: random(4) === 0 }, samples: [[says(pick(random, answers))]] };
    },
  },

  timer: {
    create(random) {
      const goal = 3 + random(7);
      const waits = Array.from({ length: random(4) }, () => calls(call('wait', { seconds: random(5) })));
      const exact = [calls(call('wait', { seconds: goal })), says('Stop!')];
      const endless = Array.from({ length: MAX_TURNS }, () => calls(call('wait', { seconds: 1 })));
      const ways = [[...waits, says('Stop.')], [...waits, says()], exact, exact, endless];
      return { spec: { goal }, samples: [pick(random, ways)] };
    },
  },
};
