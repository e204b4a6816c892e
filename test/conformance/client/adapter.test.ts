import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import {
  type ClientCheck,
  clientChecks,
  type LaunchAdapter,
  launchAdapterCommand,
  runClientChecks,
} from '../../../src/conformance/client/index.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { TargetNotFoundError } from '../../../src/conformance/target.ts';

type Command = Record<string, unknown> & { readonly id: number; readonly do: string };

const TIMES = { commandMs: 1_000, startMs: 10_000, graceMs: 500 };
const VALUE = { blocks: [{ type: 'text', text: 'hello' }], metadata: null, reward: null, finished: false };

/** An adapter without a client that prints this line for each command, and exits on `end`. */
const answering =
  (answer: (command: Command) => string | undefined | 'end'): LaunchAdapter =>
  () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let end: (how: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    input.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) {
        const said = answer(JSON.parse(line));
        if (said === 'end') end('exit code 7');
        else if (said !== undefined) output.write(`${said}\n`);
      }
    });
    input.on('end', () => end('exit code 0'));
    return {
      input,
      output,
      stderrText: () => 'Traceback\nKeyError: x',
      exited: ended,
      kill: () => end('signal SIGKILL'),
    };
  };

const usual = ({ id, do: name }: Command, call: object): string =>
  JSON.stringify({ id, ...(name === 'call' ? call : { value: null }) });

const byId = (id: string): ClientCheck[] => clientChecks.filter((check) => check.id === id);

async function hold(launch: LaunchAdapter, id: string): Promise<CheckRunResult | undefined> {
  const run = await runClientChecks({ times: TIMES }, { checks: byId(id), launch, suite: 'test' });
  return run.results[0];
}

test.each([
  ['prints text that is not a response', () => 'Connected!', "it printed 'Connected!'"],
  ['responds to another command', () => '{"id":99,"value":null}', 'got a response to command 99'],
  ['returns neither value nor error', ({ id }: Command) => `{"id":${id}}`, "has neither 'value' nor 'error'"],
  [
    'returns a value of another form',
    (it: Command) => usual(it, { value: { text: 'x' } }),
    'it answered \'call\' with {"text":"x"}',
  ],
  [
    'returns an unknown kind of error',
    (it: Command) => usual(it, { error: { kind: 'bad', message: '' } }),
    'one of the kinds',
  ],
])('distinguishes an adapter that %s from a wrong client', async (_, answer, told) => {
  const launch = answering((command) => (command.do === 'call' ? answer(command) : usual(command, {})));

  const result = await hold(launch, 'client/error/output-with-error');

  expect(result).toMatchObject({ state: 'not-testable', violated: false });
  expect(result?.message).toContain('the adapter violates its protocol');
  expect(result?.message).toContain(told);
});

test.each([
  ['does not respond', () => undefined, 'returned nothing within 1 s'],
  ['exits', () => 'end', "ended the client's process: exit code 7 (standard error: Traceback | KeyError: x)"],
])('fails a client that %s in the step under test', async (_, answer, told) => {
  const launch = answering((command) => (command.do === 'call' ? answer() : usual(command, {})));

  const result = await hold(launch, 'client/error/output-with-error');

  expect(result).toMatchObject({ state: 'fail', violated: true });
  expect(result?.message).toContain(told);
});

test('reports a client that fails in a preceding step as not testable', async () => {
  const error = { kind: 'other', message: 'no route to host' };
  const launch = answering(({ id, do: name }) =>
    JSON.stringify({ id, ...(name === 'open' ? { error } : { value: null }) }),
  );

  const result = await hold(launch, 'client/error/output-with-error');

  expect(result).toMatchObject({ state: 'not-testable' });
  expect(result?.message).toBe("opening an episode returned the error other 'no route to host'");
});

test.each([
  ['prompt', 'client/answer/more-fields-in-prompt', 'n/a'],
  ['discover', 'client/answer/more-fields-in-discovery', 'n/a'],
  ['call', 'client/error/output-with-error', 'not-testable'],
])('does not fail a client whose adapter lacks the command %s', async (name, id, state) => {
  const launch = answering((command) =>
    command.do === name ? JSON.stringify({ id: command.id, unsupported: true }) : usual(command, { value: VALUE }),
  );

  const result = await hold(launch, id);

  expect(result).toMatchObject({ state, message: `the adapter has no command '${name}'` });
});

test('opens with an inline task if the client does not support split and index', async () => {
  const opened: Command[] = [];
  const launch = answering((command) => {
    if (command.do === 'open') opened.push(command);
    const isByIndex = command.do === 'open' && 'split' in command;
    return isByIndex ? JSON.stringify({ id: command.id, unsupported: true }) : usual(command, { value: VALUE });
  });

  await hold(launch, 'client/error/output-with-error');

  expect(opened).toMatchObject([{ split: 'train', index: 1 }, { task: { id: 'lab-1' } }]);
});

test.each([
  ['no-such-command-here', /^the adapter did not start: exit code 127 \(standard error: .*not found\)$/],
  [`${process.execPath} -e "console.error('no key'); process.exit(3)"`, /exit code 3 \(standard error: no key\)/],
  [`${process.execPath} -e "console.log('Welcome'); process.stdin.resume()"`, /it printed 'Welcome'/],
])('rejects the command %s before the first check', async (command, told) => {
  const run = runClientChecks(
    { times: TIMES },
    { checks: clientChecks, launch: launchAdapterCommand(command), suite: 'test' },
  );

  await expect(run).rejects.toThrow(TargetNotFoundError);
  await expect(run).rejects.toThrow(told);
});

test('ends an interrupted run immediately, and reports the remaining checks as not testable', async () => {
  const interrupt = new AbortController();
  const launch = answering((command) => (command.do === 'call' ? undefined : usual(command, {})));
  const options = { times: { ...TIMES, commandMs: 600_000 }, concurrency: 2, signal: interrupt.signal };
  const onProgress = () => setTimeout(() => interrupt.abort(), 100);

  const run = await runClientChecks(options, {
    checks: byId('client/error/told-apart'),
    launch,
    suite: 'test',
    onProgress,
  });

  expect(run.results).toMatchObject([{ state: 'not-testable', message: 'the run was interrupted' }]);
});
