// generated from ors.openapi.yaml by ors generate; never edit

/** @description Any JSON value. */
export type JSONValue = string | number | boolean | null | {
    [key: string]: JSONValue;
} | JSONValue[];
export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report that the server is running */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report whether the server accepts new episodes */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the implementation and its version */
        get: operations["version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get metrics for Prometheus */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/list_environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the environments of this server */
        get: operations["listEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/create_session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a session id
         * @description Creates no session. Responds with Server-Sent Events (`task_id` with the id, then `end` with `{"sid": ...}`) if `Accept` prefers `text/event-stream` to JSON, by quality and order, otherwise with JSON.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the episode of a session
         * @description Responds at once; setup runs in the background, and later requests wait for it. Either `task_spec`, or `split` and `index`, selects the task. Unknown fields are ignored and listed in `X-Ignored-Fields`.
         */
        post: operations["createEpisode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a session that continues from a call of another one
         * @description The new session has the task and the state of the session in `X-Session-ID`: with `at`, as they were when that call had its result, else after the calls that are running now, which the request waits for. Its next calls get the random numbers that those of the other session get there. It is independent, can be forked itself, and knows the results of earlier calls by their `task_id`. The other session does not change, and may be finished. Responds when the state is there. 404 for an existing session means that the server, or the environment, cannot fork sessions; `supports_fork` of `/tools`, and of `/version` for some environment, announces that they can. Not in the documents.
         */
        post: operations["forkEpisode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a session alive */
        post: operations["ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tear down an episode
         * @description Runs the environment's teardown exactly once. A repeated delete succeeds.
         */
        post: operations["deleteEpisode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete_session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a session id
         * @description Optional after `/delete`. Succeeds for every id and deletes nothing.
         */
        post: operations["deleteSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tools shared by all tasks */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the splits */
        get: operations["listSplits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the tasks of a split */
        post: operations["listTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/num_tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count the tasks of a split */
        post: operations["countTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get one task */
        post: operations["getTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/task_range": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a slice of the tasks
         * @description Bounds follow Python's slice rules and are clamped, so no integer is out of range.
         */
        post: operations["getTaskRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/task_tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools of this episode
         * @description The shared tools and those of the episode's task. The session determines the environment, not the path.
         */
        get: operations["listTaskTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the prompt of the episode
         * @description The session determines the environment, not the path. Waits for setup: up to 25 seconds if the client sends `Prefer: wait=25` (or another number of seconds), then responds 503 with `X-Backend-State: starting`.
         */
        get: operations["getPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the prompt of the episode as a conversation
         * @description An environment whose author returns only a prompt responds with one message of the user. `/prompt` of an environment whose author returns only messages has them in one list of blocks. The session determines the environment, not the path. Not in the documents; from openreward 0.1.157.
         */
        get: operations["getMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/score_group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare several rollouts of the task of a session
         * @description Responds like `/call`, with a `ScoreGroupOutput`. Does not advance the episode, and also works after its end. Comparative rewards are added to the rewards of the episodes and do not replace them. A path that does not exist (404) means that the environment cannot compare rollouts. Not in the documents; from openreward 0.1.157.
         */
        post: operations["scoreGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{owner}/{name}/required-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets that an environment needs
         * @description For programs that ask a platform before they create an episode. Every owner is accepted, also an empty one; a name that is not served means the default environment. Not in the documents; from openreward 0.1.112.
         */
        get: operations["listRequiredSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{env_name}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool
         * @description The response is always an event stream, regardless of `Accept`: `task_id` immediately, then `chunk` events for a result of more than 4096 bytes, then `end`, or `error` instead. A request with the `task_id` of an earlier call gets the result of that call and runs nothing; results are kept for 60 seconds. An id that the server issued in another session, or before a restart, gets `error`; an id that the client chose starts a call.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Any JSON value. */
        JSONValue: JSONValue;
        /** @description Any JSON object. */
        JSONObject: {
            [key: string]: JSONValue;
        };
        /**
         * @description Text content.
         * @example {
         *       "type": "text",
         *       "text": "What is 2+2?",
         *       "detail": {
         *         "language": "en"
         *       }
         *     }
         */
        TextBlock: {
            /** @constant */
            type: "text";
            text: string;
            /** @description Information about this block; not shown to the model. */
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description An image. */
        ImageBlock: {
            /** @constant */
            type: "image";
            /** @description The image in base64. */
            data: string;
            /** @description A media type such as image/png. */
            mimeType: string;
            /** @description Information about this block; not shown to the model. */
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description A piece of content. */
        Block: components["schemas"]["TextBlock"] | components["schemas"]["ImageBlock"];
        /** @description Content in order. */
        Blocks: components["schemas"]["Block"][];
        /** @description A tool as agents see it. */
        ToolSpec: {
            name: string;
            description: string;
            /** @description JSON Schema of the parameters; null if there are none. */
            input_schema: components["schemas"]["JSONObject"] | null;
        };
        /** @description Output of a tool, as an author or another server may send it. */
        ToolOutput: {
            blocks: components["schemas"]["Blocks"];
            /** @description The reward of this step; null or absent means that there is none, which differs from 0. */
            reward?: number | null;
            /** @description Whether the episode is complete. */
            finished: boolean;
            /** @description For logs and analysis; not shown to the model. */
            metadata?: components["schemas"]["JSONObject"] | null;
        };
        /**
         * @description A request to run a tool.
         * @example {
         *       "name": "submit",
         *       "input": {
         *         "answer": "42"
         *       },
         *       "task_id": "trace-123"
         *     }
         */
        ToolCall: {
            name: string;
            /** @description Parameters that match the tool's input_schema. */
            input: components["schemas"]["JSONObject"];
            /** @description Id of an earlier call to resume, or an id that the client chooses for this call. */
            task_id?: components["schemas"]["CallKey"] | null;
        };
        /** @description A list of tools. */
        ListToolsOutput: {
            tools: components["schemas"]["ToolSpec"][];
            /** @description The tool that grades the final message of the agent, which is not in `tools`; null or absent if there is none. */
            terminal_tool?: components["schemas"]["TerminalTool"] | null;
            /** @description Whether `/score_group` compares rollouts of this environment; absent means false. */
            supports_score_group?: boolean | null;
            /** @description Whether `/fork` forks sessions of this environment; absent means false. */
            supports_fork?: boolean | null;
            /** @description Types of blocks that messages of this server may have; absent means text and image. */
            message_block_types?: string[] | null;
        };
        /**
         * @description The tool that receives the final message of an agent.
         * @example {
         *       "name": "submit",
         *       "arg": "answer",
         *       "description": "Grades the answer."
         *     }
         */
        TerminalTool: {
            name: string;
            /** @description The parameter that receives the text; null or absent if the tool has no parameters. */
            arg?: string | null;
            description?: string;
        };
        /** @description The output of a tool. */
        RunToolSuccess: {
            /** @constant */
            ok: true;
            output: components["schemas"]["ToolOutput"];
        };
        /** @description A failure of a tool that the agent can handle. */
        RunToolError: {
            /** @constant */
            ok: false;
            error: string;
            /** @description Why the server refused the call: `not_found`, `name_collision`, `input_validation` or `episode_finished`; or `interrupted`, if the server ended during the call and did not repeat it. Null or absent if the tool itself failed. Other values may follow. */
            reason?: string | null;
        };
        /** @description The result of a call; `ok` distinguishes the two forms. */
        RunToolOutput: components["schemas"]["RunToolSuccess"] | components["schemas"]["RunToolError"];
        /** @description Text of a model's reasoning. */
        ReasoningBlock: {
            /** @constant */
            type: "reasoning";
            text: string;
            /** @description The provider's signature of the text. */
            signature?: string | null;
            /** @description Information about this block; not shown to the model. */
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description A tool call of the assistant. */
        ToolCallBlock: {
            /** @constant */
            type: "tool_call";
            id: string;
            name: string;
            input: components["schemas"]["JSONObject"];
            /** @description Information about this block; not shown to the model. */
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description The result of a tool call. */
        ToolResultBlock: {
            /** @constant */
            type: "tool_result";
            tool_call_id: string;
            blocks: components["schemas"]["Blocks"];
            /** @description Default: false. */
            is_error?: boolean | null;
            /** @description Information about this block; not shown to the model. */
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description Instructions to the agent. */
        SystemMessage: {
            /** @constant */
            role: "system";
            blocks: components["schemas"]["Blocks"];
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description A message of the user, with the results of the assistant's tool calls. */
        UserMessage: {
            /** @constant */
            role: "user";
            blocks: (components["schemas"]["TextBlock"] | components["schemas"]["ImageBlock"] | components["schemas"]["ToolResultBlock"])[];
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description A message of the agent, with its reasoning and tool calls. */
        AssistantMessage: {
            /** @constant */
            role: "assistant";
            blocks: (components["schemas"]["TextBlock"] | components["schemas"]["ImageBlock"] | components["schemas"]["ReasoningBlock"] | components["schemas"]["ToolCallBlock"])[];
            detail?: components["schemas"]["JSONObject"] | null;
        };
        /** @description A message of a conversation. */
        Message: components["schemas"]["SystemMessage"] | components["schemas"]["UserMessage"] | components["schemas"]["AssistantMessage"];
        /** @description A conversation as this server sends it, with every nullable field. */
        SerializedMessages: components["schemas"]["SerializedMessage"][];
        /** @description A message as this server sends it. */
        SerializedMessage: {
            /** @enum {string} */
            role: "system" | "user" | "assistant";
            blocks: (components["schemas"]["SerializedTextBlock"] | components["schemas"]["SerializedImageBlock"] | components["schemas"]["SerializedReasoningBlock"] | components["schemas"]["SerializedToolCallBlock"] | components["schemas"]["SerializedToolResultBlock"])[];
            detail: components["schemas"]["JSONObject"] | null;
        };
        SerializedReasoningBlock: {
            text: string;
            signature: string | null;
            detail: components["schemas"]["JSONObject"] | null;
            /** @constant */
            type: "reasoning";
        };
        SerializedToolCallBlock: {
            id: string;
            name: string;
            input: components["schemas"]["JSONObject"];
            detail: components["schemas"]["JSONObject"] | null;
            /** @constant */
            type: "tool_call";
        };
        SerializedToolResultBlock: {
            tool_call_id: string;
            blocks: components["schemas"]["SerializedBlocks"];
            is_error: boolean;
            detail: components["schemas"]["JSONObject"] | null;
            /** @constant */
            type: "tool_result";
        };
        /** @description Rollouts of one task to compare. */
        ScoreGroup: {
            candidates: components["schemas"]["ScoreGroupCandidate"][];
            /** @description Id of an earlier scoring to resume. */
            task_id?: components["schemas"]["CallKey"] | null;
        };
        /** @description One rollout. */
        ScoreGroupCandidate: {
            /** @description Messages of the rollout. In requests, the `type` of a block may be missing. */
            messages: components["schemas"]["JSONObject"][];
            /** @description Information about the rollout for the environment. */
            metadata?: components["schemas"]["JSONObject"] | null;
        };
        /** @description The comparative reward of one rollout. */
        GroupScore: {
            reward: number;
            metadata?: components["schemas"]["JSONObject"] | null;
        };
        /** @description Comparative rewards in the order of the candidates. */
        ScoreGroupOutput: {
            scores: components["schemas"]["GroupScore"][];
        };
        RequiredSecrets: {
            secrets: string[];
        };
        /** @description A task; each environment defines its own fields. */
        Task: components["schemas"]["JSONObject"];
        /** @description A named list of tasks. */
        Split: {
            name: string;
            /** @enum {string} */
            type: "train" | "validation" | "test";
        };
        /** @description A tool as this server sends it, without further fields, which would break an existing client. */
        SerializedToolSpec: {
            name: string;
            description: string;
            input_schema: components["schemas"]["JSONObject"] | null;
        };
        /** @description A list of tools as this server sends it. */
        SerializedListToolsOutput: {
            tools: components["schemas"]["SerializedToolSpec"][];
            terminal_tool?: components["schemas"]["TerminalTool"] | null;
            supports_score_group?: boolean;
            supports_fork?: boolean;
            message_block_types?: ("text" | "image" | "reasoning" | "tool_call" | "tool_result")[];
        };
        ListTasks: {
            split: string;
        };
        NumTasks: {
            split: string;
        };
        GetTask: {
            split: string;
            /** @description Zero-based. */
            index: number;
        };
        GetTaskRange: {
            split: string;
            /** @description First index; negative counts from the end. Default: 0. */
            start?: number | null;
            /** @description Index after the last; negative counts from the end. Default: the number of tasks. */
            stop?: number | null;
        };
        /** @description Environment, task and secrets of a new episode. */
        CreateSession: {
            /** @description Default: the first environment. */
            env_name?: string | null;
            /** @description The task itself; excludes split and index. */
            task_spec?: components["schemas"]["JSONObject"] | null;
            /** @description The split of the task; requires index. */
            split?: string | null;
            /** @description The task's zero-based index in the split. */
            index?: number | null;
            /** @description Toolset of the environment to add to the tools of the episode; null or absent for none. */
            toolset_name?: string | null;
            /** @description Secrets for the environment by name; never logged, stored or echoed. */
            secrets?: components["schemas"]["Secrets"] | null;
        };
        /** @description Values by name. */
        Secrets: {
            [key: string]: string;
        };
        /** @description All fields are optional; unknown fields are ignored. */
        IssueSession: {
            /** @description A session id that was issued before, to be issued again. */
            task_id?: components["schemas"]["SessionKey"] | null;
        };
        ForkSession: {
            /** @description Id of a call of the session that has a result: the new session continues after it, without the calls that were running then. Null or absent: after all calls until now. */
            at?: components["schemas"]["CallKey"] | null;
            /** @description Idempotency key that the client chose: a repeated request with the same `task_id` returns the id of the session that the first one created, unless that has ended. With another `at` it is rejected. Null or absent: every request creates a session. */
            task_id?: components["schemas"]["CallKey"] | null;
        };
        /** @description A session id: 1 to 128 visible ASCII characters. */
        SessionKey: string;
        /** @description A call id: 1 to 128 visible ASCII characters. */
        CallKey: string;
        /**
         * @example {
         *       "sid": "abc-123-def-456"
         *     }
         */
        SessionId: {
            sid: string;
        };
        Status: {
            /** @constant */
            status: "ok";
        };
        Version: {
            name: string;
            version: string;
            /** @description Whether `/fork` forks sessions of at least one environment, which `supports_fork` of `/tools` announces; absent means false. */
            supports_fork?: boolean;
        };
        /** @description Tasks in the order of their split. */
        TaskList: {
            tasks: components["schemas"]["Task"][];
            env_name?: string;
        };
        /** @description Tasks as this server sends them; an existing client requires env_name in every response. */
        SerializedTaskList: {
            tasks: components["schemas"]["Task"][];
            env_name: string;
        };
        TaskCount: {
            num_tasks: number;
        };
        /** @description One task. */
        TaskItem: {
            task: components["schemas"]["Task"];
            env_name?: string;
        };
        /** @description One task as this server sends it. */
        SerializedTaskItem: {
            task: components["schemas"]["Task"];
            env_name: string;
        };
        /** @description The problem, in one sentence. */
        ErrorResponse: {
            detail: string;
        };
        /** @description Reason why no session can be created; with `active` and `max` if the number of sessions is the reason. */
        UnavailableResponse: {
            detail: string;
            /** @description Current number of sessions. */
            active?: number;
            /** @description Maximum number of sessions. */
            max?: number;
        };
        /** @description The call's id; always the first event. */
        TaskIdEvent: {
            /** @constant */
            event: "task_id";
            data: string;
        };
        /** @description A part of the result; the data of all chunks and of `end`, joined, is its JSON. */
        ChunkEvent: {
            /** @constant */
            event: "chunk";
            data: string;
        };
        /** @description The result's JSON, or its last part. No event follows. */
        EndEvent: {
            /** @constant */
            event: "end";
            data: string;
        };
        /** @description The call failed without a result. No event follows. */
        ErrorEvent: {
            /** @constant */
            event: "error";
            data: string;
        };
        /** @description An event of a call's stream. */
        CallEvent: components["schemas"]["TaskIdEvent"] | components["schemas"]["ChunkEvent"] | components["schemas"]["EndEvent"] | components["schemas"]["ErrorEvent"];
        /** @description Text content as this server sends it. */
        SerializedTextBlock: {
            text: string;
            detail: components["schemas"]["JSONObject"] | null;
            /** @constant */
            type: "text";
        };
        /** @description An image as this server sends it. */
        SerializedImageBlock: {
            data: string;
            mimeType: string;
            detail: components["schemas"]["JSONObject"] | null;
            /** @constant */
            type: "image";
        };
        /** @description A piece of content as this server sends it. */
        SerializedBlock: components["schemas"]["SerializedTextBlock"] | components["schemas"]["SerializedImageBlock"];
        /** @description Content in order, as this server sends it. */
        SerializedBlocks: components["schemas"]["SerializedBlock"][];
        /** @description A tool's output as this server sends it. */
        SerializedToolOutput: {
            blocks: components["schemas"]["SerializedBlocks"];
            metadata: components["schemas"]["JSONObject"] | null;
            reward: number | null;
            finished: boolean;
        };
        /** @description The output of a tool as this server sends it. */
        SerializedRunToolSuccess: {
            /** @constant */
            ok: true;
            output: components["schemas"]["SerializedToolOutput"];
        };
        /** @description The result of a call as this server sends it. */
        SerializedRunToolOutput: components["schemas"]["SerializedRunToolSuccess"] | components["schemas"]["RunToolError"];
    };
    responses: {
        /** @description Success. */
        Status: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The session's id. */
        SessionId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SessionId"];
            };
        };
        /** @description Tool specifications. */
        Tools: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SerializedListToolsOutput"];
            };
        };
        /** @description Tasks in the order of the split. */
        TaskList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SerializedTaskList"];
            };
        };
        /** @description The request is invalid; `detail` says how to correct it. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The environment, session or path does not exist. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The session was deleted or has expired. */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body exceeds the server's limit. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The server accepts no new episodes now: it is shutting down or has no free session slot (503), or the API key has none left (429). */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableResponse"];
            };
        };
        /** @description Setup has not ended within the time that the client is ready to wait; repeat the request. Sent only to clients that announce with `Prefer: wait=...` or by their `User-Agent` that they understand it. Also 503 if the server is shutting down, then without `X-Backend-State`. */
        Starting: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                /** @description `starting`: setup continues. */
                "X-Backend-State"?: "starting";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Any other failure, such as 401 for a request without a valid API key. */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /** @description Name of an environment; case-insensitive. */
        EnvironmentName: string;
        /** @description The session's id, issued by `/create_session` or chosen by the client. */
        SessionId: components["schemas"]["SessionKey"];
        /** @description Secrets as base64 of a JSON object from name to `{"value": string}`. A secret of the same name in the body takes precedence. */
        Secrets: string;
        /** @description Counts as activity of the session, if there is one. */
        ActiveSession: string;
        /** @description `[owner/]name` of the environment, for a request that names none; ignored if there is no such environment. */
        Deployment: string;
        /** @description The run that the episode belongs to, if the server records its episodes. */
        TraceRun: string;
        /** @description The group of episodes of one task that the episode is compared with, if the server records its episodes. */
        TraceGroup: string;
        /** @description Tags of the episode, comma-separated, if the server records its episodes. The viewer leaves episodes with `conformance` or `by-hand` out of the latest ones. */
        TraceTags: string;
    };
    requestBodies: {
        /** @description Accepts no fields. */
        None: {
            content: {
                "application/json": {
                    [key: string]: never;
                };
            };
        };
    };
    headers: {
        /** @description The session's id, from which a proxy can learn which node has the session. */
        SessionId: components["schemas"]["SessionKey"];
        /** @description Seconds after which the client may retry. */
        RetryAfter: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Status"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Status"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    version: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Name, version and features. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Version"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counters, gauges and histograms in Prometheus' text format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document that this server validates requests against. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JSONObject"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Environment names, the default one first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "math",
                     *       "code_env",
                     *       "web_nav"
                     *     ]
                     */
                    "application/json": string[];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IssueSession"];
            };
        };
        responses: {
            /** @description The new session id. */
            200: {
                headers: {
                    "X-Session-ID": components["headers"]["SessionId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionId"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    createEpisode: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
                /** @description Secrets as base64 of a JSON object from name to `{"value": string}`. A secret of the same name in the body takes precedence. */
                "X-Secrets"?: components["parameters"]["Secrets"];
                /** @description `[owner/]name` of the environment, for a request that names none; ignored if there is no such environment. */
                "X-Deployment"?: components["parameters"]["Deployment"];
                /** @description The run that the episode belongs to, if the server records its episodes. */
                "X-Trace-Run"?: components["parameters"]["TraceRun"];
                /** @description The group of episodes of one task that the episode is compared with, if the server records its episodes. */
                "X-Trace-Group"?: components["parameters"]["TraceGroup"];
                /** @description Tags of the episode, comma-separated, if the server records its episodes. The viewer leaves episodes with `conformance` or `by-hand` out of the latest ones. */
                "X-Trace-Tags"?: components["parameters"]["TraceTags"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSession"];
            };
        };
        responses: {
            /** @description The episode exists. */
            200: {
                headers: {
                    "X-Session-ID": components["headers"]["SessionId"];
                    /** @description Names of body fields that had no effect, comma-separated and percent-encoded. */
                    "X-Ignored-Fields"?: string;
                    /** @description Id of the trace of the episode, if this server records it. */
                    "X-Trace-ID"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionId"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Unavailable"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    forkEpisode: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
                /** @description Secrets as base64 of a JSON object from name to `{"value": string}`. A secret of the same name in the body takes precedence. */
                "X-Secrets"?: components["parameters"]["Secrets"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForkSession"];
            };
        };
        responses: {
            /** @description The new session. */
            200: {
                headers: {
                    "X-Session-ID": components["headers"]["SessionId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionId"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Unavailable"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    ping: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["None"];
        responses: {
            200: components["responses"]["Status"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    deleteEpisode: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["None"];
        responses: {
            200: components["responses"]["SessionId"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["None"];
        responses: {
            200: components["responses"]["SessionId"];
            400: components["responses"]["BadRequest"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: {
                /** @description Counts as activity of the session, if there is one. */
                "X-Session-ID"?: components["parameters"]["ActiveSession"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Tools"];
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listSplits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Counts as activity of the session, if there is one. */
                "X-Session-ID"?: components["parameters"]["ActiveSession"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Splits in the author's order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Split"][];
                };
            };
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Counts as activity of the session, if there is one. */
                "X-Session-ID"?: components["parameters"]["ActiveSession"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListTasks"];
            };
        };
        responses: {
            200: components["responses"]["TaskList"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    countTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Counts as activity of the session, if there is one. */
                "X-Session-ID"?: components["parameters"]["ActiveSession"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NumTasks"];
            };
        };
        responses: {
            /** @description The number of tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskCount"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Counts as activity of the session, if there is one. */
                "X-Session-ID"?: components["parameters"]["ActiveSession"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTask"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SerializedTaskItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getTaskRange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Counts as activity of the session, if there is one. */
                "X-Session-ID"?: components["parameters"]["ActiveSession"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetTaskRange"];
            };
        };
        responses: {
            200: components["responses"]["TaskList"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listTaskTools: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Tools"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Starting"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getPrompt: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prompt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SerializedBlocks"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Starting"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getMessages: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SerializedMessages"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Starting"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    scoreGroup: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoreGroup"];
            };
        };
        responses: {
            /** @description The scoring's events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listRequiredSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Has no effect. */
                owner: string;
                /** @description Name of an environment; case-insensitive. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names of the secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequiredSecrets"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header: {
                /** @description The session's id, issued by `/create_session` or chosen by the client. */
                "X-Session-ID": components["parameters"]["SessionId"];
            };
            path: {
                /** @description Name of an environment; case-insensitive. */
                env_name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolCall"];
            };
        };
        responses: {
            /** @description The call's events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
}
