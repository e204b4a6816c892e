import { defineEnvironment, image, jsonSchema, ToolError, text } from 'ors-kit';

const EVIL = '\x1b[2J\x1b]0;owned\x07\x9b31m\r';

/** Creates an environment whose texts all contain control sequences for terminals. */
export function hostile() {
  const input = jsonSchema<{ word?: string }>({
    type: 'object',
    properties: {
      word: { type: 'string', description: `${EVIL}A word.`, default: EVIL },
      [`k${EVIL}`]: { enum: [EVIL, 'harmless'], description: EVIL },
    },
  });
  const fail = (error: Error) => () => {
    throw error;
  };
  return defineEnvironment({
    name: 'hostile',
    splits: { train: [{ note: `${EVIL}harmless` }] },
    prompt: () => [text(`${EVIL}harmless`), image(Buffer.from('x'), `image/${EVIL}png`)],
    tools: {
      speak: {
        description: `${EVIL}Speak.`,
        input,
        run: () => ({ blocks: [text(`${EVIL}harmless`)], metadata: { note: EVIL }, reward: 0.1 }),
      },
      refuse: { description: EVIL + EVIL, run: fail(new ToolError(`${EVIL}harmless`)) },
      crash: { description: `${EVIL}Crash.`, run: fail(new Error(`${EVIL}harmless`)) },
    },
  });
}
