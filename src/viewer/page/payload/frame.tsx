import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { CopyButton } from '../parts/buttons.tsx';
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
  readonly highlight?: string | undefined;
  readonly children: ComponentChildren;
}

/** Payload with a choice of display modes: rendered, plain text or JSON. */
export function PayloadFrame({ kind, value, plain, highlight, children }: Props) {
  const [mode, choose] = useDisplayMode(kind);
  return (
    <div class={`payload payload-${kind}`}>
      <fieldset class="raised payload-modes" aria-label="Shown as">
        {MODES.map((each) => (
          <button key={each} type="button" class="quiet" aria-pressed={each === mode} onClick={() => choose(each)}>
            {each}
          </button>
        ))}
        <CopyButton text={() => (mode === 'JSON' ? undefined : plain) ?? prettyJsonNow(value)} />
      </fieldset>
      {mode === 'rendered' && children}
      {mode === 'plain' &&
        (plain === undefined ? (
          <PlainJson value={value} highlight={highlight} />
        ) : (
          <TextPayload as="plain" text={plain} highlight={highlight} />
        ))}
      {mode === 'JSON' && <JsonTree openDepth={3} value={value} highlight={highlight} />}
    </div>
  );
}

function PlainJson({ value, highlight }: Pick<Props, 'value' | 'highlight'>) {
  const text = useTimeSliced(() => prettyJson(value), [value]);
  return <TextPayload as="plain" text={text ?? '…'} highlight={highlight} />;
}

/** Display mode of payloads. */
type DisplayMode = 'rendered' | 'plain' | 'JSON';
const MODES: readonly DisplayMode[] = ['rendered', 'plain', 'JSON'];

const chosen = new Map<string, DisplayMode>();
const readers = new Set<() => void>();

/** Returns the display mode of a kind of payload, for all of them, until the page is reloaded. */
function useDisplayMode(kind: string): readonly [DisplayMode, (mode: DisplayMode) => void] {
  const [mode, setMode] = useState<DisplayMode>(chosen.get(kind) ?? 'rendered');
  useEffect(() => {
    const read = () => setMode(chosen.get(kind) ?? 'rendered');
    read();
    readers.add(read);
    return () => void readers.delete(read);
  }, [kind]);
  const choose = (next: DisplayMode) => {
    chosen.set(kind, next);
    for (const read of readers) read();
  };
  return [mode, choose];
}
