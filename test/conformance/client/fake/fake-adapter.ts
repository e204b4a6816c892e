import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { ClientTimes, LaunchAdapter } from '../../../../src/conformance/client/index.ts';
import { FakeClient, type FakeSource } from './fake-client.ts';
import { FakeError } from './fake-error.ts';
import type { Broken } from './mutants.ts';

type Command = Record<string, unknown> & { readonly id: number; readonly do: string };
type Times = Pick<ClientTimes, 'silenceMs' | 'heartbeatMs'>;

/** An adapter of the fake client that runs within this process. */
export const fakeAdapter =
  (broken: Broken, times: Times): LaunchAdapter =>
  () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const over = new AbortController();
    const ended = new Promise<string>((resolve) => {
      over.signal.addEventListener('abort', () => resolve('signal SIGKILL'));
      drive(input, output, broken, times, over.signal).then(
        () => resolve('exit code 0'),
        (error) => resolve(String(error)),
      );
    });
    return { input, output, stderrText: () => '', exited: ended, kill: () => over.abort() };
  };

async function drive(input: Readable, output: Writable, broken: Broken, times: Times, signal: AbortSignal) {
  let client: FakeClient | undefined;
  const clientAt = (url: unknown) =>
    new FakeClient({ url: String(url), broken, silenceMs: times.silenceMs, pingMs: times.heartbeatMs, signal });

  const obey = async (command: Command): Promise<unknown> => {
    if (command.do === 'hello') return { client: 'fake 1.0' };
    if (command.do === 'discover') return await clientAt(command.url).discover(String(command.environment));
    if (command.do === 'open') {
      client = clientAt(command.url);
      // The suite sends only the commands of its protocol.
      return (await client.open(command as unknown as FakeSource)) ?? null;
    }
    if (!client) throw new FakeError('other', 'no episode is open');
    if (command.do === 'prompt') return await client.prompt();
    if (command.do === 'tools') return await client.tools();
    if (command.do === 'call') return await client.call(String(command.name), command.input as Record<string, unknown>);
    if (command.do === 'answer') return await client.answer(String(command.text));
    if (command.do === 'messages') return await client.messages();
    if (command.do === 'close') return (await client.close()) ?? null;
    return undefined;
  };

  for await (const line of linesOf(input)) {
    const command: Command = JSON.parse(line);
    const answer = await obey(command).then(
      (value) => (value === undefined ? { unsupported: true } : { value }),
      ({ kind = 'other', message, status, reason }) => ({ error: { kind, message, status, reason } }),
    );
    output.write(`${JSON.stringify({ id: command.id, ...answer })}\n`);
  }
}

async function* linesOf(input: Readable): AsyncGenerator<string> {
  let text = '';
  for await (const piece of input.setEncoding('utf8')) {
    text += piece;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}
