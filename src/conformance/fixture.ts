/** The fixture environment, as docs/conformance-fixture.md specifies it. */
export const FIXTURE = 'conformance';

export const FIXTURE_TOOLS = [
  'echo',
  'count',
  'runs',
  'sleep',
  'block',
  'big',
  'odd_text',
  'image',
  'fail',
  'crash',
  'cancel',
  'reward',
  'finish',
  'noargs',
  'nested',
  'show_task',
  'secret_digest',
  'bad_output',
  'lifecycle',
  'only_here',
] as const;

export type FixtureTool = (typeof FIXTURE_TOOLS)[number];
