import temml from 'temml';

/** Maximum length of a formula, in UTF-16 code units. */
const MAX_LENGTH = 5_000;

/**
 * Renders TeX as the MathML content of an element. Commands that load files or set links are not allowed.
 *
 * @returns false if the TeX is not valid, or too long.
 */
export function renderMath(tex: string, isDisplay: boolean, element: HTMLElement): boolean {
  if (tex.length > MAX_LENGTH) return false;
  try {
    temml.render(tex, element, { displayMode: isDisplay, throwOnError: true, trust: false, maxExpand: 500 });
    return true;
  } catch {
    element.replaceChildren();
    return false;
  }
}
