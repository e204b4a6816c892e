import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { plural, pythonStrip } from '../../../core/index.ts';
import {
  blocksOf,
  type JSONObject,
  type Message,
  type MessageBlock,
  plainPrompt,
  type TerminalTool,
  type ToolSpec,
} from '../../../protocol/index.ts';
import { buildHref, changeQuery, navigate, useNavigationGuard, useQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { Button, ButtonLink, Select } from '../parts/buttons.tsx';
import { useNow } from '../parts/hooks.ts';
import { formatReward } from '../parts/rewards.ts';
import { Banner, ErrorCard, Skeleton } from '../parts/states.tsx';
import { JsonTree, OrsBlocks, PayloadFrame } from '../payload/index.ts';
import { CallCard } from './call-card.tsx';
import { rewardSum } from './call-outcome.ts';
import { blankToolDraft, type ToolDraft, ToolForm } from './form/tool-form.tsx';
import { RecordingPanel } from './recording.tsx';
import type { PlaygroundTask } from './task.ts';
import { type PlaygroundEpisode, useEpisode } from './use-episode.ts';
import './form/form.css';

interface Props {
  readonly played: PlaygroundTask;
  /** Number of tasks of the split. */
  readonly tasks: number;
}

/** Episode of one task. */
export function EpisodeView({ played, tasks }: Props) {
  const episode = useEpisode(played);
  const { stage, opened, calls, failure, isDisconnected, isCalling, call, answer } = episode;
  const isDisabled = stage !== 'playing' || isCalling;
  const nextTask = buildHref({ view: 'play', ...played, index: (played.index + 1) % tasks });
  const confirmEnd = useConfirmLeave(played, stage === 'playing' && calls.length > 0);
  const startAgain = () => confirmEnd() && episode.startAgain();
  const shared = { playing: { ...episode, startAgain }, played, nextTask };
  useShortcuts({
    a: { description: 'start again', run: startAgain },
    n: { description: 'play the next task', run: () => navigate(nextTask) },
  });
  return (
    <>
      <PlayHeader {...shared} />
      {isDisconnected && <Banner>The server is unreachable. The episode continues if it is back in time.</Banner>}
      {stage === 'failed' && failure && <ErrorCard failure={failure} retry={startAgain} />}
      {stage === 'opening' && <SetupProgress />}
      {opened && (
        <div class="columns">
          <section class="stack play-log" aria-label="Episode">
            <Conversation messages={opened.messages} />
            <ol class="stack" aria-live="polite">
              {calls.map((each, at) => (
                <CallCard key={each.id} call={each} number={at + 1} />
              ))}
            </ol>
            <EpisodeEnd {...shared} />
          </section>
          <aside class="card stack play-tools" aria-label="Tools">
            {(opened.tools.length > 0 || !opened.terminalTool) && (
              <ToolPanel tools={opened.tools} isDisabled={isDisabled} onCall={call} />
            )}
            {opened.terminalTool && (
              <AnswerForm terminalTool={opened.terminalTool} isDisabled={isDisabled} onAnswer={answer} />
            )}
          </aside>
        </div>
      )}
    </>
  );
}

const STAGES = {
  opening: 'setting up',
  playing: 'playing',
  finished: 'finished',
  answered: 'answered',
  lost: 'lost',
  failed: 'failed',
};
const MARKS = {
  opening: 'running',
  playing: 'running',
  finished: 'finished',
  answered: 'finished',
  lost: 'error',
  failed: 'error',
};

interface EpisodeProps {
  readonly playing: PlaygroundEpisode;
  readonly played: PlaygroundTask;
  readonly nextTask: string;
}

function PlayHeader({ playing, played, nextTask }: EpisodeProps) {
  const { stage, calls, startAgain } = playing;
  const { environment, split, index } = played;
  return (
    <header class="row sticky play-header">
      <h1>
        <a href={buildHref({ view: 'environment', environment, split })}>{environment}</a> / {split} [{index}]
      </h1>
      <span class={`status status-${MARKS[stage]}`} role="status">
        {STAGES[stage]}
      </span>
      <span class="play-sum">
        reward <strong>{formatReward(rewardSum(calls))}</strong>
      </span>
      <small>{plural(calls.length, 'call')}</small>
      <span class="spring" />
      <Button title="Start again: a" onClick={startAgain}>
        Start again
      </Button>
      <a class="button" title="Next task: n" href={nextTask}>
        Next task
      </a>
    </header>
  );
}

/** Shown after the last call: how the episode ended, and what to do next. */
function EpisodeEnd({ playing, played, nextTask }: EpisodeProps) {
  const { stage, calls, failure, startAgain } = playing;
  const end = useRef<HTMLDivElement>(null);
  const settled = calls.filter(({ ms }) => ms !== undefined).length;
  useEffect(() => {
    if (settled > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [settled, stage]);
  return (
    <div class="stack play-end" ref={end}>
      {(stage === 'finished' || stage === 'answered') && (
        <section class="card stack play-over">
          <h2>
            {stage === 'finished' ? 'Finished' : 'Answered'}: reward {formatReward(rewardSum(calls))} in{' '}
            {plural(calls.length, 'call')}
          </h2>
          <div class="row">
            <ButtonLink href={nextTask}>Next task</ButtonLink>
            <Button onClick={startAgain}>Start again</Button>
          </div>
        </section>
      )}
      {stage === 'lost' && (
        <section class="card stack play-over failure" role="alert">
          <h2>The server no longer has this episode</h2>
          <p>{failure?.message}. It was restarted, or the episode has expired. This page shows what is left of it.</p>
          <Button class="primary" onClick={startAgain}>
            Start again
          </Button>
        </section>
      )}
      <RecordingPanel played={played} state={playing} />
    </div>
  );
}

/** Maximum number of tools as buttons; more become a select. */
const MAX_BUTTONS = 12;
const KEYS = 9;

interface ToolPanelProps {
  readonly tools: readonly ToolSpec[];
  readonly isDisabled: boolean;
  readonly onCall: (tool: string, input: JSONObject) => void;
}

/** Tools of an episode, with the form of the selected one; the address names it. */
function ToolPanel({ tools, isDisabled, onCall }: ToolPanelProps) {
  const requested = useQuery().get('tool');
  const tool = tools.find(({ name }) => name === requested) ?? tools[0];
  const [drafts, setDrafts] = useState<Readonly<Record<string, ToolDraft>>>({});
  const choose = (name: string) => changeQuery({ tool: name });
  const shortcuts = tools
    .slice(0, KEYS)
    .map(({ name }, at) => [`${at + 1}`, { description: `choose ${name}`, run: () => choose(name) }] as const);
  useShortcuts(Object.fromEntries(shortcuts));
  if (!tool) return <p class="none">This task has no tools.</p>;
  return (
    <>
      {tools.length > MAX_BUTTONS ? (
        <Select
          label="Tool"
          value={tool.name}
          options={tools.map(({ name }) => [name, name] as const)}
          onChoose={choose}
        />
      ) : (
        <div class="choices play-choice">
          {tools.map(({ name }) => (
            <Button key={name} aria-pressed={name === tool.name} onClick={() => choose(name)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      <ToolForm
        key={tool.name}
        tool={tool}
        value={Object.hasOwn(drafts, tool.name) ? (drafts[tool.name] ?? blankToolDraft(tool)) : blankToolDraft(tool)}
        onChange={(draft) => setDrafts({ ...drafts, [tool.name]: draft })}
        onCall={(input) => onCall(tool.name, input)}
        isDisabled={isDisabled}
      />
    </>
  );
}

const TICK_MS = 1_000;
/** Shown after this time, because most setups are fast. */
const LONG_S = 2;

/** Shown while the environment is set up, which may take minutes. */
function SetupProgress() {
  const [started] = useState(Date.now());
  const waited = Math.round((useNow(TICK_MS) - started) / 1_000);
  return (
    <>
      <Skeleton lines={6} />
      {waited >= LONG_S && <p class="none">The environment is being set up: {waited} s</p>}
    </>
  );
}

const CONFIRM_END = 'The episode is not finished. End it?';

/**
 * Asks for confirmation before a running episode is left by navigation or by closing the tab.
 *
 * @returns a function that asks for confirmation of another action.
 */
function useConfirmLeave({ environment, split, index }: PlaygroundTask, isRunning: boolean): () => boolean {
  const confirmEnd = () => !isRunning || confirm(CONFIRM_END);
  const isHere = (query: URLSearchParams) =>
    query.get('view') === 'play' &&
    query.get('environment') === environment &&
    (query.get('split') ?? split) === split &&
    Number(query.get('index')) === index;
  useNavigationGuard((query) => isHere(query) || confirmEnd());
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isRunning]);
  return confirmEnd;
}

/** Shows the prompt of an episode: plain, or as a conversation with the role of each message. */
export function Conversation({ messages }: { readonly messages: readonly Message[] }) {
  const isPlain = plainPrompt(messages) !== undefined;
  return (
    <>
      {messages.map((message, at) => (
        <article key={at} class={`card stack play-prompt play-prompt-${message.role}`}>
          <small>{isPlain ? 'Prompt' : `Prompt: ${message.role}`}</small>
          {blocksOf(message).map((block, position) => (
            <BlockView key={position} block={block} />
          ))}
        </article>
      ))}
    </>
  );
}

function BlockView({ block }: { readonly block: MessageBlock }) {
  if (block.type === 'reasoning')
    return (
      <details class="muted">
        <summary>Reasoning</summary>
        <OrsBlocks blocks={[{ type: 'text', text: block.text }]} />
      </details>
    );
  if (block.type === 'tool_call')
    return (
      <div class="sunken play-input">
        <code>{block.name}</code>
        <JsonTree value={block.input} openDepth={2} />
      </div>
    );
  if (block.type === 'tool_result')
    return (
      <div class={block.is_error ? 'play-error' : 'sunken play-input'}>
        <small>{block.is_error ? 'Result: an error' : 'Result'}</small>
        <OrsBlocks blocks={block.blocks} />
      </div>
    );
  return (
    <PayloadFrame kind="prompt" value={block as JSONValue} plain={block.type === 'text' ? block.text : undefined}>
      <OrsBlocks blocks={[block]} as="markdown" />
    </PayloadFrame>
  );
}

interface AnswerFormProps {
  readonly terminalTool: TerminalTool;
  readonly isDisabled: boolean;
  readonly onAnswer: (text: string) => void;
}

/** Form for the final message, which a terminal tool grades. Submits an empty text only if the user has emptied it. */
function AnswerForm({ terminalTool: { arg, description = '' }, isDisabled, onAnswer }: AnswerFormProps) {
  const [text, setText] = useState<string>();
  const [isSubmitted, setSubmitted] = useState(false);
  const problem = useId();
  const isMissing = typeof arg === 'string' && text === undefined;
  const submit = () => {
    setSubmitted(true);
    if (!isDisabled && !isMissing) onAnswer(pythonStrip(text ?? ''));
  };
  return (
    <form
      class="form stack play-answer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit()}
    >
      <h2>Final message</h2>
      {description !== '' && <p class="wrapped form-description">{description}</p>}
      {typeof arg === 'string' ? (
        <textarea
          class="form-text form-long"
          aria-label="Final message"
          rows={4}
          value={text ?? ''}
          onInput={(event) => setText(event.currentTarget.value)}
          {...(isMissing && isSubmitted && { 'aria-invalid': true, 'aria-describedby': problem })}
        />
      ) : (
        <small>The environment grades the episode without a text.</small>
      )}
      {isMissing && isSubmitted && (
        <ul class="form-problems" id={problem}>
          <li>must be filled in; to submit an empty text, type a character and delete it</li>
        </ul>
      )}
      <footer class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          Submit and end
        </button>
      </footer>
    </form>
  );
}
