import type { ConformanceResults } from '../../../generated/conformance-results.ts';
import { escapeMarkup } from '../../core/index.ts';

const COLOURS = { good: '#2e7d32', bad: '#b3261e', unknown: '#6b6b6b' } as const;
/** About as wide as letters of this size are; `textLength` makes them just as wide. */
const LETTER = 6.6;
const PADDING = 7;

export interface BadgeParts {
  /** Only some of the checks of the profiles were asked for. Default: false. */
  readonly isPart?: boolean;
}

/** A small picture for a README: `ORS core 61/61`; grey and `partial` where something required was not shown. */
export function badgeSvg(
  { subject, profiles, summary, verdict }: ConformanceResults,
  { isPart = false }: BadgeParts = {},
): string {
  const { passed, ran, not_testable: untested } = summary.required;
  const isPartial = isPart || untested > 0;
  const label = `ORS ${subject === 'client' ? 'client' : profiles.join('+')}`;
  const value = ran === 0 ? 'not tested' : `${passed}/${ran}${isPartial ? ' partial' : ''}`;
  const isUnknown = isPartial || ran === 0 || ['interrupted', 'harness-error', 'incomplete'].includes(verdict.outcome);
  const colour = passed < ran || verdict.outcome === 'violations' ? 'bad' : isUnknown ? 'unknown' : 'good';
  const [left, right] = [widthOf(label), widthOf(value)];
  const title = escapeMarkup(`${label}: ${value} required checks pass`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3b3b3b"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[colour]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
${written(label, left / 2, left)}
${written(value, left + right / 2, right)}
</g>
</svg>
`;
}

const widthOf = (text: string): number => Math.round(text.length * LETTER) + 2 * PADDING;

const written = (text: string, middle: number, width: number): string =>
  `<text x="${middle}" y="14" textLength="${width - 2 * PADDING}">${escapeMarkup(text)}</text>`;
