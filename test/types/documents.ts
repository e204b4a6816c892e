// The TypeScript of the data types document, as printed there, one snippet after the other.
// biome-ignore-all format: verbatim
// biome-ignore-all lint: verbatim

type JSONValue =
  | string
  | number
  | boolean
  | null
  | { [key: string]: JSONValue }
  | JSONValue[]

type JSONObject = { [key: string]: JSONValue }

interface TextBlock {
  type: "text"
  text: string
  detail?: JSONObject
}

interface ImageBlock {
  type: "image"
  data: string
  mimeType: string
  detail?: JSONObject
}

type Blocks = Array<TextBlock | ImageBlock>

interface ToolSpec {
  name: string
  description: string
  input_schema: JSONObject | null
}

interface ToolOutput {
  blocks: Blocks
  reward?: number
  finished: boolean
  metadata?: JSONObject
}

interface ToolCall {
  name: string
  input: JSONObject
  task_id?: string
}

interface ListToolsOutput {
  tools: ToolSpec[]
}

interface RunToolSuccess {
  ok: true
  output: ToolOutput
}

interface RunToolError {
  ok: false
  error: string
}

type RunToolOutput = RunToolSuccess | RunToolError

type Task = JSONObject

interface Split {
  name: string
  type: "train" | "validation" | "test"
}

interface ListTasks {
  split: string
}

interface NumTasks {
  split: string
}

interface GetTask {
  split: string
  index: number
}

interface GetTaskRange {
  split: string
  start?: number
  stop?: number
}

interface CreateSession {
  env_name?: string
  task_spec?: JSONObject
  split?: string
  index?: number
  secrets?: { [key: string]: string }
}

interface ToolOutput {
  blocks: Blocks;
  reward?: number;
  finished: boolean;
  metadata?: JSONObject;
}

// Create tool output
const output: ToolOutput = {
  blocks: [{type: "text", text: "Correct!"}],
  reward: 1.0,
  finished: true
};

export type {
  Blocks,
  CreateSession,
  GetTask,
  GetTaskRange,
  ImageBlock,
  JSONObject,
  JSONValue,
  ListTasks,
  ListToolsOutput,
  NumTasks,
  RunToolError,
  RunToolOutput,
  RunToolSuccess,
  Split,
  Task,
  TextBlock,
  ToolCall,
  ToolOutput,
  ToolSpec,
};
export { output };
