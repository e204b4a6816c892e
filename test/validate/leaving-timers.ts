import { createInputGenerator } from '../../src/conformance/index.ts';
import { validate } from '../../src/validate/index.ts';
import { twin } from './twin.ts';

/**
 * Validates environments whose setup starts timers, and prints the findings. A program, because all timers of the
 * process count.
 */

interface Setup {
  readonly onCleanup: (undo: () => void) => void;
}

type IsForgotten = (count: number) => boolean;

await using inputs = createInputGenerator();

async function toldOf(isForgotten: IsForgotten) {
  let count = 0;
  const setup = ({ onCleanup }: Setup) => {
    const timer = setInterval(() => undefined, 60_000);
    if (!isForgotten(++count)) onCleanup(() => clearInterval(timer));
  };
  const { findings } = await validate({ environments: [twin({ setup })] }, { inputs, tasks: 1, timeoutMs: 2_000 });
  return findings.filter(({ level }) => level !== 'note');
}

const told = {
  cleared: await toldOf(() => false),
  shared: await toldOf((count) => count === 1),
  forgotten: await toldOf(() => true),
};
// The forgotten timers keep the process alive.
process.stdout.write(JSON.stringify(told), () => process.exit());
