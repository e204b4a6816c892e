import type { ComponentChildren } from 'preact';
import type { JSONValue } from '../../../../generated/trace.ts';
import { useWindowValue } from '../api/location.ts';
import { CopyButton, QuietButton } from '../parts/buttons.tsx';
import { useTimeSliced } from './deferred.ts';
import { prettyJson, prettyJsonNow } from './json-rows.ts';
import { JsonTree } from './json-tree.tsx';
import { TextPayload } from './text.tsx';

interface Props {
  /** Kind of payload; all payloads of a kind share the display mode. */
  readonly kind: string;
  /** Value for the mode JSON. */
  readonly value: JSONValue;
  /** Text for the mode plain. @default the JSON */
  readonly plain?: string | undefined;
  readonly children: ComponentChildren;
}

/** Payload with a choice of display modes: rendered, plain text or JSON. */
export function PayloadFrame({ kind, value, plain, children }: Props) {
  const [mode, choose] = useDisplayMode(kind);
  return (
    <div class={`payload payload-${kind}`}>
      <fieldset class="raised payload-modes" aria-label="Shown as">
        {MODES.map((each) => (
          <QuietButton key={each} aria-pressed={each === mode} onClick={() => choose(each)}>
            {each}
          </QuietButton>
        ))}
        <CopyButton text={() => (mode === 'JSON' ? undefined : plain) ?? prettyJsonNow(value)} />
      </fieldset>
      {mode === 'rendered' && children}
      {mode === 'plain' &&
        (plain === undefined ? <PlainJson value={value} /> : <TextPayload as="plain" text={plain} />)}
      {mode === 'JSON' && <JsonTree openDepth={3} value={value} />}
    </div>
  );
}

function PlainJson({ value }: { readonly value: JSONValue }) {
  const text = useTimeSliced(() => prettyJson(value), [value]);
  return <TextPayload as="plain" text={text ?? '…'} />;
}

const MODES = ['rendered', 'plain', 'JSON'] as const;
type DisplayMode = (typeof MODES)[number];

const modes = new Map<string, DisplayMode>();
const CHANGED = 'ors:display-mode';

/** Returns the display mode of a kind of payload, for all of them, until the page is reloaded. */
function useDisplayMode(kind: string): readonly [DisplayMode, (mode: DisplayMode) => void] {
  const mode = useWindowValue(() => modes.get(kind) ?? 'rendered', [CHANGED]);
  const choose = (next: DisplayMode) => {
    modes.set(kind, next);
    dispatchEvent(new Event(CHANGED));
  };
  return [mode, choose];
}
