import { readFile } from 'node:fs/promises';
import { parseNumber } from './number.ts';

/** A word problem; `answer` is only the number. */
export type Problem = { question: string; answer: string };

/**
 * Reads problems from a file of JSON lines in the form of GSM8K: `{"question": ..., "answer": ...}`, where the answer
 * is a worked solution that ends in `#### 42`.
 *
 * @throws Error with the number of the first invalid line.
 */
export async function readProblems(file: string): Promise<Problem[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [parseProblem(line, `${file}, line ${index + 1}`)]));
}

function parseProblem(line: string, location: string): Problem {
  const row = parseRow(line, location);
  if (typeof row.question !== 'string' || typeof row.answer !== 'string') {
    throw new Error(`${location}: 'question' and 'answer' must be strings.`);
  }
  const answer = row.answer.split('####')[1]?.trim() ?? '';
  if (!parseNumber(answer))
    throw new Error(`${location}: the answer must end in '####' and a number, found '${answer}'.`);
  return { question: row.question, answer };
}

function parseRow(line: string, location: string): { question?: unknown; answer?: unknown } {
  try {
    return Object(JSON.parse(line));
  } catch (error) {
    throw new Error(`${location}: invalid JSON.`, { cause: error });
  }
}

/** Twenty built-in problems, so that the environment runs without a download. */
export const builtInProblems: readonly Problem[] = [
  {
    question:
      'A ferry carries 38 cars on each crossing and makes 6 crossings a day. On Sunday the last crossing was only ' +
      'half full. How many cars did the ferry carry on Sunday?',
    answer: '209',
  },
  {
    question:
      'Mira knits a scarf 140 cm long. She knits 12 cm every evening, but on the 5th evening she notices a mistake ' +
      'and undoes 16 cm after her usual work. How many evenings does she knit in all until the scarf is done?',
    answer: '13',
  },
  {
    question:
      'A bakery sells rolls for $0.40 each or a bag of six for $2.10. Omar needs 20 rolls exactly and spends as ' +
      'little as he can. How many dollars does he pay?',
    answer: '7.10',
  },
  {
    question:
      'A water tank holds 900 litres and is one third full. A pump adds 25 litres a minute while a leak loses 5 ' +
      'litres a minute. After how many minutes is the tank full?',
    answer: '30',
  },
  {
    question:
      'In a school choir there are three altos for every four sopranos. There are 21 altos, and 9 more tenors than ' +
      'altos. How many singers are there altogether?',
    answer: '79',
  },
  {
    question:
      'Ines rides her bicycle for 40 minutes at 18 kilometres an hour, and then for 20 minutes at 24 kilometres an ' +
      'hour. How many kilometres does she ride?',
    answer: '20',
  },
  {
    question:
      'A coat costs $160. In the sale it is reduced by 25%, and a voucher takes another 10% off the reduced price. ' +
      'How many dollars does the coat cost with the voucher?',
    answer: '108',
  },
  {
    question:
      'A gardener plants tulips in 7 rows of 24. A third of the tulips come up red, 50 come up yellow and the others ' +
      'white. How many are white?',
    answer: '62',
  },
  {
    question:
      'Two hikers start from huts 27 km apart and walk towards each other, one at 4 km an hour and the other at 5 km ' +
      'an hour. How far from the hut of the faster one do they meet, in kilometres?',
    answer: '15',
  },
  {
    question:
      'A library charges 15 cents a day for a late book. Theo brings back three books: one 4 days late, one 10 days ' +
      'late and one on time. He pays with a 5 dollar note. How many cents does he get back?',
    answer: '290',
  },
  {
    question:
      'At noon it is 6 degrees. The temperature falls by 2 degrees every hour until 5 pm, and then by 1 degree every ' +
      'hour until 8 pm. What is the temperature at 8 pm, in degrees?',
    answer: '-7',
  },
  {
    question:
      'A printer prints 14 pages a minute and stops for half a minute after every 70 pages to cool. How many minutes ' +
      'does it need for 280 pages, counting no pause after the last page?',
    answer: '21.5',
  },
  {
    question:
      'Leila is four times as old as her cat. In six years she will be only two and a half times as old as her cat. ' +
      'How old is Leila now?',
    answer: '24',
  },
  {
    question:
      'A farm packs eggs in boxes of 10. On Monday the hens lay 347 eggs and 19 of them break. What is the number of ' +
      'eggs that are left over when as many boxes as possible are full?',
    answer: '8',
  },
  {
    question:
      'Of the 250 seats in a theatre, 60% are sold in advance and half of the others at the door. A ticket costs $12 ' +
      'in advance and $15 at the door. How many dollars does the theatre take?',
    answer: '2,550',
  },
  {
    question:
      'A recipe for 8 pancakes needs 3 eggs and 250 grams of flour. Jonas has 12 eggs and 900 grams of flour. How ' +
      'many whole pancakes can he make at most?',
    answer: '28',
  },
  {
    question:
      'Four friends share the rent of a flat, $1,480 a month, equally. When a fifth friend moves in, the rent rises ' +
      'by $120 and all five share it equally. By how many dollars a month does the share of each of the four fall?',
    answer: '50',
  },
  {
    question:
      'A snail climbs a wall of 5 metres. Every day it climbs 120 cm and every night it slides down 40 cm. On which ' +
      'day does it reach the top?',
    answer: '6',
  },
  {
    question:
      'Nora reads 30 pages on the first day of her holiday and 10 pages more each day than on the day before. Her ' +
      'book has 420 pages. On which day does she finish it?',
    answer: '7',
  },
  {
    question:
      'A shop buys 80 lamps for $9 each. It sells 65 of them for $16 each and the rest at half of that price. What ' +
      'is its profit, in dollars?',
    answer: '440',
  },
];
