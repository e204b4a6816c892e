import { expect, test } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type { components } from '../../generated/ors.ts';
import { schemaSets } from '../spec/golden-messages.ts';
import type * as documents from './documents.ts';
import { output as documentsOutput } from './documents.ts';
import type * as toolsDocument from './tools-document.ts';

type Schemas = components['schemas'];

/** T without null in optional properties: this server accepts null as absent, the documents only mention absence. */
type WithoutNull<T> = { [K in keyof T]: T extends Record<K, T[K]> ? T[K] : Exclude<T[K], null> };

type ToolOutput = Schemas['ToolOutput'];

// biome-ignore format: as the documents print it, but with our ToolOutput
const output: ToolOutput = {
  blocks: [{type: "text", text: "Correct!"}],
  reward: 1.0,
  finished: true
};

test('has every content type of the documents', () => {
  expectTypeOf<documents.JSONValue>().toExtend<Schemas['JSONValue']>();
  expectTypeOf<documents.JSONObject>().toExtend<Schemas['JSONObject']>();
  expectTypeOf<documents.TextBlock>().toExtend<Schemas['TextBlock']>();
  expectTypeOf<documents.ImageBlock>().toExtend<Schemas['ImageBlock']>();
  expectTypeOf<documents.Blocks>().toExtend<Schemas['Blocks']>();
  expectTypeOf<documents.Blocks[number]>().toExtend<Schemas['Block']>();
});

test('has every tool type of the documents', () => {
  expectTypeOf<documents.ToolSpec>().toExtend<Schemas['ToolSpec']>();
  expectTypeOf<documents.ToolOutput>().toExtend<Schemas['ToolOutput']>();
  expectTypeOf<documents.ToolCall>().toExtend<Schemas['ToolCall']>();
  expectTypeOf<documents.ListToolsOutput>().toExtend<Schemas['ListToolsOutput']>();
  expectTypeOf<documents.RunToolSuccess>().toExtend<Schemas['RunToolSuccess']>();
  expectTypeOf<documents.RunToolError>().toExtend<Schemas['RunToolError']>();
  expectTypeOf<documents.RunToolOutput>().toExtend<Schemas['RunToolOutput']>();
});

test('has every task and session type of the documents', () => {
  expectTypeOf<documents.Task>().toExtend<Schemas['Task']>();
  expectTypeOf<documents.Split>().toExtend<Schemas['Split']>();
  expectTypeOf<documents.ListTasks>().toExtend<Schemas['ListTasks']>();
  expectTypeOf<documents.NumTasks>().toExtend<Schemas['NumTasks']>();
  expectTypeOf<documents.GetTask>().toExtend<Schemas['GetTask']>();
  expectTypeOf<documents.GetTaskRange>().toExtend<Schemas['GetTaskRange']>();
  expectTypeOf<documents.CreateSession>().toExtend<Schemas['CreateSession']>();
});

test('ours are the types of the documents where nothing is optional', () => {
  expectTypeOf<Schemas['JSONValue']>().toExtend<documents.JSONValue>();
  expectTypeOf<Schemas['JSONObject']>().toExtend<documents.JSONObject>();
  expectTypeOf<Schemas['ToolSpec']>().toExtend<documents.ToolSpec>();
  expectTypeOf<Schemas['ListToolsOutput']>().toExtend<documents.ListToolsOutput>();
  expectTypeOf<Schemas['RunToolError']>().toExtend<documents.RunToolError>();
  expectTypeOf<Schemas['Task']>().toExtend<documents.Task>();
  expectTypeOf<Schemas['Split']>().toExtend<documents.Split>();
  expectTypeOf<Schemas['ListTasks']>().toExtend<documents.ListTasks>();
  expectTypeOf<Schemas['NumTasks']>().toExtend<documents.NumTasks>();
  expectTypeOf<Schemas['GetTask']>().toExtend<documents.GetTask>();
});

test('ours are the types of the documents but for null in place of absent', () => {
  expectTypeOf<WithoutNull<Schemas['TextBlock']>>().toExtend<documents.TextBlock>();
  expectTypeOf<WithoutNull<Schemas['ImageBlock']>>().toExtend<documents.ImageBlock>();
  expectTypeOf<WithoutNull<Schemas['ToolCall']>>().toExtend<documents.ToolCall>();
  expectTypeOf<WithoutNull<Schemas['GetTaskRange']>>().toExtend<documents.GetTaskRange>();
  expectTypeOf<WithoutNull<Schemas['CreateSession']>>().toExtend<documents.CreateSession>();
});

test('sends only what the documents let clients expect', () => {
  expectTypeOf<Schemas['SerializedTextBlock']>().toExtend<Schemas['TextBlock']>();
  expectTypeOf<Schemas['SerializedImageBlock']>().toExtend<Schemas['ImageBlock']>();
  expectTypeOf<Schemas['SerializedBlocks']>().toExtend<Schemas['Blocks']>();
  expectTypeOf<Schemas['SerializedToolOutput']>().toExtend<Schemas['ToolOutput']>();
  expectTypeOf<Schemas['SerializedRunToolSuccess']>().toExtend<Schemas['RunToolSuccess']>();
  expectTypeOf<Schemas['SerializedRunToolOutput']>().toExtend<Schemas['RunToolOutput']>();
});

test('accepts the output in the tools document after `finished` is added', () => {
  expectTypeOf<toolsDocument.ToolOutput & { finished: boolean }>().toExtend<Schemas['ToolOutput']>();
});

test('rejects a type that the documents do not allow', () => {
  expectTypeOf<{ type: 'video'; text: string }>().not.toExtend<Schemas['Block']>();
  expectTypeOf<{ blocks: documents.Blocks; finished: boolean; reward: string }>().not.toExtend<Schemas['ToolOutput']>();
  expectTypeOf<{ name: string; type: 'hard' }>().not.toExtend<Schemas['Split']>();
});

test('accepts the output that the documents print', () => {
  const [ors] = schemaSets;

  const validate = ors?.validator('ToolOutput');

  expect(output).toEqual(documentsOutput);
  expect(validate?.(output)).toBe(true);
});
