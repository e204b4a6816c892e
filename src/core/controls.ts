/** Terminal escape sequences: with parameters, strings up to their terminator, and of two characters. */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
/** Control characters except tab and line feed, and characters that change the text direction. */
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Removes escape sequences, control characters and changes of the text direction, which affect a terminal or a page. Keeps
 * tabs, and converts line ends to line feeds.
 */
export const stripControls = (text: string): string =>
  text.replace(ESCAPE_SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');

/** Joins the lines of a text, without control characters. */
export const oneLine = (text: string): string => stripControls(text).replace(/\s+/g, ' ').trim();
