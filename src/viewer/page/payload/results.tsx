import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { JSONValue, ToolResultBlock } from '../../../../generated/trace.ts';
import { formatCount, ownProperty, plural } from '../../../core/index.ts';
import { joinResults, type ResultPiece } from '../../../trace/model/index.ts';
import { Reward } from '../parts/badges.tsx';
import { OrsBlocks, StoredJson } from './blocks.tsx';
import { PayloadFrame } from './frame.tsx';
import { prettyJsonNow } from './json-rows.ts';
import { HiddenFields, JsonTree, OtherFields } from './json-tree.tsx';
import { type BlocksOutput, parseOutput } from './read-output.ts';
import { TextPayload } from './text.tsx';

/** Reward of the block, which the head of its row shows; an output with the same reward does not repeat it. */
const ShownReward = createContext<unknown>(undefined);

interface Props {
  readonly results: readonly ToolResultBlock[];
}

/**
 * Renders the results of one call, joined: deltas as one growing text with gap markers; a final output replaces them.
 */
export function ToolResults({ results }: Props) {
  const joined = useMemo(() => joinResults(results), [results]);
  const isFailed = results.some(({ extra }) => ownProperty(extra, 'tool_error') === true);
  const rewards = results.map(({ extra }) => ownProperty(extra, 'reward'));
  if (results.length === 0) return <p class="payload-note">no result yet</p>;
  if (joined.kind === 'pieces') return <Pieces results={results} pieces={joined.pieces} isFailed={isFailed} />;
  const { value, replaced } = joined;
  return (
    <ShownReward.Provider value={rewards.length === 1 ? rewards[0] : undefined}>
      <PayloadFrame kind="result" value={value} plain={plainText(value)}>
        <Value value={value} isFailed={isFailed} />
        {replaced > 0 && <p class="payload-note">replaces {plural(replaced, 'piece')} before it</p>}
      </PayloadFrame>
    </ShownReward.Provider>
  );
}

function Value({ value, isFailed }: { readonly value: JSONValue; readonly isFailed: boolean }) {
  const output = parseOutput(value);
  if (output.kind === 'error') {
    return (
      <>
        <Failed error={output.error} />
        <OtherFields fields={output.otherFields} />
      </>
    );
  }
  if (output.kind === 'reference') {
    return (
      <StoredJson reference={output.reference}>{(stored) => <Value value={stored} isFailed={isFailed} />}</StoredJson>
    );
  }
  if (isFailed && output.kind !== 'blocks') return <Failed error={value} />;
  if (output.kind === 'text') return <TextPayload text={output.text} as="ansi" />;
  if (output.kind === 'json') return <JsonTree value={output.value} openDepth={2} />;
  return <OutputView output={output} isFailed={isFailed} />;
}

function OutputView({ output, isFailed }: { readonly output: BlocksOutput; readonly isFailed: boolean }) {
  const { blocks, metadata, isFinished, isError, otherFields } = output;
  const shownReward = useContext(ShownReward);
  const reward = output.reward === shownReward ? undefined : output.reward;
  return (
    <>
      {(isFailed || isError) && <FailedHead />}
      <OrsBlocks blocks={blocks} />
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
      {metadata !== null && <HiddenFields label="metadata" value={metadata} />}
      <OtherFields fields={otherFields} />
    </>
  );
}

const FailedHead = () => <p class="failed payload-note">✕ The tool failed</p>;

function Failed({ error }: { readonly error: JSONValue }) {
  return (
    <div class="payload-failed">
      <FailedHead />
      {typeof error === 'string' ? <TextPayload text={error} as="ansi" /> : <JsonTree value={error} openDepth={2} />}
    </div>
  );
}

interface PiecesProps extends Props {
  readonly pieces: readonly ResultPiece[];
  readonly isFailed: boolean;
}

function Pieces({ results, pieces, isFailed }: PiecesProps) {
  const value = useMemo(() => results.map(({ payload }) => payload as JSONValue), [results]);
  const plain = pieces.some(({ kind }) => kind === 'items')
    ? undefined
    : pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  return (
    <PayloadFrame kind="result" value={value} plain={plain}>
      {isFailed && <FailedHead />}
      {pieces.map((piece, index) => (
        <Piece key={index} piece={piece} />
      ))}
    </PayloadFrame>
  );
}

function Piece({ piece }: { readonly piece: ResultPiece }) {
  if (piece.kind === 'gap') {
    const { from, to } = piece;
    return (
      <p class="payload-note payload-gap" role="note">
        {from === to
          ? `piece ${formatCount(from)} is missing`
          : `pieces ${formatCount(from)} to ${formatCount(to)} are missing`}
      </p>
    );
  }
  if (piece.kind === 'text') return <TextPayload text={piece.text} as="ansi" />;
  return <Value value={[...piece.items]} isFailed={false} />;
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
