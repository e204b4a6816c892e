const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML 1.0 cannot have, in whichever way it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ILLEGAL = /[^\x09\x0a\x0d\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as it stands in XML and HTML, also in double quotes. */
export const escapeXml = (text: string): string =>
  text.replace(ILLEGAL, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
