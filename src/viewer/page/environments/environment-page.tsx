import { useState } from 'preact/hooks';
import { formatCount } from '../../../core/index.ts';
import type { ToolSpec } from '../../../protocol/index.ts';
import { SERVER_FEATURES } from '../api/access.ts';
import { buildHref, useQuery } from '../api/location.ts';
import { SERVER_URL } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { CopyButton, QuietButton, Snippet } from '../parts/buttons.tsx';
import { type Column, Table } from '../parts/list.tsx';
import { Loaded } from '../parts/states.tsx';
import { type InputSchema, inputSchema, type SchemaRow, schemaRows } from './input-schema.ts';
import { NoEnvironments, NotFound } from './notices.tsx';
import { EnvironmentsPage } from './page.tsx';
import { type DescribedEnvironment, describeEnvironment } from './server.ts';
import { clientProgramText, playCommandText, rolloutCommandText } from './task-text.ts';
import { SplitTaskList } from './tasks.tsx';
import './environments.css';

/** Shows an environment: its tasks, its tools and commands to play it. Without a name it shows the list. */
export function EnvironmentPage() {
  const environment = useQuery().get('environment') ?? '';
  return environment === '' ? <EnvironmentsPage /> : <OneEnvironment environment={environment} />;
}

function OneEnvironment({ environment }: { readonly environment: string }) {
  const loaded = useLoad(SERVER_FEATURES.environments ? environment : undefined, (signal) =>
    describeEnvironment(environment, signal),
  );
  document.title = `${environment} – ors`;
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  if (loaded.failure?.kind === 'missing' && !loaded.data) return <NotFound what={loaded.failure.message} />;
  return (
    <Loaded state={loaded} lines={10}>
      {(described) => <Environment environment={environment} {...described} />}
    </Loaded>
  );
}

interface EnvironmentProps extends DescribedEnvironment {
  readonly environment: string;
}

function Environment({ environment, splits, tools, terminalTool }: EnvironmentProps) {
  const requested = useQuery().get('split');
  const split = splits.find(({ name }) => name === (requested ?? splits[0]?.name));
  const task = { url: SERVER_URL, environment, split: split?.name ?? '' };
  return (
    <>
      <header class="row">
        <h1>
          <a href={buildHref({ view: 'environments' })}>Environments</a> / {environment}
        </h1>
      </header>
      <div class="columns env-columns">
        <section class="stack env-main">
          <h2>Tasks</h2>
          <nav class="row env-tabs" aria-label="Splits">
            {splits.map(({ name, type, tasks }) => (
              <a
                key={name}
                class="tab"
                href={buildHref({ view: 'environment', environment, split: name })}
                aria-current={name === split?.name ? 'page' : undefined}
              >
                {name}
                <small>
                  {type !== name && `${type} · `}
                  {formatCount(tasks)}
                </small>
              </a>
            ))}
          </nav>
          {split ? (
            <SplitTaskList environment={environment} split={split} key={split.name} />
          ) : (
            <p class="none">Unknown split “{requested}”. Select one above.</p>
          )}
        </section>
        <aside class="stack env-side">
          <section class="stack">
            <h2>Tools</h2>
            {tools.length === 0 && !terminalTool && (
              <p class="none">Its tools depend on the task. Play a task to see them.</p>
            )}
            {tools.map((tool) => (
              <ToolDetails key={tool.name} tool={tool} />
            ))}
            {terminalTool && (
              <article class="raised stack env-tool">
                <h3>Final message</h3>
                <p class="wrapped">{terminalTool.description}</p>
              </article>
            )}
          </section>
          {split && (
            <section class="stack env-commands">
              <h2>Use it elsewhere</h2>
              <p class="muted">From a terminal:</p>
              <Snippet code={playCommandText(task)} />
              <p class="muted">With a model:</p>
              <Snippet code={rolloutCommandText(task)} />
              <p class="muted">From TypeScript:</p>
              <Snippet code={clientProgramText(task, tools[0]?.name)} />
            </section>
          )}
        </aside>
      </div>
    </>
  );
}

/** Shows the description and input fields of a tool. */
function ToolDetails({ tool: { name, description, input_schema } }: { readonly tool: ToolSpec }) {
  const [isRaw, setRaw] = useState(false);
  const json = JSON.stringify(input_schema, null, 2);
  return (
    <article class="raised stack env-tool">
      <header class="row">
        <h3>
          <code>{name}</code>
        </h3>
        <span class="spring" />
        {isRaw && <CopyButton text={json} />}
        <QuietButton aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          JSON schema
        </QuietButton>
      </header>
      <p class="wrapped">{description}</p>
      {isRaw ? <pre class="sunken env-json">{json}</pre> : <SchemaTable schema={inputSchema(input_schema)} />}
    </article>
  );
}

function SchemaTable({ schema }: { readonly schema: InputSchema }) {
  const rows = schemaRows(schema);
  if (rows.length === 0) return <small>Its schema names no input.</small>;
  return <Table class="env-schema" columns={SCHEMA_COLUMNS} rows={rows} keyOf={({ name }) => name} />;
}

const SCHEMA_COLUMNS: readonly Column<SchemaRow>[] = [
  {
    label: 'Field',
    cell: ({ name, isRequired }) => (
      <>
        <code>{name}</code> <small>{isRequired ? 'required' : 'optional'}</small>
      </>
    ),
  },
  { label: 'Type', cell: ({ type }) => <code>{type}</code> },
  {
    label: 'About',
    cell: ({ description, notes }) => (
      <>
        {description}
        {notes.length > 0 && <small> {notes.join(', ')}</small>}
      </>
    ),
  },
];
