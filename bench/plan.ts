import { keptSections } from './sections.ts';

/** Says how long each part took when it was last measured in full, and all together. */
export function planText(parts: readonly { readonly name: string }[], subject = ''): string {
  const kept = keptSections(
    parts.map(({ name }) => name),
    subject,
  );
  const known = kept.flatMap(({ measure, seconds }) => (seconds === undefined ? [] : [{ measure, seconds }]));
  const unknown = parts.map(({ name }) => name).filter((name) => !known.some(({ measure }) => measure === name));
  const whole = known.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    ...(known.length > 0 ? [`In full these took ${timeText(whole)} together when they were last measured:`] : []),
    ...known.map(({ measure, seconds }) => `  ${measure.padEnd(10)} ${timeText(seconds)}`),
    ...(unknown.length > 0 ? [`How long these take is not known here: ${unknown.join(', ')}.`] : []),
  ].join('\n');
}

const timeText = (seconds: number): string => (seconds < 100 ? `${seconds} s` : `${(seconds / 60).toFixed(0)} minutes`);
