import { useMemo } from 'preact/hooks';
import type { JSONValue, ToolResultBlock } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { joinResults, type ResultPiece } from '../../../trace/model/index.ts';
import { Reward } from '../parts/badges.tsx';
import { OrsBlocks } from './blocks.tsx';
import { PayloadFrame } from './frame.tsx';
import { prettyJsonNow } from './json-rows.ts';
import { HiddenFields, JsonTree, OtherFields } from './json-tree.tsx';
import { type BlocksOutput, parseOutput } from './read-output.ts';
import { StoredJson } from './stored.tsx';
import { TextPayload } from './text.tsx';

interface Props {
  readonly results: readonly ToolResultBlock[];
  readonly highlight?: string | undefined;
}

/**
 * Renders the results of one call, joined: deltas as one growing text with gap markers; a final output replaces them.
 */
export function ToolResults({ results, highlight }: Props) {
  const joined = useMemo(() => joinResults(results), [results]);
  const isFailed = results.some(({ extra }) => extra?.tool_error === true);
  if (results.length === 0) return <p class="payload-note">no result yet</p>;
  if (joined.kind === 'pieces')
    return <Pieces results={results} pieces={joined.pieces} isFailed={isFailed} highlight={highlight} />;
  const { value, replaced } = joined;
  return (
    <PayloadFrame kind="result" value={value} plain={plainText(value)} highlight={highlight}>
      <Value value={value} isFailed={isFailed} highlight={highlight} />
      {replaced > 0 && <p class="payload-note">replaces {plural(replaced, 'piece')} before it</p>}
    </PayloadFrame>
  );
}

/** Renders one result as it was written. */
export function SingleToolResult({
  result,
  highlight,
}: {
  readonly result: ToolResultBlock;
  readonly highlight?: string | undefined;
}) {
  const { delta, seq } = result.payload;
  // Only a delta can have gaps before it.
  const isPiece = delta !== undefined && delta !== null;
  const shown = isPiece
    ? { ...result, payload: { ...result.payload, seq: null } as ToolResultBlock['payload'] }
    : result;
  const results = useMemo(() => [shown], [result]);
  return (
    <>
      {isPiece && typeof seq === 'number' && <p class="payload-note">piece {formatCount(seq)}</p>}
      <ToolResults results={results} highlight={highlight} />
    </>
  );
}

interface ValueProps extends Pick<Props, 'highlight'> {
  readonly value: JSONValue;
  readonly isFailed: boolean;
}

function Value({ value, isFailed, highlight }: ValueProps) {
  const output = parseOutput(value);
  if (output.kind === 'error') {
    return (
      <>
        <Failed error={output.error} highlight={highlight} />
        <OtherFields fields={output.otherFields} highlight={highlight} />
      </>
    );
  }
  if (output.kind === 'reference') {
    return (
      <StoredJson reference={output.reference}>
        {(stored) => <Value value={stored} isFailed={isFailed} highlight={highlight} />}
      </StoredJson>
    );
  }
  if (isFailed && output.kind !== 'blocks') return <Failed error={value} highlight={highlight} />;
  if (output.kind === 'text') return <TextPayload text={output.text} as="ansi" highlight={highlight} />;
  if (output.kind === 'json') return <JsonTree value={output.value} openDepth={2} highlight={highlight} />;
  return <OutputView output={output} isFailed={isFailed || output.isError} highlight={highlight} />;
}

interface OutputProps extends Omit<ValueProps, 'value'> {
  readonly output: BlocksOutput;
}

function OutputView({
  output: { blocks, metadata, reward, isFinished, otherFields },
  isFailed,
  highlight,
}: OutputProps) {
  return (
    <>
      {isFailed && <FailedHead />}
      <OrsBlocks blocks={blocks} highlight={highlight} />
      {(reward !== undefined || isFinished) && (
        <p class="payload-note">
          {reward !== undefined && (
            <>
              reward <Reward value={reward} />
            </>
          )}
          {reward !== undefined && isFinished && ' · '}
          {isFinished && 'finished'}
        </p>
      )}
      {metadata !== null && <HiddenFields label="metadata" value={metadata} highlight={highlight} />}
      <OtherFields fields={otherFields} highlight={highlight} />
    </>
  );
}

const FailedHead = () => <p class="payload-failed-head">✕ The tool failed</p>;

function Failed({ error, highlight }: { readonly error: JSONValue; readonly highlight: string | undefined }) {
  return (
    <div class="payload-failed">
      <FailedHead />
      {typeof error === 'string' ? (
        <TextPayload text={error} as="ansi" highlight={highlight} />
      ) : (
        <JsonTree value={error} openDepth={2} highlight={highlight} />
      )}
    </div>
  );
}

interface PiecesProps extends Props {
  readonly pieces: readonly ResultPiece[];
  readonly isFailed: boolean;
}

function Pieces({ results, pieces, isFailed, highlight }: PiecesProps) {
  const value = useMemo(() => results.map(({ payload }) => payload as JSONValue), [results]);
  const plain = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  return (
    <PayloadFrame
      kind="result"
      value={value}
      plain={pieces.some(({ kind }) => kind === 'items') ? undefined : plain}
      highlight={highlight}
    >
      {isFailed && <FailedHead />}
      {pieces.map((piece, index) => (
        <Piece key={index} piece={piece} highlight={highlight} />
      ))}
    </PayloadFrame>
  );
}

function Piece({ piece, highlight }: { readonly piece: ResultPiece; readonly highlight: string | undefined }) {
  if (piece.kind === 'gap') {
    const { from, to } = piece;
    return (
      <p class="payload-gap" role="note">
        {from === to
          ? `piece ${formatCount(from)} is missing`
          : `pieces ${formatCount(from)} to ${formatCount(to)} are missing`}
      </p>
    );
  }
  if (piece.kind === 'text') return <TextPayload text={piece.text} as="ansi" highlight={highlight} />;
  return <Value value={[...piece.items]} isFailed={false} highlight={highlight} />;
}

/** Returns the text that the model saw, if there is nothing else. */
function plainText(value: JSONValue): string | undefined {
  const output = parseOutput(value);
  if (output.kind === 'text') return output.text;
  if (output.kind === 'error') return typeof output.error === 'string' ? output.error : prettyJsonNow(output.error);
  if (output.kind !== 'blocks') return undefined;
  const texts = output.blocks.map((block) => (block as { readonly text?: unknown }).text);
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}
