import { useState } from 'preact/hooks';
import type { ToolSpec } from '../../../protocol/index.ts';
import { CopyButton } from '../parts/copy.tsx';
import { type InputSchema, inputSchema } from '../playground/form/input-schema.ts';
import { schemaRows } from './schema-rows.ts';

/** What a tool is for and what it takes. */
export function ToolDetails({ tool: { name, description, input_schema } }: { readonly tool: ToolSpec }) {
  const [isRaw, setRaw] = useState(false);
  const json = JSON.stringify(input_schema, null, 2);
  return (
    <article class="env-tool">
      <header class="row">
        <h3>
          <code>{name}</code>
        </h3>
        <span class="spring" />
        {isRaw && <CopyButton text={json} />}
        <button type="button" class="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          JSON schema
        </button>
      </header>
      <p>{description}</p>
      {isRaw ? <pre class="env-json">{json}</pre> : <SchemaTable schema={inputSchema(input_schema)} />}
    </article>
  );
}

function SchemaTable({ schema }: { readonly schema: InputSchema }) {
  const rows = schemaRows(schema);
  if (rows.length === 0) return <small>Takes no input that its schema names.</small>;
  return (
    <div class="scroll-x">
      <table class="env-schema">
        <thead>
          <tr>
            <th>Field</th>
            <th>Type</th>
            <th>About</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, description, notes }) => (
            <tr key={name}>
              <td>
                <code>{name}</code> <small>{isRequired ? 'required' : 'optional'}</small>
              </td>
              <td>
                <code>{type}</code>
              </td>
              <td>
                {description}
                {notes.length > 0 && <small> {notes.join(', ')}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
