import { writeFileSync } from 'node:fs';
import { performanceDocument } from './document.ts';
import { isolationParts, isolationSubject } from './isolation/parts.ts';
import { parts } from './parts.ts';
import { keptSections } from './sections.ts';
import { storeFigures, unmeasured } from './traces/figures.ts';
import { engineNames } from './traces/parts.ts';

/** Writes docs/performance.md of all that is kept. All that `make bench` measures here must be there. */
export function writeDocument(): void {
  const kept = keptSections(parts.map(({ name }) => name));
  const isKept = (name: string) => kept.some(({ measure }) => measure === name);
  const stores = engineNames.map(storeFigures);
  const standing = parts.filter(({ isExtra }) => !isExtra).map(({ name }) => name);
  const absent = [...standing.filter((name) => !isKept(name)), ...stores.flatMap(unmeasured)];
  if (absent.length > 0) {
    console.error(`docs/performance.md is as it was: nothing was measured in full of ${absent.join(', ')}.`);
    return;
  }
  const isolation = keptSections(
    isolationParts.map(({ name }) => name),
    isolationSubject,
  );
  const text = performanceDocument(kept, isolation, stores);
  writeFileSync(new URL('../docs/performance.md', import.meta.url), text);
  console.error('docs/performance.md is written.');
}
