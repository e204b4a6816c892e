import { escapeMarkup } from './escape.ts';

const COLOURS = { good: '#2e7d32', bad: '#b3261e', unknown: '#6b6b6b' } as const;
/** Average width of a character; `textLength` makes the text exactly as wide. */
const CHARACTER_WIDTH = 6.6;
const PADDING = 7;

export interface Badge {
  readonly label: string;
  readonly value: string;
  readonly colour: keyof typeof COLOURS;
  /** Text for screen readers, and of the tooltip. */
  readonly title: string;
}

/** Draws a badge for a README as SVG: a label, and a value on a colour. */
export function drawBadge({ label, value, colour, title }: Badge): string {
  const left = widthOf(label);
  const right = widthOf(value);
  const name = escapeMarkup(title);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}">
<title>${name}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3b3b3b"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[colour]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
${written(label, left / 2, left)}
${written(value, left + right / 2, right)}
</g>
</svg>
`;
}

const widthOf = (text: string): number => Math.round(text.length * CHARACTER_WIDTH) + 2 * PADDING;

const written = (text: string, middle: number, width: number): string =>
  `<text x="${middle}" y="14" textLength="${width - 2 * PADDING}">${escapeMarkup(text)}</text>`;
