// generated from trace.openapi.yaml by ors generate; never edit

export type JSONValue = string | number | boolean | null | {
    [key: string]: JSONValue;
} | JSONValue[];
export interface paths {
    "/v1/organizations/{org}/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List traces */
        get: operations["listTraces"];
        put?: never;
        /**
         * Create a trace
         * @description The same id with the same fields again is answered 200 with the trace that is there.
         */
        post: operations["createTrace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/traces/{traceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a trace without its blocks */
        get: operations["getTrace"];
        put?: never;
        post?: never;
        /**
         * Delete a trace and its blocks
         * @description Its id is answered 410 from then on.
         */
        delete: operations["deleteTrace"];
        options?: never;
        head?: never;
        /** Change what may change of a trace */
        patch: operations["updateTrace"];
        trace?: never;
    };
    "/v1/organizations/{org}/traces/{traceId}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read blocks in the order in which they were written */
        get: operations["listBlocks"];
        put?: never;
        /**
         * Write one block, or up to 1000 all or none
         * @description One block is answered with the block, a batch with a receipt for each. Blocks that are there already with the same content are not written again: where all are, the answer is 200.
         */
        post: operations["appendBlocks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/traces/{traceId}/blocks/{blockId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a block */
        get: operations["getBlock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/traces/{traceId}/blocks.stitched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a trace as a tree
         * @description Messages, under each its thoughts and tool calls, under each call its results. A page holds whole messages.
         */
        get: operations["stitchedBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find blocks in many traces
         * @description Blocks to which all that is asked for applies, as outlines: those of the newest trace first, within a trace in the order in which they were written. Without `trace_id`, `run`, `environment` and `group_id` all traces of the organization are searched. One request does no more than a fraction of a second of work, and then answers with what it has found: a page may have fewer hits than `limit`, or none, and all the same a `next_cursor`. Only where that is null, everything was searched. Traces and blocks that are written meanwhile are found if they come after the place that the search has reached; no block is found twice.
         */
        get: operations["findBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/traces/{traceId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a trace while it is written
         * @description Sends every block as an event `block` whose id is its place, from the first or from `Last-Event-ID` on, without gap or repetition, and an event `trace` when its counters or status have changed. The stream ends with an event `deleted` when the trace is deleted, and with an event `error` when its API key is revoked; the data of both is a TraceError.
         */
        get: operations["streamTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/traces/{traceId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a trace */
        get: operations["exportTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List runs */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/runs/{run}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the rewards of a run by step */
        get: operations["runStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/runs/{run}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all traces of a run */
        get: operations["exportRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups of rollouts of one task, with advantages */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import traces
         * @description Traces and blocks are written by the same rules as any write. What cannot be read or is refused is named in the report, and stops nothing else.
         */
        post: operations["importTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/blobs/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a blob */
        get: operations["getBlob"];
        /** Store a blob under the SHA-256 of its bytes */
        put: operations["putBlob"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log events of the OpenReward client
         * @description Batches may arrive in any order and more than once: messages are written in the order of their index, each once. A message whose predecessors are missing is kept, and written when they come or are given up.
         */
        post: operations["logRollouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List runs, as the command of OpenReward reads them */
        get: operations["listRolloutRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a run, as the command of OpenReward does */
        get: operations["getRolloutRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/rollouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the rollouts of a run, as the command of OpenReward reads them */
        get: operations["listRollouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell what the key of this request may do
         * @description Where there are no keys, everybody may read and write, and the organization is `default`.
         */
        get: operations["getAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tell that the server runs */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tell whether traces can be written */
        get: operations["readyz"];
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
        /** Tell how this server is doing, for Prometheus */
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
        /** Give this document */
        get: operations["openapi"];
        put?: never;
        post?: never;
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
        /**
         * TraceStatus
         * @description How far the agent run is: finished when the episode said so, error when it failed, abandoned when it was deleted before.
         * @enum {unknown}
         */
        TraceStatus: "running" | "finished" | "error" | "abandoned";
        /**
         * Timestamp
         * @description RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z: sorts as text.
         */
        Timestamp: string;
        /**
         * TraceId
         * @description Id of a trace. A client may choose it; one made by the store sorts by time.
         */
        TraceId: string;
        /**
         * JSONObject
         * @description Any JSON object.
         */
        JSONObject: {
            [key: string]: components["schemas"]["JSONValue"];
        };
        /**
         * JSONValue
         * @description Any JSON value.
         */
        JSONValue: JSONValue;
        /**
         * Trace
         * @description The log of one agent run, without its blocks. The counters cover every block that is stored.
         */
        Trace: {
            id: components["schemas"]["TraceId"];
            name: string | null;
            /** @description The training or evaluation run that it belongs to. */
            run: string | null;
            environment: string | null;
            variant: string | null;
            split: string | null;
            task_index: number | null;
            task_spec: components["schemas"]["JSONObject"] | null;
            /** @description SHA-256 of the canonical task_spec, in lower-case hex. */
            task_key: string | null;
            /** @description Rollouts of one task that are compared with each other. */
            group_id: string | null;
            /** @description Training step. */
            step: number | null;
            /** @description Place in its group. */
            rollout_index: number | null;
            model: string | null;
            status: components["schemas"]["TraceStatus"];
            tags: string[];
            metadata: components["schemas"]["JSONObject"];
            run_info: components["schemas"]["JSONObject"];
            rollout_info: components["schemas"]["JSONObject"];
            /** @description Sum of extra.reward over the blocks; null while there is none. */
            reward_sum: number | null;
            reward_last: number | null;
            reward_max: number | null;
            reward_count: number;
            block_count: number;
            /** @description Stored bytes of the blocks. */
            bytes: number;
            /** @description Tool results that report a failure. */
            error_count: number;
            created_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Page
         * @description Where the next page begins; null on the last one.
         */
        Page: {
            next_cursor: string | null;
        };
        /**
         * TraceList
         * @description One page of traces.
         */
        TraceList: {
            traces: components["schemas"]["Trace"][];
            page: components["schemas"]["Page"];
        };
        /**
         * ValidationIssue
         * @description One broken rule: where, which, what was expected and what was found (a type or a short preview).
         */
        ValidationIssue: {
            /** @description Place of the block in a batch. */
            index?: number;
            /** @description JSON pointer into the block. */
            path: string;
            rule: string;
            expected: string;
            got: string;
        };
        /**
         * ValidationFailure
         * @description A required field is missing, a role is unknown, a parent is missing or not allowed.
         */
        ValidationFailure: {
            /** @constant */
            code: "VALIDATION";
            /** @constant */
            http_status: 422;
            message: string;
            details: {
                issues: components["schemas"]["ValidationIssue"][];
            };
        };
        /**
         * SubType
         * @description Meaning of a block.
         * @enum {unknown}
         */
        SubType: "MESSAGE" | "TOOL_CALL" | "TOOL_RESULT" | "THINK";
        /**
         * BlockId
         * @description Id of a block. A client may choose it, so that a repeated write stores one block.
         */
        BlockId: string;
        /**
         * PayloadTooLarge
         * @description A field exceeds its byte limit. Nothing was stored and nothing was cut.
         */
        PayloadTooLarge: {
            /** @constant */
            code: "PAYLOAD_TOO_LARGE";
            /** @constant */
            http_status: 413;
            message: string;
            details: {
                /** @description Place of the block in a batch. */
                index?: number;
                /** @description Null when the request as a whole is too large. */
                sub_type: components["schemas"]["SubType"] | null;
                /** @enum {unknown} */
                field: "content" | "arguments" | "text" | "output" | "delta" | "request_body";
                limit_bytes: number;
                /** @description Null when the client did not tell and the store stopped reading. */
                actual_bytes: number | null;
                /** @description Null when a request that names no trace is too large. */
                trace_id: components["schemas"]["TraceId"] | null;
                parent_block_id: components["schemas"]["BlockId"] | null;
            };
        };
        /**
         * ParentSubtypeMismatch
         * @description The parent exists, but a block of this kind may not hang under it.
         */
        ParentSubtypeMismatch: {
            /** @constant */
            code: "PARENT_SUBTYPE_MISMATCH";
            /** @constant */
            http_status: 409;
            message: string;
            details: {
                /** @description Place of the block in a batch. */
                index?: number;
                sub_type: components["schemas"]["SubType"];
                parent_block_id: components["schemas"]["BlockId"];
                parent_sub_type: components["schemas"]["SubType"];
                allowed: components["schemas"]["SubType"][];
            };
        };
        /**
         * CallId
         * @description Id of a tool call, chosen by the client and unique within its trace. At most 256 bytes of UTF-8.
         */
        CallId: string;
        /**
         * DuplicateCallId
         * @description The trace already has a tool call with this call_id.
         */
        DuplicateCallId: {
            /** @constant */
            code: "DUPLICATE_CALL_ID";
            /** @constant */
            http_status: 409;
            message: string;
            details: {
                /** @description Place of the block in a batch. */
                index?: number;
                trace_id: components["schemas"]["TraceId"];
                call_id: components["schemas"]["CallId"];
                existing_block_id: components["schemas"]["BlockId"];
            };
        };
        /**
         * DuplicateResultSeq
         * @description The call already has a result with this seq.
         */
        DuplicateResultSeq: {
            /** @constant */
            code: "DUPLICATE_RESULT_SEQ";
            /** @constant */
            http_status: 409;
            message: string;
            details: {
                /** @description Place of the block in a batch. */
                index?: number;
                trace_id: components["schemas"]["TraceId"];
                call_id: components["schemas"]["CallId"];
                seq: number;
                existing_block_id: components["schemas"]["BlockId"];
            };
        };
        /**
         * OtherFailure
         * @description Any other failure of a request to the trace store.
         */
        OtherFailure: {
            /** @enum {unknown} */
            code: "BAD_REQUEST" | "BAD_JSON" | "UNAUTHENTICATED" | "FORBIDDEN" | "TRACE_NOT_FOUND" | "BLOCK_NOT_FOUND" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TRACE_ID_CONFLICT" | "BLOCK_ID_CONFLICT" | "TRACE_DELETED" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "OVERLOADED" | "INTERNAL";
            /** @enum {unknown} */
            http_status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 415 | 417 | 422 | 429 | 431 | 500 | 503;
            message: string;
            details: components["schemas"]["JSONObject"];
        };
        /**
         * Failure
         * @description Why a request was refused.
         */
        Failure: components["schemas"]["ValidationFailure"] | components["schemas"]["PayloadTooLarge"] | components["schemas"]["ParentSubtypeMismatch"] | components["schemas"]["DuplicateCallId"] | components["schemas"]["DuplicateResultSeq"] | components["schemas"]["OtherFailure"];
        /**
         * TraceError
         * @description The envelope of every error of a trace store; http_status equals the status of the response.
         */
        TraceError: {
            error: components["schemas"]["Failure"];
        };
        /**
         * TraceInput
         * @description A trace to create; every field may be left out. The counters, the times and task_key follow from what is written.
         */
        TraceInput: {
            id?: components["schemas"]["TraceId"];
            /** @description For people. */
            name?: string | null;
            /** @description The training or evaluation run that it belongs to. */
            run?: string | null;
            environment?: string | null;
            variant?: string | null;
            split?: string | null;
            task_index?: number | null;
            task_spec?: components["schemas"]["JSONObject"] | null;
            /** @description Rollouts of one task that are compared with each other. Where it is left out, those of one run, environment, split, task_key and step are a group. */
            group_id?: string | null;
            /** @description Training step. */
            step?: number | null;
            /** @description Place in its group. */
            rollout_index?: number | null;
            model?: string | null;
            tags?: string[];
            metadata?: components["schemas"]["JSONObject"];
            run_info?: components["schemas"]["JSONObject"];
            rollout_info?: components["schemas"]["JSONObject"];
            status?: components["schemas"]["TraceStatus"];
        };
        /**
         * TracePatch
         * @description What may change of a trace: the fields given replace those of before.
         */
        TracePatch: {
            /** @description For people. */
            name?: string | null;
            status?: components["schemas"]["TraceStatus"];
            tags?: string[];
            metadata?: components["schemas"]["JSONObject"];
        };
        /**
         * ContentPart
         * @description One part of a message's content, such as an ORS block; its other fields depend on its type.
         */
        ContentPart: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * MessagePayload
         * @description What was said, and by whom. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).
         */
        MessagePayload: {
            /** @enum {unknown} */
            role: "system" | "user" | "assistant";
            /** @description Text, or parts in order; never empty. White space alone is content. */
            content: string | components["schemas"]["ContentPart"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * MessageBlock
         * @description A message as stored: a root of the trace's tree.
         */
        MessageBlock: {
            id: components["schemas"]["BlockId"];
            trace_id: components["schemas"]["TraceId"];
            /** @constant */
            block_type: "MESSAGE";
            /** @constant */
            sub_type: "MESSAGE";
            payload: components["schemas"]["MessagePayload"];
            parent_block_id: null;
            metadata: components["schemas"]["JSONObject"];
            raw: components["schemas"]["JSONValue"];
            extra: components["schemas"]["JSONObject"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * ToolName
         * @description Name of a tool: at most 256 bytes of UTF-8, no control characters, no white space at either end.
         */
        ToolName: string;
        /**
         * ToolCallPayload
         * @description A call of a tool, as stored. The arguments are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).
         */
        ToolCallPayload: {
            call_id?: components["schemas"]["CallId"];
            name: components["schemas"]["ToolName"];
            arguments: components["schemas"]["JSONObject"];
        } & {
            [key: string]: unknown;
        };
        /**
         * ToolCallBlock
         * @description A tool call as stored; its parent is a message.
         */
        ToolCallBlock: {
            id: components["schemas"]["BlockId"];
            trace_id: components["schemas"]["TraceId"];
            /** @constant */
            block_type: "ACT";
            /** @constant */
            sub_type: "TOOL_CALL";
            payload: components["schemas"]["ToolCallPayload"];
            parent_block_id: components["schemas"]["BlockId"];
            metadata: components["schemas"]["JSONObject"];
            raw: components["schemas"]["JSONValue"];
            extra: components["schemas"]["JSONObject"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * ThinkPayload
         * @description A step of reasoning. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).
         */
        ThinkPayload: {
            text: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * ThinkBlock
         * @description A step of reasoning as stored; its parent is a message.
         */
        ThinkBlock: {
            id: components["schemas"]["BlockId"];
            trace_id: components["schemas"]["TraceId"];
            /** @constant */
            block_type: "ACT";
            /** @constant */
            sub_type: "THINK";
            payload: components["schemas"]["ThinkPayload"];
            parent_block_id: components["schemas"]["BlockId"];
            metadata: components["schemas"]["JSONObject"];
            raw: components["schemas"]["JSONValue"];
            extra: components["schemas"]["JSONObject"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Seq
         * @description Place among the results of one call, from 0; null or absent sorts last.
         */
        Seq: number | null;
        /**
         * ToolResultOutput
         * @description The whole result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
         */
        ToolResultOutput: {
            call_id?: components["schemas"]["CallId"];
            output: components["schemas"]["JSONValue"];
            delta?: null;
            seq?: components["schemas"]["Seq"];
        } & {
            [key: string]: unknown;
        };
        /**
         * ToolResultDelta
         * @description One streamed piece of a call's result. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
         */
        ToolResultDelta: {
            call_id?: components["schemas"]["CallId"];
            /** @description Text or list items, to be joined in the order of seq. */
            delta: string | components["schemas"]["JSONValue"][];
            output?: null;
            seq?: components["schemas"]["Seq"];
        } & {
            [key: string]: unknown;
        };
        /**
         * ToolResultPayload
         * @description The result of a call, whole or one piece of it: exactly one of output and delta.
         */
        ToolResultPayload: components["schemas"]["ToolResultOutput"] | components["schemas"]["ToolResultDelta"];
        /**
         * ToolResultBlock
         * @description A tool result as stored; its parent is a tool call.
         */
        ToolResultBlock: {
            id: components["schemas"]["BlockId"];
            trace_id: components["schemas"]["TraceId"];
            /** @constant */
            block_type: "OBSERVE";
            /** @constant */
            sub_type: "TOOL_RESULT";
            payload: components["schemas"]["ToolResultPayload"];
            parent_block_id: components["schemas"]["BlockId"];
            metadata: components["schemas"]["JSONObject"];
            raw: components["schemas"]["JSONValue"];
            extra: components["schemas"]["JSONObject"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Block
         * @description A row of trace_blocks; sub_type tells which. Never changed once written, so updated_at equals created_at.
         */
        Block: components["schemas"]["MessageBlock"] | components["schemas"]["ToolCallBlock"] | components["schemas"]["ThinkBlock"] | components["schemas"]["ToolResultBlock"];
        /**
         * BlockSkeleton
         * @description A block without its payload: enough for an outline of a long trace.
         */
        BlockSkeleton: {
            id: components["schemas"]["BlockId"];
            /** @enum {unknown} */
            block_type: "MESSAGE" | "ACT" | "OBSERVE";
            sub_type: components["schemas"]["SubType"];
            parent_block_id: components["schemas"]["BlockId"] | null;
            call_id: string | null;
            seq: number | null;
            /** @description Of the tool, for a TOOL_CALL. */
            name: string | null;
            /** @description Of a MESSAGE. */
            role: string | null;
            /** @description Stored bytes. */
            bytes: number;
            /** @description extra.reward. */
            reward: number | null;
            /** @description Whether it is a tool result that reports a failure. */
            is_error: boolean;
            /** @description The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`. */
            preview: string;
            created_at: components["schemas"]["Timestamp"];
        };
        /**
         * BlockList
         * @description One page of the blocks of a trace, in the order in which they were written.
         */
        BlockList: {
            blocks: (components["schemas"]["Block"] | components["schemas"]["BlockSkeleton"])[];
            page: components["schemas"]["Page"];
        };
        /**
         * MessageBlockInput
         * @description A message to write. It has no parent.
         */
        MessageBlockInput: {
            id?: components["schemas"]["BlockId"];
            trace_id?: components["schemas"]["TraceId"];
            /** @constant */
            block_type?: "MESSAGE";
            /** @constant */
            sub_type: "MESSAGE";
            payload: components["schemas"]["MessagePayload"];
            parent_block_id?: null;
            raw?: components["schemas"]["JSONValue"];
            extra?: components["schemas"]["JSONObject"] | null;
        };
        /**
         * ToolCallPayloadInput
         * @description A call of a tool, as written. Model providers give the arguments as JSON text; it is parsed and stored as an object.
         */
        ToolCallPayloadInput: {
            call_id?: components["schemas"]["CallId"];
            name: components["schemas"]["ToolName"];
            /** @description An object, or text that parses to one. */
            arguments: components["schemas"]["JSONObject"] | string;
        } & {
            [key: string]: unknown;
        };
        /**
         * ToolCallBlockInput
         * @description A tool call to write, under a message of the same trace.
         */
        ToolCallBlockInput: {
            id?: components["schemas"]["BlockId"];
            trace_id?: components["schemas"]["TraceId"];
            /** @constant */
            block_type?: "ACT";
            /** @constant */
            sub_type: "TOOL_CALL";
            payload: components["schemas"]["ToolCallPayloadInput"];
            parent_block_id: components["schemas"]["BlockId"];
            raw?: components["schemas"]["JSONValue"];
            extra?: components["schemas"]["JSONObject"] | null;
        };
        /**
         * ThinkBlockInput
         * @description A step of reasoning to write, under a message of the same trace.
         */
        ThinkBlockInput: {
            id?: components["schemas"]["BlockId"];
            trace_id?: components["schemas"]["TraceId"];
            /** @constant */
            block_type?: "ACT";
            /** @constant */
            sub_type: "THINK";
            payload: components["schemas"]["ThinkPayload"];
            parent_block_id: components["schemas"]["BlockId"];
            raw?: components["schemas"]["JSONValue"];
            extra?: components["schemas"]["JSONObject"] | null;
        };
        /**
         * ToolResultBlockInput
         * @description A tool result to write, under a tool call of the same trace.
         */
        ToolResultBlockInput: {
            id?: components["schemas"]["BlockId"];
            trace_id?: components["schemas"]["TraceId"];
            /** @constant */
            block_type?: "OBSERVE";
            /** @constant */
            sub_type: "TOOL_RESULT";
            payload: components["schemas"]["ToolResultPayload"];
            parent_block_id: components["schemas"]["BlockId"];
            raw?: components["schemas"]["JSONValue"];
            extra?: components["schemas"]["JSONObject"] | null;
        };
        /**
         * BlockInput
         * @description What a client writes; sub_type tells which. The block_type follows from it and may be left out; metadata, created_at and updated_at belong to the store and are refused.
         */
        BlockInput: components["schemas"]["MessageBlockInput"] | components["schemas"]["ToolCallBlockInput"] | components["schemas"]["ThinkBlockInput"] | components["schemas"]["ToolResultBlockInput"];
        /**
         * BlockBatch
         * @description Blocks that are written all or none.
         */
        BlockBatch: {
            blocks: components["schemas"]["BlockInput"][];
        };
        /**
         * BlockWrite
         * @description One block, or up to 1000 that are written all or none; a block may name one before it as its parent.
         */
        BlockWrite: components["schemas"]["BlockInput"] | components["schemas"]["BlockBatch"];
        /**
         * BlockReceipt
         * @description Says that a block is on disk.
         */
        BlockReceipt: {
            id: components["schemas"]["BlockId"];
            created_at: components["schemas"]["Timestamp"];
            /** @description Whether it was there before, with the same content. */
            replayed: boolean;
        };
        /**
         * BatchReceipt
         * @description A receipt for each block of a batch, in its order.
         */
        BatchReceipt: {
            blocks: components["schemas"]["BlockReceipt"][];
            count: number;
        };
        /**
         * DryRun
         * @description What a write would come to: every block is valid, and nothing was stored.
         */
        DryRun: {
            /** @constant */
            valid: true;
            count: number;
        };
        /**
         * AssembledResult
         * @description The results of one call joined: the last output if there is one (complete), else the deltas in order (partial), else nothing yet (pending).
         */
        AssembledResult: {
            /** @enum {unknown} */
            state: "complete" | "partial" | "pending";
            value: components["schemas"]["JSONValue"];
            /** @description Values of seq that are missing between 0 and the highest one of a delta, ascending; at most 1000. */
            gaps: number[];
            /** @description How many more are missing, where there are more than 1000. */
            more_gaps?: number;
        };
        /**
         * StitchedToolCall
         * @description A tool call with its results, ordered by seq (null last), created_at, id.
         */
        StitchedToolCall: {
            id: components["schemas"]["BlockId"];
            trace_id: components["schemas"]["TraceId"];
            /** @constant */
            block_type: "ACT";
            /** @constant */
            sub_type: "TOOL_CALL";
            payload: components["schemas"]["ToolCallPayload"];
            parent_block_id: components["schemas"]["BlockId"];
            metadata: components["schemas"]["JSONObject"];
            raw: components["schemas"]["JSONValue"];
            extra: components["schemas"]["JSONObject"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            tool_results: components["schemas"]["ToolResultBlock"][];
            assembled?: components["schemas"]["AssembledResult"];
        };
        /**
         * StitchedMessage
         * @description A message with its thoughts and tool calls. The child_order keeps how the two interleave.
         */
        StitchedMessage: {
            id: components["schemas"]["BlockId"];
            trace_id: components["schemas"]["TraceId"];
            /** @constant */
            block_type: "MESSAGE";
            /** @constant */
            sub_type: "MESSAGE";
            payload: components["schemas"]["MessagePayload"];
            parent_block_id: null;
            metadata: components["schemas"]["JSONObject"];
            raw: components["schemas"]["JSONValue"];
            extra: components["schemas"]["JSONObject"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            thinks: components["schemas"]["ThinkBlock"][];
            tool_calls: components["schemas"]["StitchedToolCall"][];
            child_order: components["schemas"]["BlockId"][];
        };
        /**
         * Orphans
         * @description Blocks whose parent is missing or of a wrong kind: all empty unless the data was damaged or restored. Results stay under their call, also when that call is an orphan.
         */
        Orphans: {
            tool_calls: components["schemas"]["StitchedToolCall"][];
            tool_results: components["schemas"]["ToolResultBlock"][];
            thinks: components["schemas"]["ThinkBlock"][];
        };
        /**
         * StitchedTrace
         * @description A trace as a tree: messages, under each its thoughts and tool calls, under each call its results. Every list is ordered by payload.seq (null last), created_at, id.
         */
        StitchedTrace: {
            trace: components["schemas"]["Trace"];
            messages: components["schemas"]["StitchedMessage"][];
            orphans: components["schemas"]["Orphans"];
            page: components["schemas"]["Page"];
        };
        /**
         * SkeletonToolCall
         * @description The outline of a tool call with its results.
         */
        SkeletonToolCall: {
            id: components["schemas"]["BlockId"];
            /** @enum {unknown} */
            block_type: "MESSAGE" | "ACT" | "OBSERVE";
            sub_type: components["schemas"]["SubType"];
            parent_block_id: components["schemas"]["BlockId"] | null;
            call_id: string | null;
            seq: number | null;
            /** @description Of the tool, for a TOOL_CALL. */
            name: string | null;
            /** @description Of a MESSAGE. */
            role: string | null;
            /** @description Stored bytes. */
            bytes: number;
            /** @description extra.reward. */
            reward: number | null;
            /** @description Whether it is a tool result that reports a failure. */
            is_error: boolean;
            /** @description The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`. */
            preview: string;
            created_at: components["schemas"]["Timestamp"];
            tool_results: components["schemas"]["BlockSkeleton"][];
        };
        /**
         * SkeletonMessage
         * @description The outline of a message with its thoughts and tool calls.
         */
        SkeletonMessage: {
            id: components["schemas"]["BlockId"];
            /** @enum {unknown} */
            block_type: "MESSAGE" | "ACT" | "OBSERVE";
            sub_type: components["schemas"]["SubType"];
            parent_block_id: components["schemas"]["BlockId"] | null;
            call_id: string | null;
            seq: number | null;
            /** @description Of the tool, for a TOOL_CALL. */
            name: string | null;
            /** @description Of a MESSAGE. */
            role: string | null;
            /** @description Stored bytes. */
            bytes: number;
            /** @description extra.reward. */
            reward: number | null;
            /** @description Whether it is a tool result that reports a failure. */
            is_error: boolean;
            /** @description The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`. */
            preview: string;
            created_at: components["schemas"]["Timestamp"];
            thinks: components["schemas"]["BlockSkeleton"][];
            tool_calls: components["schemas"]["SkeletonToolCall"][];
            child_order: components["schemas"]["BlockId"][];
        };
        /**
         * SkeletonOrphans
         * @description Outlines of blocks whose parent is missing or of a wrong kind.
         */
        SkeletonOrphans: {
            tool_calls: components["schemas"]["SkeletonToolCall"][];
            tool_results: components["schemas"]["BlockSkeleton"][];
            thinks: components["schemas"]["BlockSkeleton"][];
        };
        /**
         * StitchedSkeleton
         * @description A trace as a tree without payloads.
         */
        StitchedSkeleton: {
            trace: components["schemas"]["Trace"];
            messages: components["schemas"]["SkeletonMessage"][];
            orphans: components["schemas"]["SkeletonOrphans"];
            page: components["schemas"]["Page"];
        };
        /**
         * BlockHit
         * @description A block that was found, and where.
         */
        BlockHit: {
            trace_id: components["schemas"]["TraceId"];
            block: components["schemas"]["BlockSkeleton"];
            /** @description What stands around the first place of the text that was searched for, at most 160 characters; null where none was. */
            excerpt: string | null;
        };
        /**
         * BlockHitList
         * @description One page of blocks that were found, those of the newest trace first.
         */
        BlockHitList: {
            hits: components["schemas"]["BlockHit"][];
            page: components["schemas"]["Page"];
        };
        /**
         * RewardSummary
         * @description The reward_sum of some traces; those without any reward are in count_without. All null where none has one.
         */
        RewardSummary: {
            count: number;
            count_without: number;
            mean: number | null;
            /** @description Population standard deviation. */
            std: number | null;
            min: number | null;
            max: number | null;
        };
        /**
         * Run
         * @description All traces with one run name.
         */
        Run: {
            run: string;
            trace_count: number;
            block_count: number;
            bytes: number;
            /** @description Traces with at least one failed tool call. */
            error_count: number;
            /** @description How many traces have each status. */
            status: {
                running: number;
                finished: number;
                error: number;
                abandoned: number;
            };
            reward: components["schemas"]["RewardSummary"];
            first_created_at: components["schemas"]["Timestamp"];
            last_updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * RunList
         * @description One page of runs, those that changed last first.
         */
        RunList: {
            runs: components["schemas"]["Run"][];
            page: components["schemas"]["Page"];
        };
        /**
         * StepStats
         * @description The traces of one training step; step is null for those without.
         */
        StepStats: {
            step: number | null;
            trace_count: number;
            reward: components["schemas"]["RewardSummary"];
            /** @description How many rewards lie in each of the bins of the run; the edges are those of RunStats. */
            histogram: number[];
        };
        /**
         * RunStats
         * @description Rewards of a run, as a whole and by step.
         */
        RunStats: {
            run: components["schemas"]["Run"];
            /** @description Edges of the bins, ascending; one more than there are bins. A bin holds its lower edge, the last both. */
            edges: number[];
            histogram: number[];
            steps: components["schemas"]["StepStats"][];
        };
        /**
         * GroupMember
         * @description One rollout of a group.
         */
        GroupMember: {
            trace_id: components["schemas"]["TraceId"];
            rollout_index: number | null;
            status: components["schemas"]["TraceStatus"];
            reward: number | null;
            /** @description (reward - mean) / (std + 1e-6) of the group; 0 where all rewards are equal, null without a reward. */
            advantage: number | null;
            block_count: number;
        };
        /**
         * Group
         * @description Rollouts of one task.
         */
        Group: {
            /** @description What names the group in this store. */
            key: string;
            group_id: string | null;
            run: string | null;
            environment: string | null;
            split: string | null;
            task_key: string | null;
            task_index: number | null;
            step: number | null;
            reward: components["schemas"]["RewardSummary"];
            members: components["schemas"]["GroupMember"][];
        };
        /**
         * GroupList
         * @description One page of groups.
         */
        GroupList: {
            groups: components["schemas"]["Group"][];
            page: components["schemas"]["Page"];
        };
        /**
         * ImportReport
         * @description What an import came to.
         */
        ImportReport: {
            /** @description Traces that were created, or were there with the same content. */
            traces: number;
            /** @description Blocks that were written. */
            blocks: number;
            /** @description Blocks that were there. */
            replayed: number;
            /** @description Lines, blocks and traces that could not be read or were refused. */
            failed_count?: number;
            /** @description The first 1000 of these, each with the error that a write would have had. All else is imported: `block_id` is null where a trace was refused with all of its blocks, and where a line is no block. */
            failed: {
                line: number;
                trace_id: components["schemas"]["TraceId"] | null;
                block_id?: components["schemas"]["BlockId"] | null;
                error: components["schemas"]["Failure"];
            }[];
        };
        /**
         * BlobReceipt
         * @description Says that a blob is on disk.
         */
        BlobReceipt: {
            sha256: string;
            media_type: string;
            bytes: number;
        };
        /**
         * RolloutStarted
         * @description A rollout begins; its eventId is the id of the rollout.
         */
        RolloutStarted: {
            /** @constant */
            eventType: "rollout";
            eventId: string;
            timestamp?: number;
            runName: string;
            rolloutName?: string | null;
            environment?: string | null;
            variant?: string | null;
            split?: string | null;
            /** @description Training step. */
            step?: number | null;
            metadata?: components["schemas"]["JSONObject"] | null;
            task_spec?: components["schemas"]["JSONObject"] | null;
            run_info?: components["schemas"]["JSONObject"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * RolloutMessage
         * @description A message of a rollout; its place is index.
         */
        RolloutMessage: {
            /** @constant */
            eventType: "message";
            eventId: string;
            rolloutEventId: string;
            timestamp?: number;
            index: number;
            /** @enum {unknown} */
            type: "system_message" | "user_message" | "assistant_message" | "reasoning" | "tool_call" | "tool_result";
            content?: string | null;
            summary?: string | null;
            contentReference?: string | null;
            name?: string | null;
            callId?: string | null;
            reward?: number | null;
            isFinished?: boolean | null;
            metadata?: components["schemas"]["JSONObject"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * RolloutUpdate
         * @description What was learned of a rollout; its eventId is the id of the rollout.
         */
        RolloutUpdate: {
            /** @constant */
            eventType: "rollout_update";
            eventId: string;
            rollout_info?: components["schemas"]["JSONObject"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * RolloutEvent
         * @description A rollout that begins, a message of it, or what was learned of it afterwards; eventType tells which.
         */
        RolloutEvent: components["schemas"]["RolloutStarted"] | components["schemas"]["RolloutMessage"] | components["schemas"]["RolloutUpdate"];
        /**
         * RolloutEvents
         * @description A batch of events of the OpenReward client.
         */
        RolloutEvents: {
            events: components["schemas"]["RolloutEvent"][];
        } & {
            [key: string]: unknown;
        };
        /**
         * RolloutReceipt
         * @description Says that events are on disk.
         */
        RolloutReceipt: {
            accepted: number;
        };
        /**
         * RolloutRun
         * @description A run in the words of OpenReward.
         */
        RolloutRun: {
            id: string;
            name: string;
            num_rollouts: number;
            avg_rollout_reward: number | null;
            avg_rollout_length: number | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Rollout
         * @description A trace in the words of OpenReward.
         */
        Rollout: {
            id: string;
            rolloutName: string | null;
            environment: string | null;
            max_reward: number | null;
            num_messages: number;
            created_at: components["schemas"]["Timestamp"];
        };
        /**
         * Access
         * @description What the key of a request may do, and with whose traces.
         */
        Access: {
            organization: string;
            scopes: ("read" | "write")[];
        };
    };
    responses: {
        /** @description What was refused, and why. */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TraceError"];
            };
        };
    };
    parameters: {
        /** @description Name of the organization; `default` where there are no keys. */
        Organization: string;
        /** @description Id of the trace. */
        TraceId: components["schemas"]["TraceId"];
        /** @description Id of the block. */
        BlockId: components["schemas"]["BlockId"];
        /** @description Name of the run. */
        Run: string;
        /** @description SHA-256 of the bytes, in lower-case hex. */
        Sha256: string;
        /** @description The same key with the same body has the answer of the first time, for 24 hours. */
        IdempotencyKey: string;
        /** @description Place of the last block that was received; browsers send it by themselves. */
        LastEventId: string;
        /** @description Only of this run. */
        RunFilter: string;
        /** @description Only of this environment. */
        EnvironmentFilter: string;
        /** @description Only of this split. */
        SplitFilter: string;
        /** @description Only of the task with this key. */
        TaskKeyFilter: string;
        /** @description Only of this group. */
        GroupFilter: string;
        /** @description Only of this model. */
        ModelFilter: string;
        /** @description Only with this tag. */
        TagFilter: string;
        /** @description Only those whose name or id holds this text. */
        Search: string;
        /** @description Only calls and results with this call_id. */
        CallIdFilter: string;
        /** @description Only of this training step. */
        StepFilter: number;
        /** @description Only with this status. */
        StatusFilter: components["schemas"]["TraceStatus"];
        /** @description Only with a reward_sum of at least this. */
        RewardMin: number;
        /** @description Only with a reward_sum of at most this. */
        RewardMax: number;
        /** @description Only with, or only without, failed tool calls. */
        HasError: boolean;
        /** @description Only those created at this time or later. */
        CreatedAfter: components["schemas"]["Timestamp"];
        /** @description Only those created before this time. */
        CreatedBefore: components["schemas"]["Timestamp"];
        /** @description What to order by; those without reward come last. */
        TraceSort: "created" | "reward" | "length";
        /** @description What to order by; by std and mean the greatest first. */
        GroupSort: "created" | "std" | "mean";
        /** @description Which end comes first. */
        Order: "asc" | "desc";
        /** @description The next_cursor of the page before. */
        Cursor: string;
        /** @description The most items of a page. */
        Limit: number;
        /** @description Only blocks after this place; the first is at 1. */
        After: number;
        /** @description Only blocks before this place. */
        Before: number;
        /** @description Only of this type. */
        BlockTypeFilter: "MESSAGE" | "ACT" | "OBSERVE";
        /** @description Only of this meaning. */
        SubTypeFilter: components["schemas"]["SubType"];
        /** @description Only children of this block. */
        ParentFilter: components["schemas"]["BlockId"];
        /** @description Only these blocks, ids with commas between them; those that the trace does not have are left out. */
        IdsFilter: string;
        /** @description Only of this trace, which has to be there. */
        TraceFilter: components["schemas"]["TraceId"];
        /** @description Only calls of the tool with this name, and their results. */
        ToolFilter: string;
        /** @description Only tool results that report a failure, or only those that do not. */
        FailedFilter: boolean;
        /** @description Only blocks that hold this text in one of the string values of their payload; capitals are like small letters, each letter like one letter. */
        TextFilter: string;
        /** @description The most hits of a page. */
        HitLimit: number;
        /** @description Whether payloads are wanted, or an outline. */
        Fields: "all" | "skeleton";
        /** @description Whether only to check the blocks. */
        DryRun: boolean;
        /** @description Whether each call has its results joined. */
        Assemble: boolean;
        /** @description The next_cursor of the page before. */
        RootCursor: string;
        /** @description The most messages of a page; large ones make it shorter. */
        RootLimit: number;
        /** @description How many bins the histogram has. */
        Bins: number;
        /** @description How to write it. */
        Format: "jsonl" | "openai" | "sharegpt" | "atif" | "otlp-json";
        /** @description How the body is written. */
        ImportFormat: "auto" | "jsonl" | "atif" | "firehorse";
        /** @description The most items of a page. */
        RolloutLimit: number;
        /** @description How many items come before. */
        RolloutOffset: number;
        /** @description Only those whose name holds this text. */
        RolloutSearch: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTraces: {
        parameters: {
            query?: {
                /** @description Only of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only with this status. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only with this tag. */
                tag?: components["parameters"]["TagFilter"];
                /** @description Only with a reward_sum of at least this. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Only with a reward_sum of at most this. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only with, or only without, failed tool calls. */
                has_error?: components["parameters"]["HasError"];
                /** @description Only those created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only those created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only those whose name or id holds this text. */
                q?: components["parameters"]["Search"];
                /** @description What to order by; those without reward come last. */
                sort?: components["parameters"]["TraceSort"];
                /** @description Which end comes first. */
                order?: components["parameters"]["Order"];
                /** @description The next_cursor of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The most items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of traces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    createTrace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body has the answer of the first time, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TraceInput"];
            };
        };
        responses: {
            /** @description The trace that was there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            /** @description The new trace. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    deleteTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    updateTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TracePatch"];
            };
        };
        responses: {
            /** @description The trace as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listBlocks: {
        parameters: {
            query?: {
                /** @description Only blocks after this place; the first is at 1. */
                after?: components["parameters"]["After"];
                /** @description Only blocks before this place. */
                before?: components["parameters"]["Before"];
                /** @description Only of this type. */
                block_type?: components["parameters"]["BlockTypeFilter"];
                /** @description Only of this meaning. */
                sub_type?: components["parameters"]["SubTypeFilter"];
                /** @description Only calls and results with this call_id. */
                call_id?: components["parameters"]["CallIdFilter"];
                /** @description Only children of this block. */
                parent?: components["parameters"]["ParentFilter"];
                /** @description Only these blocks, ids with commas between them; those that the trace does not have are left out. */
                ids?: components["parameters"]["IdsFilter"];
                /** @description Whether payloads are wanted, or an outline. */
                fields?: components["parameters"]["Fields"];
                /** @description The most items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of blocks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    appendBlocks: {
        parameters: {
            query?: {
                /** @description Whether only to check the blocks. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The same key with the same body has the answer of the first time, for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockWrite"];
            };
        };
        responses: {
            /** @description What was there already, or what a dry run found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Block"] | components["schemas"]["BatchReceipt"] | components["schemas"]["DryRun"];
                };
            };
            /** @description What was written. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Block"] | components["schemas"]["BatchReceipt"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getBlock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
                /** @description Id of the block. */
                blockId: components["parameters"]["BlockId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The block. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Block"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    stitchedBlocks: {
        parameters: {
            query?: {
                /** @description Whether each call has its results joined. */
                assemble?: components["parameters"]["Assemble"];
                /** @description Whether payloads are wanted, or an outline. */
                fields?: components["parameters"]["Fields"];
                /** @description The next_cursor of the page before. */
                cursor?: components["parameters"]["RootCursor"];
                /** @description The most messages of a page; large ones make it shorter. */
                limit?: components["parameters"]["RootLimit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tree, or one page of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StitchedTrace"] | components["schemas"]["StitchedSkeleton"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    findBlocks: {
        parameters: {
            query?: {
                /** @description Only of this trace, which has to be there. */
                trace_id?: components["parameters"]["TraceFilter"];
                /** @description Only of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only of this meaning. */
                sub_type?: components["parameters"]["SubTypeFilter"];
                /** @description Only calls of the tool with this name, and their results. */
                name?: components["parameters"]["ToolFilter"];
                /** @description Only tool results that report a failure, or only those that do not. */
                has_error?: components["parameters"]["FailedFilter"];
                /** @description Only blocks that hold this text in one of the string values of their payload; capitals are like small letters, each letter like one letter. */
                q?: components["parameters"]["TextFilter"];
                /** @description The next_cursor of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The most hits of a page. */
                limit?: components["parameters"]["HitLimit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of hits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockHitList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    streamTrace: {
        parameters: {
            query?: {
                /** @description Only blocks after this place; the first is at 1. */
                after?: components["parameters"]["After"];
            };
            header?: {
                /** @description Place of the last block that was received; browsers send it by themselves. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    exportTrace: {
        parameters: {
            query?: {
                /** @description How to write it. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace in the format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Only those whose name or id holds this text. */
                q?: components["parameters"]["Search"];
                /** @description The next_cursor of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The most items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    runStats: {
        parameters: {
            query?: {
                /** @description How many bins the histogram has. */
                bins?: components["parameters"]["Bins"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Name of the run. */
                run: components["parameters"]["Run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rewards. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStats"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    exportRun: {
        parameters: {
            query?: {
                /** @description How to write it. */
                format?: components["parameters"]["Format"];
                /** @description Only with a reward_sum of at least this. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Only with a reward_sum of at most this. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only with this status. */
                status?: components["parameters"]["StatusFilter"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description Name of the run. */
                run: components["parameters"]["Run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The traces, one after the other. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Only of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description What to order by; by std and mean the greatest first. */
                sort?: components["parameters"]["GroupSort"];
                /** @description The next_cursor of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The most items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of groups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    importTraces: {
        parameters: {
            query?: {
                /** @description How the body is written. */
                format?: components["parameters"]["ImportFormat"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description What the import came to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getBlob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description SHA-256 of the bytes, in lower-case hex. */
                sha256: components["parameters"]["Sha256"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    putBlob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` where there are no keys. */
                org: components["parameters"]["Organization"];
                /** @description SHA-256 of the bytes, in lower-case hex. */
                sha256: components["parameters"]["Sha256"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description It is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlobReceipt"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    logRollouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RolloutEvents"];
            };
        };
        responses: {
            /** @description How many events are on disk, those included that were there before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutReceipt"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listRolloutRuns: {
        parameters: {
            query?: {
                /** @description The most items of a page. */
                limit?: components["parameters"]["RolloutLimit"];
                /** @description How many items come before. */
                offset?: components["parameters"]["RolloutOffset"];
                /** @description Only those whose name holds this text. */
                search?: components["parameters"]["RolloutSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Runs, those that changed last first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["RolloutRun"][];
                        total: number;
                    };
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getRolloutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the run. */
                run: components["parameters"]["Run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutRun"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listRollouts: {
        parameters: {
            query?: {
                /** @description The most items of a page. */
                limit?: components["parameters"]["RolloutLimit"];
                /** @description How many items come before. */
                offset?: components["parameters"]["RolloutOffset"];
            };
            header?: never;
            path: {
                /** @description Name of the run. */
                run: components["parameters"]["Run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rollouts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rollouts: components["schemas"]["Rollout"][];
                        total: number;
                    };
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whose traces it may see. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Access"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
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
            /** @description The OpenAPI document of this server. */
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
}
