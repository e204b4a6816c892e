import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { describeIssues, toSchema } from '../../schema/index.ts';
import type { Parameter } from '../remote/parameters.ts';
import { plainSchema } from './plain-schema.ts';

/** What is wrong with the value of a parameter; undefined if nothing is, or if only the server can tell. */
export async function problemOf(
  value: JSONValue,
  { name, schema }: Parameter,
  root: JSONObject,
): Promise<string | undefined> {
  try {
    const holder = { type: 'object', properties: { [name]: plainSchema(schema, root) }, required: [name] };
    const checked = await toSchema(holder, name).validate({ [name]: value });
    return checked.ok ? undefined : describeIssues(checked.issues).replaceAll(`/${name} `, '');
  } catch {
    // The schema needs more than is at hand here.
    return undefined;
  }
}
