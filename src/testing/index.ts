export { ToolCallError } from '../client/index.ts';
export { type PlayEpisodeOptions as PlayOptions, play, type TestEpisode as PlayedEpisode } from './play.ts';
