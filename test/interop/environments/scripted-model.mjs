import { createHash } from 'node:crypto';

/** Returns what a scripted model says in a turn, after it has seen these texts and images (scripts.ts describes turns). */
export const respond = (turn, seen) => ({
  text: fill(turn.text, seen),
  reasoning: turn.reasoning,
  calls: fill(turn.calls, seen),
});

/** Replaces the placeholders in a value. */
function fill(value, seen) {
  if (Array.isArray(value)) return value.map((item) => fill(item, seen));
  if (typeof value !== 'object' || value === null) return value;
  if ('seen' in value) {
    const found = [...seen.text.matchAll(new RegExp(value.seen, 'gu'))].at(-1);
    return place(value, found?.[1] ?? 'nothing');
  }
  if ('image' in value) return createHash('sha256').update(seen.image).digest('hex');
  if ('replies' in value) return place(value, `${seen.replies}`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, seen)]));
}

const place = ({ text = '%', number = false }, found) => (number ? Number(found) : text.replace('%', () => found));
