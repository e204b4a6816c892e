export { type PlayedEpisode, type PlayOptions, play, ToolCallError, type TaskChoice } from './play.ts';
