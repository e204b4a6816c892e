import { z } from 'zod';
import { seededRandom } from '../random.ts';

/** A condition on the final files: a file with this content (null: no such file), or a command with this output. */
const check = z.union([
  z.object({ file: z.string(), content: z.string().nullable() }),
  z.object({ command: z.string(), output: z.string() }),
]);

export const shellTask = z.object({
  instruction: z.string(),
  files: z.record(z.string(), z.string()),
  checks: z.array(check),
  solution: z.string(),
});

/** Files and an instruction. Hidden: `checks` decide the reward, and `solution` passes all of them. */
export type ShellTask = z.infer<typeof shellTask>;
export type Check = z.infer<typeof check>;

export const trainTasks: readonly ShellTask[] = [countErrors(1), countErrors(2), totals(3), renamePhotos()];
export const testTasks: readonly ShellTask[] = [countErrors(4), totals(5), mailingList(), repairScript()];

function countErrors(seed: number): ShellTask {
  const random = seededRandom(seed);
  const levels = ['INFO', 'INFO', 'WARN', 'ERROR'];
  const log = (name: string) =>
    Array.from(
      { length: 200 + random(200) },
      (_, line) => `${levels[random(levels.length)]} ${name}: request ${line}\n`,
    );
  const logs = ['web', 'worker', 'mail'].map((name): [string, string[]] => [`logs/${name}.log`, log(name)]);
  const errors = logs.flatMap(([, lines]) => lines).filter((line) => line.startsWith('ERROR')).length;
  return {
    instruction: 'Count the lines of the files in logs/ that begin with ERROR. Write the number into answer.txt.',
    files: Object.fromEntries(logs.map(([name, lines]) => [name, lines.join('')])),
    checks: [{ file: 'answer.txt', content: `${errors}` }],
    solution: "cat logs/*.log | grep -c '^ERROR' > answer.txt",
  };
}

function totals(seed: number): ShellTask {
  const random = seededRandom(seed);
  const regions = ['north', 'south', 'east', 'west'];
  const sales = Array.from({ length: 150 }, () => ({ region: regions[random(4)] ?? '', amount: 1 + random(500) }));
  const sum = (region: string) =>
    sales.filter((sale) => sale.region === region).reduce((total, { amount }) => total + amount, 0);
  return {
    instruction:
      'sales.csv has the columns region and amount. Write totals.csv: a line `region,total` for each region, in ' +
      'alphabetical order, without a header.',
    files: { 'sales.csv': `region,amount\n${sales.map(({ region, amount }) => `${region},${amount}\n`).join('')}` },
    checks: [
      {
        file: 'totals.csv',
        content: [...regions]
          .sort()
          .map((name) => `${name},${sum(name)}`)
          .join('\n'),
      },
    ],
    solution:
      'awk -F, \'NR > 1 { sum[$1] += $2 } END { for (r in sum) print r "," sum[r] }\' sales.csv | sort > totals.csv',
  };
}

function renamePhotos(): ShellTask {
  const names = ['a day at sea', 'the -f mountain', 'night  market'];
  return {
    instruction: 'Rename the .JPEG files in photos/ to .jpg. Do not change anything else.',
    files: Object.fromEntries([
      ...names.map((name) => [`photos/${name}.JPEG`, `picture of ${name}\n`]),
      ['photos/JPEG notes.txt', 'keep\n'],
    ]),
    checks: [
      ...names.map((name) => ({ file: `photos/${name}.jpg`, content: `picture of ${name}` })),
      { command: 'ls photos | wc -l', output: '4' },
      { file: 'photos/JPEG notes.txt', content: 'keep' },
    ],
    solution: 'for photo in photos/*.JPEG; do mv -- "$photo" "photos/$(basename "$photo" .JPEG).jpg"; done',
  };
}

function mailingList(): ShellTask {
  return {
    instruction:
      'Merge spring.txt and autumn.txt into all.txt: each address once, in lower case, in alphabetical order. ' +
      'Then delete both files.',
    files: {
      'spring.txt': 'Zoe@example.org\nadam@example.org\nmia@example.org\n',
      'autumn.txt': 'MIA@example.org\nbea@example.org\nAdam@Example.org\n',
    },
    checks: [
      { file: 'all.txt', content: 'adam@example.org\nbea@example.org\nmia@example.org\nzoe@example.org' },
      { file: 'spring.txt', content: null },
      { file: 'autumn.txt', content: null },
    ],
    solution: "cat spring.txt autumn.txt | tr 'A-Z' 'a-z' | sort -u > all.txt && rm spring.txt autumn.txt",
  };
}

function repairScript(): ShellTask {
  return {
    instruction: 'largest.sh should print the largest of its arguments, which are integers. Fix it.',
    files: {
      'largest.sh':
        'largest=0\nfor number in $@; do\n  [ $number > $largest ] && largest=$number\ndone\necho $largest\n',
    },
    checks: [
      { command: 'sh largest.sh 3 20 7', output: '20' },
      { command: 'sh largest.sh -5 -2 -9', output: '-2' },
      { command: 'sh largest.sh 100 99', output: '100' },
    ],
    solution:
      "printf '%s\\n' 'largest=$1' 'for number in \"$@\"; do' '  [ \"$number\" -gt \"$largest\" ] && largest=$number' done " +
      '\'echo "$largest"\' > largest.sh',
  };
}
