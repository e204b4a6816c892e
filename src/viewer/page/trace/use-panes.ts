import { useState } from 'preact/hooks';

type Pane = 'outline' | 'inspector';

export interface Panes {
  readonly outline: boolean;
  readonly inspector: boolean;
  readonly toggle: (pane: Pane) => void;
  /** Where a pane lies over the transcript, it gives way to it. */
  readonly closeSheets: () => void;
}

/** Those of trace.css. */
const OUTLINE_BESIDE = '(min-width: 48rem)';
const INSPECTOR_BESIDE = '(min-width: 76rem)';

/** What somebody has chosen stays so for the next trace. */
let chosen: { readonly outline?: boolean; readonly inspector?: boolean } = {};

/** Which panes are beside the transcript, or over it where there is no room beside it. */
export function usePanes(): Panes {
  const [, setRound] = useState(0);
  const set = (changes: typeof chosen) => {
    chosen = { ...chosen, ...changes };
    setRound((round) => round + 1);
  };
  const outline = chosen.outline ?? matchMedia(OUTLINE_BESIDE).matches;
  const inspector = chosen.inspector ?? matchMedia(INSPECTOR_BESIDE).matches;
  return {
    outline,
    inspector,
    toggle: (pane) => set({ [pane]: !(pane === 'outline' ? outline : inspector) }),
    closeSheets() {
      if (outline && !matchMedia(OUTLINE_BESIDE).matches) set({ outline: false });
    },
  };
}
