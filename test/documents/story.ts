import { availableParallelism } from 'node:os';
import type { CommandResult } from '../support/command.ts';
import { type CodeBlock, codeBlocks } from '../support/document.ts';
import { isExcepted, NOT_RUN } from './exceptions.ts';
import { openWorld } from './world.ts';

/** Results of the blocks of a document by their positions. */
export type Story = ReadonlyMap<string, CommandResult>;

/** The blocks of a document that a shell runs. */
export const storyBlocks = (document: string): CodeBlock[] =>
  codeBlocks(document).filter((block) => block.info === 'sh' && !isExcepted(block, NOT_RUN));

/** Runs the blocks of each document in their order, and as many documents at a time as there are cores. */
export function runStories(documents: readonly string[]): ReadonlyMap<string, Promise<Story>> {
  const stories = new Map<string, Promise<Story>>();
  for (const [index, document] of documents.entries()) {
    const before = stories.get(documents[index - availableParallelism()] ?? '') ?? Promise.resolve();
    const story = before.then(
      () => runStory(document),
      () => runStory(document),
    );
    // The test that awaits it reports the error.
    story.catch(() => undefined);
    stories.set(document, story);
  }
  return stories;
}

async function runStory(document: string): Promise<Story> {
  await using world = await openWorld(document);
  const story = new Map<string, CommandResult>();
  for (const { code, place } of storyBlocks(document)) story.set(place, await world.run(code));
  return story;
}
