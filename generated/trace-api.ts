// generated from trace.openapi.yaml by ors generate; never edit

/**
 * JSONValue
 * @description Any JSON value.
 */
export type JSONValue = string | number | boolean | null | components["schemas"]["JSONObject"] | JSONValue[];
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
         * @description If a trace with this id and the same fields exists, the response is 200 with that trace.
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
         * @description Requests with its id get 410 from then on.
         */
        delete: operations["deleteTrace"];
        options?: never;
        head?: never;
        /** Change fields of a trace */
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
         * Write one block, or up to 1000 that succeed or fail together
         * @description The response to one block is the stored block, that to a batch one receipt per block. Blocks that exist with the same content are not written again; if all of them exist, the response is 200.
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
         * @description Messages with their thoughts and tool calls, and calls with their results. Without `limit` and `cursor`, the response is the whole tree, which is sent while it is read; its `next_cursor` is null. With one of them, it is a page of complete messages.
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
         * @description Returns skeletons of the blocks that match all parameters: those of the newest trace first, within a trace in the order of writing. Without `trace_id`, `run`, `environment` and `group_id`, all traces of the organization are searched. A request works for a fraction of a second at most and returns what it has found: a page may have fewer hits than `limit`, or none, although more follow. The search is complete when `next_cursor` is null. Traces and blocks that are written during a search are found if their position has not been passed yet; no block is found twice.
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
    "/v1/organizations/{org}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search with a query
         * @description Terms are texts, quoted phrases and fields such as `tool:bash`, `error:timeout`, `model:qwen`, `env:`, `run:`, `reward:>0.5`, `meta.level:hard`, `after:7d` and `before:2026-01-31`; all must match. `:` means that a text contains the value, ignoring case, and `:=` that it equals the value; `-` or `NOT` before a term negates it. A query with a text, or with `tool`, `error`, `kind` or `role`, finds blocks; any other query finds traces. Results of the newest trace come first. A request works for a fraction of a second at most and returns what it has found: a page may have fewer results than `limit`, or none, although more follow. The search is complete when `next_cursor` is null.
         */
        get: operations["search"];
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
         * Follow a trace
         * @description Sends every block as an event `block` whose id is the block's ordinal, starting with the first block or after `Last-Event-ID`, without gaps or duplicates, and an event `trace` when the counters or the status have changed. The stream ends with an event `deleted` when the trace is deleted, and with an event `error` when the API key is revoked; the data of both is a TraceError.
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
        /**
         * List runs
         * @description With `query`, the runs that have a trace which matches, with the numbers of the matching traces.
         */
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
        /**
         * Read the rewards of a run by step
         * @description Filters select traces of the run; the response is 404 if none matches.
         */
        get: operations["runStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/trace-summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what statistics need of traces
         * @description The same traces in the same order as listTraces, in a fraction of the size; without those that continue another trace.
         */
        get: operations["listTraceSummaries"];
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
        /** Export traces of a run */
        get: operations["exportRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export traces
         * @description Exports the traces that match all parameters, oldest first. With `best`, only those with the greatest rewards.
         */
        get: operations["exportTraces"];
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
        /**
         * List groups of rollouts of one task, with advantages
         * @description `q` and `query` select the groups of which a trace matches; they are returned as a whole, so that advantages do not depend on them.
         */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag or delete many traces
         * @description Each trace is changed on its own: if some cannot be changed, the others are. Deleting a trace that is deleted already succeeds.
         */
        post: operations["updateTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List scores */
        get: operations["listScores"];
        put?: never;
        /**
         * Score a run, a trace or a block
         * @description Scores are separate records: neither traces nor blocks change. If a score with this id and the same fields exists, the response is 200 with that score. A trace is deleted with its scores.
         */
        post: operations["createScore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org}/scores/{scoreId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a score */
        delete: operations["deleteScore"];
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
         * @description Traces and blocks are written by the same rules as in any other write. The report lists everything that cannot be read or is rejected; the rest is imported.
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
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store spans of OpenTelemetry as traces
         * @description Receiver of OTLP over HTTP. The spans of a trace of OpenTelemetry become the trace `tr_<its id>`: each item of a conversation with a model becomes one block, although every request repeats the conversation; executions of tools become results. The spans follow the GenAI conventions of OpenTelemetry or OpenInference; other attributes are kept in `raw` of the block, or in `metadata.otel.spans` of the trace. Attributes of the resource such as `ors.trace.run` set fields of the trace. Spans may arrive more than once. Traces without any span of an agent are not stored.
         */
        post: operations["exportSpans"];
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
         * @description Batches may arrive in any order and more than once; each message is written once, in the order of the indexes. A message whose predecessors are missing is kept, and written when they arrive or when waiting for them times out. Values of another type than documented are kept as far as possible, and listed in `warnings` of the trace; `NaN`, `Infinity` and `-Infinity`, which are not JSON, are kept as `{"$number": "NaN"}`. An event that cannot be read is refused alone; the response is an error only if all events are refused.
         */
        post: operations["logRollouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{rolloutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the messages of a rollout, in the format of the OpenReward client
         * @description Programs read it to resume a rollout.
         */
        get: operations["getRollout"];
        put?: never;
        post?: never;
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
        /** List runs in the format of OpenReward's command line */
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
        /** Read a run in the format of OpenReward's command line */
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
        /** List the rollouts of a run in the format of OpenReward's command line */
        get: operations["listRollouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{owner}/{name}/task-difficulty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read rewards and response lengths by task, in the format of the OpenReward client
         * @description Aggregates the traces whose environment is `owner/name` or `name` and which have a reward and a task_index. The reward of a trace is its reward_sum.
         */
        get: operations["getTaskDifficulty"];
        put?: never;
        post?: never;
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
         * Read the secrets that an environment needs, in the format of the OpenReward client
         * @description A trace store has no environments, so the list is empty. Programs with one API address for everything ask here, and stop at any other response. The owner may be empty.
         */
        get: operations["getRequiredSecrets"];
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
         * Get the permissions of the API key
         * @description Without keys, everyone can read and write, and the organization is `default`.
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
        /** Report that the server is running */
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
        /** Report whether traces can be written */
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * TraceStatus
         * @description State of the agent run: finished if the episode was finished, error if it failed, abandoned if it was deleted before its end.
         * @enum {unknown}
         */
        TraceStatus: "running" | "finished" | "error" | "abandoned";
        /**
         * TraceId
         * @description Id of a trace. Clients may choose it; ids that the store creates sort by time.
         */
        TraceId: string;
        /**
         * Timestamp
         * @description RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z. Sorts as text.
         */
        Timestamp: string;
        /**
         * JSONObject
         * @description Any JSON object.
         */
        JSONObject: {
            [key: string]: JSONValue;
        };
        /**
         * JSONValue
         * @description Any JSON value.
         */
        JSONValue: JSONValue;
        /**
         * TraceWarning
         * @description A value of a logged event that is not as the standard has it. It is kept, in the form that the message describes.
         */
        TraceWarning: {
            /** @description Id of the event. */
            event_id: string;
            /** @description JSON pointer into the event. */
            path: string;
            message: string;
        };
        /**
         * Trace
         * @description The log of one agent run, without its blocks. The counters include every stored block.
         */
        Trace: {
            id: components["schemas"]["TraceId"];
            name: string | null;
            /** @description The training or evaluation run that the trace belongs to. */
            run: string | null;
            environment: string | null;
            variant: string | null;
            split: string | null;
            task_index: number | null;
            task_spec: components["schemas"]["JSONObject"] | null;
            /** @description SHA-256 of the canonical task_spec, in lower-case hex. */
            task_key: string | null;
            /** @description Group of rollouts of one task that are compared with each other. */
            group_id: string | null;
            /** @description Training step. */
            step: number | null;
            /** @description Position in the group. */
            rollout_index: number | null;
            model: string | null;
            status: components["schemas"]["TraceStatus"];
            tags: string[];
            metadata: components["schemas"]["JSONObject"];
            run_info: components["schemas"]["JSONObject"];
            rollout_info: components["schemas"]["JSONObject"];
            /** @description The trace whose episode this one continues from one of its states; absent if there is none. The continuation begins with the conversation so far. Statistics and groups leave out traces with a parent. The store need not have the parent. */
            parent_trace_id?: components["schemas"]["TraceId"];
            /** @description Number of tool calls of the parent before the fork, which this trace shares; absent if unknown. */
            parent_calls?: number;
            /** @description What the store changed, or could not use, while it logged the events of a rollout; absent if there is nothing. */
            warnings?: components["schemas"]["TraceWarning"][];
            /** @description Sum of extra.reward of all blocks; null if no block has a reward. */
            reward_sum: number | null;
            reward_last: number | null;
            reward_max: number | null;
            reward_count: number;
            block_count: number;
            /** @description Size of the stored blocks in bytes. */
            bytes: number;
            /** @description Number of tool results that report a failure. */
            error_count: number;
            created_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Page
         * @description Cursor of the next page; null on the last page.
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
         * @description One broken rule: its location, its name, what was expected and what was found (a type or a short preview).
         */
        ValidationIssue: {
            /** @description Position of the block in the batch. */
            index?: number;
            /** @description JSON pointer into the block. */
            path: string;
            rule: string;
            expected: string;
            got: string;
        };
        /**
         * ValidationFailure
         * @description A required field is missing, a role is unknown, or a parent is missing or not allowed.
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
         * @description Exact kind of a block.
         * @enum {unknown}
         */
        SubType: "MESSAGE" | "TOOL_CALL" | "TOOL_RESULT" | "THINK";
        /**
         * BlockId
         * @description Id of a block. Clients may choose it, so that a repeated write stores one block.
         */
        BlockId: string;
        /**
         * PayloadTooLarge
         * @description A field exceeds its byte limit. Nothing was stored, and nothing was truncated.
         */
        PayloadTooLarge: {
            /** @constant */
            code: "PAYLOAD_TOO_LARGE";
            /** @constant */
            http_status: 413;
            message: string;
            details: {
                /** @description Position of the block in the batch. */
                index?: number;
                /** @description Null if the request as a whole is too large. */
                sub_type: components["schemas"]["SubType"] | null;
                /** @enum {unknown} */
                field: "content" | "arguments" | "text" | "output" | "delta" | "request_body";
                limit_bytes: number;
                /** @description Null if the client declared no length and the store stopped reading. */
                actual_bytes: number | null;
                /** @description Null if a request that names no trace is too large. */
                trace_id: components["schemas"]["TraceId"] | null;
                parent_block_id: components["schemas"]["BlockId"] | null;
            };
        };
        /**
         * ParentSubtypeMismatch
         * @description The parent exists, but is of a kind that cannot have this block as a child.
         */
        ParentSubtypeMismatch: {
            /** @constant */
            code: "PARENT_SUBTYPE_MISMATCH";
            /** @constant */
            http_status: 409;
            message: string;
            details: {
                /** @description Position of the block in the batch. */
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
                /** @description Position of the block in the batch. */
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
                /** @description Position of the block in the batch. */
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
            code: "BAD_REQUEST" | "BAD_JSON" | "UNAUTHENTICATED" | "FORBIDDEN" | "TRACE_NOT_FOUND" | "BLOCK_NOT_FOUND" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TRACE_ID_CONFLICT" | "BLOCK_ID_CONFLICT" | "SCORE_ID_CONFLICT" | "TRACE_DELETED" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "OVERLOADED" | "INTERNAL";
            /** @enum {unknown} */
            http_status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 415 | 417 | 422 | 429 | 431 | 500 | 503;
            message: string;
            details: components["schemas"]["JSONObject"];
        };
        /**
         * Failure
         * @description Reason why a request was rejected.
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
         * @description A trace to create; all fields are optional. The store sets the counters, the times and task_key.
         */
        TraceInput: {
            id?: components["schemas"]["TraceId"];
            /** @description Display name. */
            name?: string | null;
            /** @description The training or evaluation run that the trace belongs to. */
            run?: string | null;
            environment?: string | null;
            variant?: string | null;
            split?: string | null;
            task_index?: number | null;
            task_spec?: components["schemas"]["JSONObject"] | null;
            /** @description Group of rollouts of one task that are compared with each other. By default, the traces with the same run, environment, split, task_key, step, model and sampling settings form a group; the settings are the object `sampling` of rollout_info, run_info or metadata. */
            group_id?: string | null;
            /** @description Training step. */
            step?: number | null;
            /** @description Position in the group. */
            rollout_index?: number | null;
            model?: string | null;
            tags?: string[];
            metadata?: components["schemas"]["JSONObject"];
            run_info?: components["schemas"]["JSONObject"];
            rollout_info?: components["schemas"]["JSONObject"];
            /** @description The trace whose episode this one continues from one of its states: another trace, which the store need not have. Statistics and groups leave out traces with a parent. */
            parent_trace_id?: components["schemas"]["TraceId"] | null;
            /** @description Number of tool calls of the parent before the fork, which this trace shares. Needs parent_trace_id. */
            parent_calls?: number | null;
            status?: components["schemas"]["TraceStatus"];
        };
        /**
         * TracePatch
         * @description Changes to a trace; the given fields replace the previous values.
         */
        TracePatch: {
            /** @description Display name. */
            name?: string | null;
            status?: components["schemas"]["TraceStatus"];
            tags?: string[];
            metadata?: components["schemas"]["JSONObject"];
        };
        /**
         * ContentPart
         * @description Part of a message's content, such as an ORS block; its other fields depend on its type.
         */
        ContentPart: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * MessagePayload
         * @description Content of a message, and the role of its author. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).
         */
        MessagePayload: {
            /** @enum {unknown} */
            role: "system" | "user" | "assistant";
            /** @description Text, or parts in order; never empty. White space counts as content. */
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
            metadata: JSONValue;
            raw: JSONValue;
            extra: JSONValue;
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
         * @description A tool call as stored. The arguments are usually an object. They are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).
         */
        ToolCallPayload: {
            call_id?: components["schemas"]["CallId"];
            name: components["schemas"]["ToolName"];
            arguments: JSONValue;
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
            metadata: JSONValue;
            raw: JSONValue;
            extra: JSONValue;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * ThinkPayload
         * @description Reasoning of a model. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).
         */
        ThinkPayload: {
            text: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * ThinkBlock
         * @description Reasoning as stored; its parent is a message.
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
            metadata: JSONValue;
            raw: JSONValue;
            extra: JSONValue;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Seq
         * @description Position among the results of one call, from 0; null or absent sorts last.
         */
        Seq: number | null;
        /**
         * ToolResultOutput
         * @description The complete result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
         */
        ToolResultOutput: {
            call_id?: components["schemas"]["CallId"];
            output: JSONValue;
            delta?: null;
            seq?: components["schemas"]["Seq"];
        } & {
            [key: string]: unknown;
        };
        /**
         * ToolResultDelta
         * @description A streamed part of the result of a call. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
         */
        ToolResultDelta: {
            call_id?: components["schemas"]["CallId"];
            /** @description Any value but null. Text deltas are joined, and lists concatenated, in the order of seq; others become a list. */
            delta: string | number | boolean | components["schemas"]["JSONObject"] | JSONValue[];
            output?: null;
            seq?: components["schemas"]["Seq"];
        } & {
            [key: string]: unknown;
        };
        /**
         * ToolResultPayload
         * @description The result of a call, complete or a part of it: exactly one of output and delta.
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
            metadata: JSONValue;
            raw: JSONValue;
            extra: JSONValue;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Block
         * @description A stored block; sub_type determines its form. Blocks never change, so updated_at equals created_at.
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
            /** @description Name of the tool, for a TOOL_CALL. */
            name: string | null;
            /** @description Role of the author, for a MESSAGE. */
            role: string | null;
            /** @description Stored size in bytes. */
            bytes: number;
            /** @description The value of extra.reward. */
            reward: number | null;
            /** @description True for a tool result that reports a failure. */
            is_error: boolean;
            /** @description The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0. */
            thread?: string;
            /** @description The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`. */
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
            metadata?: JSONValue;
            raw?: JSONValue;
            extra?: JSONValue;
        };
        /**
         * ToolCallPayloadInput
         * @description A tool call as written. The arguments are any JSON value, or the text of one, which model providers return: it is parsed, and stored as its value. Empty text means `{}`; text that is not JSON is rejected.
         */
        ToolCallPayloadInput: {
            call_id?: components["schemas"]["CallId"];
            name: components["schemas"]["ToolName"];
            arguments: JSONValue;
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
            metadata?: JSONValue;
            raw?: JSONValue;
            extra?: JSONValue;
        };
        /**
         * ThinkBlockInput
         * @description Reasoning to write, under a message of the same trace.
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
            metadata?: JSONValue;
            raw?: JSONValue;
            extra?: JSONValue;
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
            metadata?: JSONValue;
            raw?: JSONValue;
            extra?: JSONValue;
        };
        /**
         * BlockInput
         * @description A block to write; sub_type determines its form. The block_type follows from it and may be omitted; created_at and updated_at are set by the store and rejected in requests. metadata, raw and extra are any JSON, and are returned as they were sent, numbers of any length included; if the store has API keys, an object as metadata gets the field key_id.
         */
        BlockInput: components["schemas"]["MessageBlockInput"] | components["schemas"]["ToolCallBlockInput"] | components["schemas"]["ThinkBlockInput"] | components["schemas"]["ToolResultBlockInput"];
        /**
         * BlockBatch
         * @description Blocks that are written together or not at all.
         */
        BlockBatch: {
            blocks: components["schemas"]["BlockInput"][];
        };
        /**
         * BlockWrite
         * @description One block, or up to 1000 that are written together or not at all; the parent of a block may be an earlier block of the request.
         */
        BlockWrite: components["schemas"]["BlockInput"] | components["schemas"]["BlockBatch"];
        /**
         * BlockReceipt
         * @description Confirms that a block is on disk.
         */
        BlockReceipt: {
            id: components["schemas"]["BlockId"];
            created_at: components["schemas"]["Timestamp"];
            /** @description True if the block existed before, with the same content. */
            replayed: boolean;
        };
        /**
         * BatchReceipt
         * @description One receipt per block of a batch, in the same order.
         */
        BatchReceipt: {
            blocks: components["schemas"]["BlockReceipt"][];
            count: number;
        };
        /**
         * DryRun
         * @description Result of a dry run: every block is valid, and nothing was stored.
         */
        DryRun: {
            /** @constant */
            valid: true;
            count: number;
        };
        /**
         * AssembledResult
         * @description The joined results of one call: the last output if there is one, or an output of which all pieces exist (complete), else the deltas in order (partial), else null (pending).
         */
        AssembledResult: {
            /** @enum {unknown} */
            state: "complete" | "partial" | "pending";
            value: JSONValue;
            /** @description Missing values of seq between 0 and the highest one of a delta, ascending; at most 1000. */
            gaps: number[];
            /** @description Number of further missing values, if there are more than 1000. */
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
            metadata: JSONValue;
            raw: JSONValue;
            extra: JSONValue;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            tool_results: components["schemas"]["ToolResultBlock"][];
            assembled?: components["schemas"]["AssembledResult"];
        };
        /**
         * StitchedMessage
         * @description A message with its thoughts and tool calls. child_order lists the ids of both in their common order.
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
            metadata: JSONValue;
            raw: JSONValue;
            extra: JSONValue;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            thinks: components["schemas"]["ThinkBlock"][];
            tool_calls: components["schemas"]["StitchedToolCall"][];
            child_order: components["schemas"]["BlockId"][];
        };
        /**
         * Orphans
         * @description Blocks whose parent is missing or of the wrong kind; empty unless the data was damaged or restored. Results stay under their call, even if that call is an orphan.
         */
        Orphans: {
            tool_calls: components["schemas"]["StitchedToolCall"][];
            tool_results: components["schemas"]["ToolResultBlock"][];
            thinks: components["schemas"]["ThinkBlock"][];
        };
        /**
         * StitchedTrace
         * @description A trace as a tree: messages with their thoughts and tool calls, and calls with their results. Every list is ordered by payload.seq (null last), created_at, id.
         */
        StitchedTrace: {
            trace: components["schemas"]["Trace"];
            messages: components["schemas"]["StitchedMessage"][];
            orphans: components["schemas"]["Orphans"];
            page: components["schemas"]["Page"];
        };
        /**
         * SkeletonToolCall
         * @description The skeleton of a tool call with those of its results.
         */
        SkeletonToolCall: {
            id: components["schemas"]["BlockId"];
            /** @enum {unknown} */
            block_type: "MESSAGE" | "ACT" | "OBSERVE";
            sub_type: components["schemas"]["SubType"];
            parent_block_id: components["schemas"]["BlockId"] | null;
            call_id: string | null;
            seq: number | null;
            /** @description Name of the tool, for a TOOL_CALL. */
            name: string | null;
            /** @description Role of the author, for a MESSAGE. */
            role: string | null;
            /** @description Stored size in bytes. */
            bytes: number;
            /** @description The value of extra.reward. */
            reward: number | null;
            /** @description True for a tool result that reports a failure. */
            is_error: boolean;
            /** @description The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0. */
            thread?: string;
            /** @description The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`. */
            preview: string;
            created_at: components["schemas"]["Timestamp"];
            tool_results: components["schemas"]["BlockSkeleton"][];
        };
        /**
         * SkeletonMessage
         * @description The skeleton of a message with those of its thoughts and tool calls.
         */
        SkeletonMessage: {
            id: components["schemas"]["BlockId"];
            /** @enum {unknown} */
            block_type: "MESSAGE" | "ACT" | "OBSERVE";
            sub_type: components["schemas"]["SubType"];
            parent_block_id: components["schemas"]["BlockId"] | null;
            call_id: string | null;
            seq: number | null;
            /** @description Name of the tool, for a TOOL_CALL. */
            name: string | null;
            /** @description Role of the author, for a MESSAGE. */
            role: string | null;
            /** @description Stored size in bytes. */
            bytes: number;
            /** @description The value of extra.reward. */
            reward: number | null;
            /** @description True for a tool result that reports a failure. */
            is_error: boolean;
            /** @description The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0. */
            thread?: string;
            /** @description The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`. */
            preview: string;
            created_at: components["schemas"]["Timestamp"];
            thinks: components["schemas"]["BlockSkeleton"][];
            tool_calls: components["schemas"]["SkeletonToolCall"][];
            child_order: components["schemas"]["BlockId"][];
        };
        /**
         * SkeletonOrphans
         * @description Skeletons of blocks whose parent is missing or of the wrong kind.
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
         * @description A block that matches a search, and its location.
         */
        BlockHit: {
            trace_id: components["schemas"]["TraceId"];
            block: components["schemas"]["BlockSkeleton"];
            /** @description Text around the first match, at most 160 characters; null if no text was searched for. */
            excerpt: string | null;
        };
        /**
         * BlockHitList
         * @description One page of search results, those of the newest trace first.
         */
        BlockHitList: {
            hits: components["schemas"]["BlockHit"][];
            page: components["schemas"]["Page"];
        };
        /**
         * SearchHit
         * @description A block that matches a query.
         */
        SearchHit: {
            trace_id: components["schemas"]["TraceId"];
            block: components["schemas"]["BlockSkeleton"];
            /** @description Name of the tool, for a call or a result. */
            tool: string | null;
            /** @description One line of the block without escape sequences and control characters: around the first match, or its beginning. */
            text: string;
            /** @description Message of a failed result on one line; of a Python traceback, its last line. */
            error: string | null;
        };
        /**
         * SearchResults
         * @description One page of search results, those of the newest trace first. If the query is about traces only, there are traces and no hits; otherwise the traces are those of the hits.
         */
        SearchResults: {
            hits: components["schemas"]["SearchHit"][];
            traces: components["schemas"]["Trace"][];
            page: components["schemas"]["Page"];
        };
        /**
         * RewardSummary
         * @description Summary of the reward_sum of several traces; count_without is the number of traces without a reward. The other values are null if no trace has one.
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
         * RunDetails
         * @description What a table of runs shows beside their counts.
         */
        RunDetails: {
            /** @description At most 20, the most frequent first. */
            environments: string[];
            /** @description At most 20, the most frequent first. */
            models: string[];
            /** @description Tags of the traces without those that begin with stop: or failed:; at most 20, the most frequent first. */
            tags: string[];
            first_step: number | null;
            last_step: number | null;
            /** @description Number of traces whose reward is at least the parameter pass. */
            passed: number;
            /** @description Mean duration of the traces that ended; null if none did. */
            mean_seconds: number | null;
            /** @description Sum over the traces that report tokens; null if none does. */
            tokens: number | null;
            /** @description Sum over the traces that report a cost; null if none does. */
            cost: number | null;
            /** @description Mean reward of consecutive training steps, at most 32 values; null for steps without a reward. */
            trend: (number | null)[];
            /** @description Numbers, texts and booleans in run_info and metadata of the newest trace, by their path, such as lr or usage.input_tokens; at most 50. */
            info: {
                [key: string]: string | number | boolean;
            };
        };
        /**
         * Run
         * @description All traces with one run name, without those that continue another trace. Details are only included if a request asks for them.
         */
        Run: {
            run: string;
            trace_count: number;
            block_count: number;
            bytes: number;
            /** @description Number of traces with at least one failed tool call. */
            error_count: number;
            /** @description Number of traces by status. */
            status: {
                running: number;
                finished: number;
                error: number;
                abandoned: number;
            };
            reward: components["schemas"]["RewardSummary"];
            first_created_at: components["schemas"]["Timestamp"];
            last_updated_at: components["schemas"]["Timestamp"];
            details?: components["schemas"]["RunDetails"];
        };
        /**
         * RunList
         * @description One page of runs, most recently changed first.
         */
        RunList: {
            runs: components["schemas"]["Run"][];
            page: components["schemas"]["Page"];
        };
        /**
         * RewardQuantiles
         * @description Quantiles of rewards, interpolated between the two nearest rewards.
         */
        RewardQuantiles: {
            p10: number;
            p25: number;
            p50: number;
            p75: number;
            p90: number;
        };
        /**
         * StepStats
         * @description The traces of one training step; step is null for traces without a step. Quantiles are left out if no trace has a reward.
         */
        StepStats: {
            step: number | null;
            trace_count: number;
            reward: components["schemas"]["RewardSummary"];
            /** @description Number of rewards in each bin of the run; RunStats has the edges. */
            histogram: number[];
            quantiles?: components["schemas"]["RewardQuantiles"];
        };
        /**
         * RunStats
         * @description Rewards of a run, as a whole and by step.
         */
        RunStats: {
            run: components["schemas"]["Run"];
            /** @description Edges of the bins, ascending; one more than there are bins. A bin includes its lower edge, the last bin both edges. */
            edges: number[];
            histogram: number[];
            steps: components["schemas"]["StepStats"][];
        };
        /**
         * TraceSummary
         * @description The fields of a trace that statistics need, without its objects. An imported trace has the times at which it was recorded.
         */
        TraceSummary: {
            id: components["schemas"]["TraceId"];
            run: string | null;
            environment: string | null;
            split: string | null;
            task_index: number | null;
            task_key: string | null;
            /** @description Identifies the group of the trace in this store; null if it has none. */
            group_key: string | null;
            /** @description Training step. */
            step: number | null;
            model: string | null;
            status: components["schemas"]["TraceStatus"];
            /** @description reward_sum of the trace. */
            reward: number | null;
            block_count: number;
            error_count: number;
            /** @description Tokens that metadata or rollout_info report, by the names that providers use. */
            tokens: number | null;
            /** @description Cost that metadata or rollout_info report. */
            cost: number | null;
            /** @description Numbers in metadata and rollout_info by their path, such as usage.input_tokens; at most 50. */
            values: {
                [key: string]: number;
            };
            created_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"] | null;
        };
        /**
         * TraceSummaryList
         * @description One page of summaries.
         */
        TraceSummaryList: {
            summaries: components["schemas"]["TraceSummary"][];
            page: components["schemas"]["Page"];
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
            /** @description (reward - mean) / (std + 1e-6) of the group; 0 if all rewards are equal, null without a reward. */
            advantage: number | null;
            block_count: number;
        };
        /**
         * Group
         * @description Rollouts of one task. Traces that continue another one are in no group.
         */
        Group: {
            /** @description Identifies the group in this store. */
            key: string;
            group_id: string | null;
            run: string | null;
            environment: string | null;
            split: string | null;
            task_key: string | null;
            task_index: number | null;
            step: number | null;
            /** @description Model of all members; null if they differ, which only a group with a group_id can have. */
            model?: string | null;
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
         * BulkInput
         * @description Change of many traces: either tags, or deletion.
         */
        BulkInput: {
            trace_ids: components["schemas"]["TraceId"][];
            add_tags?: string[];
            remove_tags?: string[];
            /** @description Deletes the traces with their blocks and scores. */
            delete?: boolean;
        };
        /**
         * BulkReport
         * @description Result of a change of many traces.
         */
        BulkReport: {
            /** @description Number of traces that the request has changed or deleted. */
            changed: number;
            /** @description Traces that could not be changed. */
            failed: {
                trace_id: components["schemas"]["TraceId"];
                code: string;
                message: string;
            }[];
        };
        /**
         * Score
         * @description A judgement of a run, a trace or a block. It never changes; it can be deleted.
         */
        Score: {
            /** @description Id of the score. Clients may choose it, so that a repeated request stores one score. */
            id: string;
            /** @description Trace that is scored; null for the score of a run. */
            trace_id: components["schemas"]["TraceId"] | null;
            /** @description Block of the trace that is scored; null for the whole trace. */
            block_id: components["schemas"]["BlockId"] | null;
            /** @description Run that is scored; null for the score of a trace. */
            run: string | null;
            /** @description Criterion, such as correctness. */
            name: string;
            /** @description Numeric score. */
            value: number | null;
            /** @description Categorical score. */
            label: string | null;
            comment: string | null;
            /** @description Who gave the score; the id of the API key by default. */
            author: string | null;
            /**
             * @description Kind of the author: a person, a model or a program.
             * @enum {unknown}
             */
            source: "human" | "model" | "code";
            metadata: components["schemas"]["JSONObject"];
            created_at: components["schemas"]["Timestamp"];
        };
        /**
         * ScoreList
         * @description One page of scores.
         */
        ScoreList: {
            scores: components["schemas"]["Score"][];
            page: components["schemas"]["Page"];
        };
        /**
         * ScoreInput
         * @description A judgement of a run, a trace or a block, with at least one of value, label and comment. It names either a trace or a run.
         */
        ScoreInput: {
            /** @description Id of the score. Clients may choose it, so that a repeated request stores one score. */
            id?: string;
            /** @description Trace that is scored; null for the score of a run. */
            trace_id?: components["schemas"]["TraceId"] | null;
            /** @description Block of the trace that is scored; null for the whole trace. */
            block_id?: components["schemas"]["BlockId"] | null;
            /** @description Run that is scored; null for the score of a trace. */
            run?: string | null;
            /** @description Criterion, such as correctness. */
            name: string;
            /** @description Numeric score. */
            value?: number | null;
            /** @description Categorical score. */
            label?: string | null;
            comment?: string | null;
            /** @description Who gave the score; the id of the API key by default. */
            author?: string | null;
            /**
             * @description Kind of the author: a person, a model or a program.
             * @enum {unknown}
             */
            source?: "human" | "model" | "code";
            metadata?: components["schemas"]["JSONObject"];
        };
        /**
         * ImportReport
         * @description Result of an import.
         */
        ImportReport: {
            /** @description Number of traces that were created, or that existed with the same content. */
            traces: number;
            /** @description Number of written blocks. */
            blocks: number;
            /** @description Number of blocks that existed before. */
            replayed: number;
            /** @description Number of lines, blocks and traces that could not be read or were rejected. */
            failed_count?: number;
            /** @description The first 1000 of these, each with the error that a write would return. Everything else is imported. `block_id` is null if a trace was rejected with all of its blocks, and if a line is not a block. */
            failed: {
                line: number;
                trace_id: components["schemas"]["TraceId"] | null;
                block_id?: components["schemas"]["BlockId"] | null;
                error: components["schemas"]["Failure"];
            }[];
        };
        /**
         * BlobReceipt
         * @description Confirms that a blob is on disk.
         */
        BlobReceipt: {
            sha256: string;
            media_type: string;
            bytes: number;
        };
        /**
         * SpanReceipt
         * @description ExportTraceServiceResponse of OTLP in JSON.
         */
        SpanReceipt: {
            /** @description Missing if all spans were stored. */
            partialSuccess?: {
                /** @description Number of spans or blocks that were rejected, as text. */
                rejectedSpans: string;
                errorMessage: string;
            };
        };
        /**
         * RolloutStarted
         * @description Start of a rollout; eventId is the id of the rollout.
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
         * @description Message of a rollout; index is its position.
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
         * @description Later information about a rollout; eventId is the id of the rollout.
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
         * @description Start of a rollout, one of its messages, or later information about it; eventType says which.
         */
        RolloutEvent: components["schemas"]["RolloutStarted"] | components["schemas"]["RolloutMessage"] | components["schemas"]["RolloutUpdate"];
        /**
         * RolloutEvents
         * @description A batch of events of the OpenReward client. Events of another form are kept as far as they can be read, with a warning on their trace.
         */
        RolloutEvents: {
            events: (components["schemas"]["RolloutEvent"] | JSONValue)[];
        } & {
            [key: string]: unknown;
        };
        /**
         * RolloutReceipt
         * @description Confirms that events are on disk, and lists those that are not.
         */
        RolloutReceipt: {
            /** @description Number of events on disk. */
            accepted: number;
            /** @description Events that could not be read, or whose trace does not exist; absent if there are none. */
            refused?: {
                /** @description Position in the request, from 0. */
                index: number;
                error: components["schemas"]["Failure"];
            }[];
        };
        /**
         * RolloutMessages
         * @description The messages of a rollout. Arguments are JSON text, and so are other values that are not text.
         */
        RolloutMessages: {
            messages: {
                index: number;
                /** @enum {unknown} */
                type: "system_message" | "user_message" | "assistant_message" | "reasoning" | "tool_call" | "tool_result";
                content: string | null;
                name: string | null;
                callId: string | null;
                contentReference: string | null;
                summary: string | null;
            }[];
        };
        /**
         * RolloutRun
         * @description A run in the format of OpenReward.
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
         * @description A trace in the format of OpenReward.
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
         * ResponseChars
         * @description Length of the responses of a model per rollout, in characters: text of the assistant, arguments of calls, and reasoning that is not hidden. Percentiles are interpolated.
         */
        ResponseChars: {
            mean: number;
            p1: number;
            p10: number;
            p25: number;
            p50: number;
            p75: number;
            p90: number;
            p99: number;
        };
        /**
         * TaskDifficulty
         * @description Rewards and response lengths of the rollouts of one task.
         */
        TaskDifficulty: {
            split: string | null;
            variant: string | null;
            task_index: number;
            /** @description Mean of reward_sum. */
            avg_reward: number;
            min_reward: number;
            max_reward: number;
            /** @description Number of rollouts with a reward. */
            num_rollouts: number;
            response_chars: components["schemas"]["ResponseChars"];
        };
        /**
         * TaskDifficultyList
         * @description The tasks of an environment with logged rollouts, by split, variant and index; null comes first.
         */
        TaskDifficultyList: {
            tasks: components["schemas"]["TaskDifficulty"][];
        };
        /**
         * RequiredSecrets
         * @description Names of the secrets that an environment needs. A trace store has no environments, so that the list is empty.
         */
        RequiredSecrets: {
            secrets: string[];
        };
        /**
         * Access
         * @description Permissions of the API key of a request, and its organization.
         */
        Access: {
            organization: string;
            scopes: ("read" | "write")[];
        };
    };
    responses: {
        /** @description The request was rejected; the body has the reason. */
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
        /** @description Name of the organization; `default` without keys. */
        Organization: string;
        /** @description Id of the trace. */
        TraceId: components["schemas"]["TraceId"];
        /** @description Id of the block. */
        BlockId: components["schemas"]["BlockId"];
        /** @description Name of the run. */
        Run: string;
        /** @description Id of the rollout, which is the id of its trace without `tr_`. */
        RolloutId: string;
        /** @description Owner of the environment. */
        EnvironmentOwner: string;
        /** @description Name of the environment. */
        EnvironmentName: string;
        /** @description SHA-256 of the bytes, in lower-case hex. */
        Sha256: string;
        /** @description For 24 hours, a request with the same key and the same body returns the first response. */
        IdempotencyKey: string;
        /** @description Ordinal of the last received block; browsers send it automatically. */
        LastEventId: string;
        /** @description Only items of this run. */
        RunFilter: string;
        /** @description Only items of this environment. */
        EnvironmentFilter: string;
        /** @description Only traces of this variant. */
        VariantFilter: string;
        /** @description Only traces of this model. */
        ModelNameFilter: string;
        /** @description Only traces whose run_info.model_params is this number or greater. */
        MinModelParams: number;
        /** @description Only traces whose run_info.model_params is this number or smaller. */
        MaxModelParams: number;
        /** @description Only traces with this run_info.training_stage. */
        TrainingStage: "pretrained" | "sft" | "rl";
        /** @description Only items of this split. */
        SplitFilter: string;
        /** @description Only items of the task with this key. */
        TaskKeyFilter: string;
        /** @description Only items of this group. */
        GroupFilter: string;
        /** @description Only traces of this model. */
        ModelFilter: string;
        /** @description Only traces with this tag. */
        TagFilter: string;
        /** @description Only items whose name or id contains this text. */
        Search: string;
        /** @description Only calls and results with this call_id. */
        CallIdFilter: string;
        /** @description Only items of this training step. */
        StepFilter: number;
        /** @description Only traces with this status. */
        StatusFilter: components["schemas"]["TraceStatus"];
        /** @description Minimum of reward_sum. */
        RewardMin: number;
        /** @description Maximum of reward_sum. */
        RewardMax: number;
        /** @description Only traces with failed tool calls, or only those without. */
        HasError: boolean;
        /** @description Only traces that continue this trace. */
        ContinuedTrace: components["schemas"]["TraceId"];
        /** @description Only traces that continue another one, or only those that do not. */
        HasParent: boolean;
        /** @description Only traces created at this time or later. */
        CreatedAfter: components["schemas"]["Timestamp"];
        /** @description Only traces created before this time. */
        CreatedBefore: components["schemas"]["Timestamp"];
        /** @description Includes the details of each run. */
        Details: boolean;
        /** @description Reward from which a trace counts as passed, for the details. */
        Pass: number;
        /** @description Sort key; `score:<name>` sorts by the mean of the values with this name. Traces without a reward or value come last. */
        TraceSort: string;
        /** @description Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`. */
        ScoreFilter: string;
        /** @description Id of the score. */
        ScoreId: string;
        /** @description Only scores of this trace and its blocks. */
        ScoredTrace: components["schemas"]["TraceId"];
        /** @description Only scores of this block. */
        ScoredBlock: components["schemas"]["BlockId"];
        /** @description Only scores of this run, and of its traces and their blocks. */
        ScoredRun: string;
        /** @description Only scores with this name. */
        ScoreName: string;
        /** @description Only scores of this author. */
        AuthorFilter: string;
        /** @description Sort key; std and mean sort in descending order. */
        GroupSort: "created" | "std" | "mean";
        /** @description Sort order. */
        Order: "asc" | "desc";
        /** @description The next_cursor of the previous page. */
        Cursor: string;
        /** @description Maximum number of items of a page. */
        Limit: number;
        /** @description Only blocks after this ordinal; the first block has 1. */
        After: number;
        /** @description Only blocks before this ordinal. */
        Before: number;
        /** @description Only blocks of this type. */
        BlockTypeFilter: "MESSAGE" | "ACT" | "OBSERVE";
        /** @description Only blocks of this sub type. */
        SubTypeFilter: components["schemas"]["SubType"];
        /** @description Only children of this block. */
        ParentFilter: components["schemas"]["BlockId"];
        /** @description Only these blocks, as comma-separated ids; ids that the trace does not have are ignored. */
        IdsFilter: string;
        /** @description Only blocks of this trace, which must exist. */
        TraceFilter: components["schemas"]["TraceId"];
        /** @description Only calls of the tool with this name, and their results. */
        ToolFilter: string;
        /** @description Only tool results that report a failure, or only those that do not. */
        FailedFilter: boolean;
        /** @description Only blocks that contain this text in a string value of their payload. Ignores case, letter by letter. */
        TextFilter: string;
        /** @description Query, such as `tool:bash error:timeout reward:<0.5`. */
        SearchText: string;
        /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
        QueryFilter: string;
        /** @description Maximum number of hits of a page. */
        HitLimit: number;
        /** @description `all` includes payloads; `skeleton` omits them. */
        Fields: "all" | "skeleton";
        /** @description Validates the blocks without storing them. */
        DryRun: boolean;
        /** @description Adds the joined results to each call. */
        Assemble: boolean;
        /** @description The next_cursor of the previous page. */
        RootCursor: string;
        /** @description Asks for a page with at most this number of messages; pages with large messages are shorter. 2000 if only a `cursor` is given. */
        RootLimit: number;
        /** @description Number of bins of the histogram. */
        Bins: number;
        /** @description Format of the export. */
        Format: "jsonl" | "openai" | "sharegpt" | "atif" | "otlp-json" | "csv" | "parquet" | "html";
        /** @description Only traces that match these conditions, such as `reward>=1 and status=finished and metadata.level!=hard`. A condition compares a field with a number or a text by = != > >= < <=, or by ~, which means contains. */
        Where: string;
        /** @description Only this number of traces with the greatest reward of each group, or of each unit of `per`. */
        Best: number;
        /** @description Unit that `best` compares the rewards of. */
        Per: "group" | "task" | "run" | "all";
        /** @description Format of the body. */
        ImportFormat: "auto" | "jsonl" | "atif" | "firehorse";
        /** @description Maximum number of items of a page. */
        RolloutLimit: number;
        /** @description Number of items to skip. */
        RolloutOffset: number;
        /** @description Only runs whose name contains this text. */
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
                /** @description Only items of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only items of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only items of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only traces with this status. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only traces of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only traces with this tag. */
                tag?: components["parameters"]["TagFilter"];
                /** @description Minimum of reward_sum. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Maximum of reward_sum. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only traces with failed tool calls, or only those without. */
                has_error?: components["parameters"]["HasError"];
                /** @description Only traces that continue this trace. */
                parent?: components["parameters"]["ContinuedTrace"];
                /** @description Only traces that continue another one, or only those that do not. */
                has_parent?: components["parameters"]["HasParent"];
                /** @description Only traces created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only traces created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`. */
                score?: components["parameters"]["ScoreFilter"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
                /** @description Sort key; `score:<name>` sorts by the mean of the values with this name. Traces without a reward or value come last. */
                sort?: components["parameters"]["TraceSort"];
                /** @description Sort order. */
                order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
                /** @description For 24 hours, a request with the same key and the same body returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Name of the organization; `default` without keys. */
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
            /** @description The existing trace. */
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
                /** @description Name of the organization; `default` without keys. */
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
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace is deleted. */
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
                /** @description Name of the organization; `default` without keys. */
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
            /** @description The changed trace. */
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
                /** @description Only blocks after this ordinal; the first block has 1. */
                after?: components["parameters"]["After"];
                /** @description Only blocks before this ordinal. */
                before?: components["parameters"]["Before"];
                /** @description Only blocks of this type. */
                block_type?: components["parameters"]["BlockTypeFilter"];
                /** @description Only blocks of this sub type. */
                sub_type?: components["parameters"]["SubTypeFilter"];
                /** @description Only calls and results with this call_id. */
                call_id?: components["parameters"]["CallIdFilter"];
                /** @description Only children of this block. */
                parent?: components["parameters"]["ParentFilter"];
                /** @description Only these blocks, as comma-separated ids; ids that the trace does not have are ignored. */
                ids?: components["parameters"]["IdsFilter"];
                /** @description `all` includes payloads; `skeleton` omits them. */
                fields?: components["parameters"]["Fields"];
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
                /** @description Validates the blocks without storing them. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description For 24 hours, a request with the same key and the same body returns the first response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Name of the organization; `default` without keys. */
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
            /** @description The blocks that existed already, or the result of a dry run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Block"] | components["schemas"]["BatchReceipt"] | components["schemas"]["DryRun"];
                };
            };
            /** @description The written block, or its receipts. */
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
                /** @description Name of the organization; `default` without keys. */
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
                /** @description Adds the joined results to each call. */
                assemble?: components["parameters"]["Assemble"];
                /** @description `all` includes payloads; `skeleton` omits them. */
                fields?: components["parameters"]["Fields"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["RootCursor"];
                /** @description Asks for a page with at most this number of messages; pages with large messages are shorter. 2000 if only a `cursor` is given. */
                limit?: components["parameters"]["RootLimit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
                /** @description Only blocks of this trace, which must exist. */
                trace_id?: components["parameters"]["TraceFilter"];
                /** @description Only items of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only blocks of this sub type. */
                sub_type?: components["parameters"]["SubTypeFilter"];
                /** @description Only calls of the tool with this name, and their results. */
                name?: components["parameters"]["ToolFilter"];
                /** @description Only tool results that report a failure, or only those that do not. */
                has_error?: components["parameters"]["FailedFilter"];
                /** @description Only blocks that contain this text in a string value of their payload. Ignores case, letter by letter. */
                q?: components["parameters"]["TextFilter"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of hits of a page. */
                limit?: components["parameters"]["HitLimit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
    search: {
        parameters: {
            query: {
                /** @description Query, such as `tool:bash error:timeout reward:<0.5`. */
                query: components["parameters"]["SearchText"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of hits of a page. */
                limit?: components["parameters"]["HitLimit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    streamTrace: {
        parameters: {
            query?: {
                /** @description Only blocks after this ordinal; the first block has 1. */
                after?: components["parameters"]["After"];
            };
            header?: {
                /** @description Ordinal of the last received block; browsers send it automatically. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description Name of the organization; `default` without keys. */
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
                /** @description Format of the export. */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the trace. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace in the requested format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "text/html": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
                /** @description Includes the details of each run. */
                details?: components["parameters"]["Details"];
                /** @description Reward from which a trace counts as passed, for the details. */
                pass?: components["parameters"]["Pass"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
                /** @description Number of bins of the histogram. */
                bins?: components["parameters"]["Bins"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only items of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only items of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only traces with this status. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only traces of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only traces with this tag. */
                tag?: components["parameters"]["TagFilter"];
                /** @description Minimum of reward_sum. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Maximum of reward_sum. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only traces with failed tool calls, or only those without. */
                has_error?: components["parameters"]["HasError"];
                /** @description Only traces created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only traces created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`. */
                score?: components["parameters"]["ScoreFilter"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
    listTraceSummaries: {
        parameters: {
            query?: {
                /** @description Only items of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only items of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only items of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only traces with this status. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only traces of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only traces with this tag. */
                tag?: components["parameters"]["TagFilter"];
                /** @description Minimum of reward_sum. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Maximum of reward_sum. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only traces with failed tool calls, or only those without. */
                has_error?: components["parameters"]["HasError"];
                /** @description Only traces created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only traces created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`. */
                score?: components["parameters"]["ScoreFilter"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
                /** @description Sort key; `score:<name>` sorts by the mean of the values with this name. Traces without a reward or value come last. */
                sort?: components["parameters"]["TraceSort"];
                /** @description Sort order. */
                order?: components["parameters"]["Order"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of summaries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceSummaryList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    exportRun: {
        parameters: {
            query?: {
                /** @description Format of the export. */
                format?: components["parameters"]["Format"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only items of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only items of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only traces with this status. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only traces of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only traces with this tag. */
                tag?: components["parameters"]["TagFilter"];
                /** @description Minimum of reward_sum. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Maximum of reward_sum. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only traces with failed tool calls, or only those without. */
                has_error?: components["parameters"]["HasError"];
                /** @description Only traces that continue this trace. */
                parent?: components["parameters"]["ContinuedTrace"];
                /** @description Only traces that continue another one, or only those that do not. */
                has_parent?: components["parameters"]["HasParent"];
                /** @description Only traces created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only traces created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`. */
                score?: components["parameters"]["ScoreFilter"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
                /** @description Only traces that match these conditions, such as `reward>=1 and status=finished and metadata.level!=hard`. A condition compares a field with a number or a text by = != > >= < <=, or by ~, which means contains. */
                where?: components["parameters"]["Where"];
                /** @description Only this number of traces with the greatest reward of each group, or of each unit of `per`. */
                best?: components["parameters"]["Best"];
                /** @description Unit that `best` compares the rewards of. */
                per?: components["parameters"]["Per"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "text/html": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    exportTraces: {
        parameters: {
            query?: {
                /** @description Format of the export. */
                format?: components["parameters"]["Format"];
                /** @description Only items of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only items of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only items of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only traces with this status. */
                status?: components["parameters"]["StatusFilter"];
                /** @description Only traces of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only traces with this tag. */
                tag?: components["parameters"]["TagFilter"];
                /** @description Minimum of reward_sum. */
                reward_min?: components["parameters"]["RewardMin"];
                /** @description Maximum of reward_sum. */
                reward_max?: components["parameters"]["RewardMax"];
                /** @description Only traces with failed tool calls, or only those without. */
                has_error?: components["parameters"]["HasError"];
                /** @description Only traces that continue this trace. */
                parent?: components["parameters"]["ContinuedTrace"];
                /** @description Only traces that continue another one, or only those that do not. */
                has_parent?: components["parameters"]["HasParent"];
                /** @description Only traces created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only traces created before this time. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`. */
                score?: components["parameters"]["ScoreFilter"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
                /** @description Only traces that match these conditions, such as `reward>=1 and status=finished and metadata.level!=hard`. A condition compares a field with a number or a text by = != > >= < <=, or by ~, which means contains. */
                where?: components["parameters"]["Where"];
                /** @description Only this number of traces with the greatest reward of each group, or of each unit of `per`. */
                best?: components["parameters"]["Best"];
                /** @description Unit that `best` compares the rewards of. */
                per?: components["parameters"]["Per"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The traces, one after the other, or as a table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "text/html": string;
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Only items of this run. */
                run?: components["parameters"]["RunFilter"];
                /** @description Only items of this environment. */
                environment?: components["parameters"]["EnvironmentFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only items of the task with this key. */
                task_key?: components["parameters"]["TaskKeyFilter"];
                /** @description Only items of this group. */
                group_id?: components["parameters"]["GroupFilter"];
                /** @description Only items of this training step. */
                step?: components["parameters"]["StepFilter"];
                /** @description Only traces of this model. */
                model?: components["parameters"]["ModelFilter"];
                /** @description Only items whose name or id contains this text. */
                q?: components["parameters"]["Search"];
                /** @description Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow. */
                query?: components["parameters"]["QueryFilter"];
                /** @description Sort key; std and mean sort in descending order. */
                sort?: components["parameters"]["GroupSort"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
    updateTraces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description The number of changed traces, and the failures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkReport"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listScores: {
        parameters: {
            query?: {
                /** @description Only scores of this trace and its blocks. */
                trace_id?: components["parameters"]["ScoredTrace"];
                /** @description Only scores of this block. */
                block_id?: components["parameters"]["ScoredBlock"];
                /** @description Only scores of this run, and of its traces and their blocks. */
                run?: components["parameters"]["ScoredRun"];
                /** @description Only scores with this name. */
                name?: components["parameters"]["ScoreName"];
                /** @description Only scores of this author. */
                author?: components["parameters"]["AuthorFilter"];
                /** @description The next_cursor of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of scores, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    createScore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoreInput"];
            };
        };
        responses: {
            /** @description The existing score. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Score"];
                };
            };
            /** @description The new score. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Score"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    deleteScore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
                /** @description Id of the score. */
                scoreId: components["parameters"]["ScoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The score is deleted. */
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
    importTraces: {
        parameters: {
            query?: {
                /** @description Format of the body. */
                format?: components["parameters"]["ImportFormat"];
            };
            header?: never;
            path: {
                /** @description Name of the organization; `default` without keys. */
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
            /** @description The result of the import. */
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
                /** @description Name of the organization; `default` without keys. */
                org: components["parameters"]["Organization"];
                /** @description SHA-256 of the bytes, in lower-case hex. */
                sha256: components["parameters"]["Sha256"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the blob, with the media type that it was stored with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
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
                /** @description Name of the organization; `default` without keys. */
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
            /** @description The blob is stored. */
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
    exportSpans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": components["schemas"]["JSONObject"];
            };
        };
        responses: {
            /** @description The spans are on disk; `partialSuccess` says how many were rejected, and why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanReceipt"];
                    "application/x-protobuf": string;
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
            /** @description The number of events on disk, including those that existed before, and the refused events. */
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
    getRollout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rollout, which is the id of its trace without `tr_`. */
                rolloutId: components["parameters"]["RolloutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutMessages"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    listRolloutRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["RolloutLimit"];
                /** @description Number of items to skip. */
                offset?: components["parameters"]["RolloutOffset"];
                /** @description Only runs whose name contains this text. */
                search?: components["parameters"]["RolloutSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Runs, most recently changed first. */
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
                /** @description Maximum number of items of a page. */
                limit?: components["parameters"]["RolloutLimit"];
                /** @description Number of items to skip. */
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
    getTaskDifficulty: {
        parameters: {
            query?: {
                /** @description Only traces of this variant. */
                variant?: components["parameters"]["VariantFilter"];
                /** @description Only items of this split. */
                split?: components["parameters"]["SplitFilter"];
                /** @description Only traces of this model. */
                model_name?: components["parameters"]["ModelNameFilter"];
                /** @description Only traces whose run_info.model_params is this number or greater. */
                min_model_params?: components["parameters"]["MinModelParams"];
                /** @description Only traces whose run_info.model_params is this number or smaller. */
                max_model_params?: components["parameters"]["MaxModelParams"];
                /** @description Only traces with this run_info.training_stage. */
                training_stage?: components["parameters"]["TrainingStage"];
            };
            header?: never;
            path: {
                /** @description Owner of the environment. */
                owner: components["parameters"]["EnvironmentOwner"];
                /** @description Name of the environment. */
                name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tasks with rollouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDifficultyList"];
                };
            };
            "4XX": components["responses"]["Error"];
            "5XX": components["responses"]["Error"];
        };
    };
    getRequiredSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Owner of the environment. */
                owner: components["parameters"]["EnvironmentOwner"];
                /** @description Name of the environment. */
                name: components["parameters"]["EnvironmentName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No secrets. */
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
    getAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization and the scopes of the key. */
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
            /** @description Success. */
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
            /** @description Success. */
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
