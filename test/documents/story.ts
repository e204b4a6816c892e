import { availableParallelism } from 'node:os';
import type { CommandResult } from '../support/command.ts';
import { type CodeBlock, codeBlocks } from '../support/document.ts';
import { isExcepted, NOT_RUN } from './exceptions.ts';
import { openWorld } from './world.ts';

export interface Story {
  /** Results of the blocks of a document by their positions, as they become known. */
  readonly results: ReadonlyMap<string, Promise<CommandResult>>;
  /** Is over after the last block, when nothing of the document runs any more. */
  readonly end: Promise<void>;
}

/** The blocks of a document that a shell runs. */
export const storyBlocks = (document: string): CodeBlock[] =>
  codeBlocks(document).filter((block) => block.info === 'sh' && !isExcepted(block, NOT_RUN));

/** Runs the blocks of each document in their order, and as many documents at a time as there are cores. */
export function runStories(documents: readonly string[]): ReadonlyMap<string, Story> {
  const stories = new Map<string, Story>();
  for (const [index, document] of documents.entries()) {
    const before = stories.get(documents[index - availableParallelism()] ?? '');
    stories.set(document, runStory(document, settled(before?.end)));
  }
  return stories;
}

function runStory(document: string, before: Promise<void>): Story {
  const world = before.then(() => openWorld(document));
  const results = new Map<string, Promise<CommandResult>>();
  let last: Promise<unknown> = world;
  for (const { code, place } of storyBlocks(document)) {
    const result = last.then(async () => (await world).run(code));
    results.set(place, result);
    last = result;
  }
  const end = settled(last).then(async () => (await world)[Symbol.asyncDispose]());
  // The tests that await them report their errors.
  for (const promise of [...results.values(), end]) void settled(promise);
  return { results, end };
}

/** Waits for the end of work, whether it fails or not. */
const settled = async (work: Promise<unknown> | undefined): Promise<void> => {
  await work?.catch(() => undefined);
};
