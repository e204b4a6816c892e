/** Plays episodes with `OrsClient`. */
import { OrsClient } from 'ors-kit/client';
import { assertEqual, runJobs } from './jobs.ts';

const client = new OrsClient(String(process.argv[2]));
const environment = client.environment('bench');

await runJobs(async (call) => {
  await using session = await environment.session({ split: 'test', index: 0 });
  const [question] = await session.prompt();
  assertEqual('prompt', question?.type === 'text' && question.text, '2+2');
  assertEqual('tools', (await session.tools())[0]?.name, 'submit');
  const result = await session.call(call.name, call.input);
  assertEqual('text', result.text, 'Correct!');
  assertEqual('reward', result.reward, 1);
  assertEqual('finished', result.finished, true);
});
