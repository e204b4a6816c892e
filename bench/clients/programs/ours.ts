/** Plays with `OrsClient`. */
import { OrsClient } from 'ors-kit/client';
import { check, obeyOrders } from './orders.ts';

const client = new OrsClient(String(process.argv[2]));
const environment = client.environment('bench');

await obeyOrders(async (call) => {
  await using session = await environment.session({ split: 'test', index: 0 });
  const [question] = await session.prompt();
  check('prompt', question?.type === 'text' && question.text, '2+2');
  check('tools', (await session.tools())[0]?.name, 'submit');
  const result = await session.call(call.name, call.input);
  check('text', result.text, 'Correct!');
  check('reward', result.reward, 1);
  check('finished', result.finished, true);
});
