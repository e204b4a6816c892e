export { ToolCallError } from '../client/index.ts';
export { type PlayedEpisode, type PlayOptions, play } from './play.ts';
