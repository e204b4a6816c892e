// generated from requirements.yaml by scripts/generate.ts; never edit

/** Requirement of the standard. */
export interface Requirement {
  readonly level: 'must' | 'should' | 'may';
  /** Heading of the document that contains the requirement. */
  readonly source: { readonly document: string; readonly heading: string };
  readonly sentence: string;
  /** The documents can be read in two ways. */
  readonly contested?: true;
  /** No document says it; it follows from the others. */
  readonly unstated?: true;
  /** From openreward, not in the documents; only who has it can break it. */
  readonly extension?: true;
  /** Reason why the conformance suite has no check for it. */
  readonly unchecked?: string;
}

export type RequirementId =
  | 'ORS-DISC-001'
  | 'ORS-DISC-002'
  | 'ORS-DISC-003'
  | 'ORS-DISC-004'
  | 'ORS-DISC-005'
  | 'ORS-DISC-006'
  | 'ORS-DISC-007'
  | 'ORS-DISC-008'
  | 'ORS-DISC-009'
  | 'ORS-DISC-010'
  | 'ORS-DISC-011'
  | 'ORS-DISC-012'
  | 'ORS-DISC-013'
  | 'ORS-DISC-014'
  | 'ORS-DISC-015'
  | 'ORS-DISC-016'
  | 'ORS-DISC-017'
  | 'ORS-DISC-018'
  | 'ORS-DISC-019'
  | 'ORS-DISC-020'
  | 'ORS-DISC-021'
  | 'ORS-DISC-022'
  | 'ORS-DISC-023'
  | 'ORS-DISC-024'
  | 'ORS-DISC-025'
  | 'ORS-DISC-026'
  | 'ORS-DISC-027'
  | 'ORS-DISC-028'
  | 'ORS-DISC-029'
  | 'ORS-DISC-030'
  | 'ORS-DISC-031'
  | 'ORS-DISC-032'
  | 'ORS-DISC-033'
  | 'ORS-DISC-034'
  | 'ORS-DISC-035'
  | 'ORS-DISC-036'
  | 'ORS-DISC-037'
  | 'ORS-DISC-038'
  | 'ORS-DISC-039'
  | 'ORS-DISC-040'
  | 'ORS-DISC-041'
  | 'ORS-DISC-042'
  | 'ORS-DISC-043'
  | 'ORS-SESS-001'
  | 'ORS-SESS-002'
  | 'ORS-SESS-003'
  | 'ORS-SESS-004'
  | 'ORS-SESS-005'
  | 'ORS-SESS-006'
  | 'ORS-SESS-007'
  | 'ORS-SESS-008'
  | 'ORS-SESS-009'
  | 'ORS-SESS-010'
  | 'ORS-SESS-011'
  | 'ORS-SESS-012'
  | 'ORS-SESS-013'
  | 'ORS-SESS-014'
  | 'ORS-SESS-015'
  | 'ORS-SESS-016'
  | 'ORS-SESS-017'
  | 'ORS-SESS-018'
  | 'ORS-SESS-019'
  | 'ORS-SESS-020'
  | 'ORS-SESS-021'
  | 'ORS-SESS-022'
  | 'ORS-SESS-023'
  | 'ORS-SESS-024'
  | 'ORS-SESS-025'
  | 'ORS-SESS-026'
  | 'ORS-SESS-027'
  | 'ORS-SESS-028'
  | 'ORS-SESS-029'
  | 'ORS-SESS-030'
  | 'ORS-SESS-031'
  | 'ORS-SESS-032'
  | 'ORS-SESS-033'
  | 'ORS-SESS-034'
  | 'ORS-SESS-035'
  | 'ORS-SESS-036'
  | 'ORS-SESS-037'
  | 'ORS-SESS-038'
  | 'ORS-SESS-039'
  | 'ORS-SESS-040'
  | 'ORS-SESS-041'
  | 'ORS-SESS-042'
  | 'ORS-SESS-043'
  | 'ORS-SESS-044'
  | 'ORS-SESS-045'
  | 'ORS-SESS-046'
  | 'ORS-SESS-047'
  | 'ORS-SESS-048'
  | 'ORS-SESS-049'
  | 'ORS-SESS-050'
  | 'ORS-SESS-051'
  | 'ORS-SESS-052'
  | 'ORS-SESS-053'
  | 'ORS-SESS-054'
  | 'ORS-SESS-055'
  | 'ORS-SESS-056'
  | 'ORS-SESS-057'
  | 'ORS-SESS-058'
  | 'ORS-EPI-001'
  | 'ORS-EPI-002'
  | 'ORS-EPI-003'
  | 'ORS-EPI-004'
  | 'ORS-EPI-005'
  | 'ORS-EPI-006'
  | 'ORS-EPI-007'
  | 'ORS-EPI-008'
  | 'ORS-EPI-009'
  | 'ORS-EPI-010'
  | 'ORS-EPI-011'
  | 'ORS-EPI-012'
  | 'ORS-EPI-013'
  | 'ORS-EPI-014'
  | 'ORS-EPI-015'
  | 'ORS-EPI-016'
  | 'ORS-CALL-001'
  | 'ORS-CALL-002'
  | 'ORS-CALL-003'
  | 'ORS-CALL-004'
  | 'ORS-CALL-005'
  | 'ORS-CALL-006'
  | 'ORS-CALL-007'
  | 'ORS-CALL-008'
  | 'ORS-CALL-009'
  | 'ORS-CALL-010'
  | 'ORS-CALL-011'
  | 'ORS-CALL-012'
  | 'ORS-CALL-013'
  | 'ORS-CALL-014'
  | 'ORS-CALL-015'
  | 'ORS-CALL-016'
  | 'ORS-CALL-017'
  | 'ORS-CALL-018'
  | 'ORS-CALL-019'
  | 'ORS-CALL-020'
  | 'ORS-CALL-021'
  | 'ORS-CALL-022'
  | 'ORS-CALL-023'
  | 'ORS-CALL-024'
  | 'ORS-CALL-025'
  | 'ORS-CALL-026'
  | 'ORS-CALL-027'
  | 'ORS-CALL-028'
  | 'ORS-CALL-029'
  | 'ORS-CALL-030'
  | 'ORS-CALL-031'
  | 'ORS-CALL-032'
  | 'ORS-CALL-033'
  | 'ORS-CALL-034'
  | 'ORS-CALL-035'
  | 'ORS-CALL-036'
  | 'ORS-CALL-037'
  | 'ORS-CALL-038'
  | 'ORS-CALL-039'
  | 'ORS-CALL-040'
  | 'ORS-CALL-041'
  | 'ORS-CALL-042'
  | 'ORS-CALL-043'
  | 'ORS-CALL-044'
  | 'ORS-CALL-045'
  | 'ORS-CALL-046'
  | 'ORS-SSE-001'
  | 'ORS-SSE-002'
  | 'ORS-SSE-003'
  | 'ORS-SSE-004'
  | 'ORS-SSE-005'
  | 'ORS-SSE-006'
  | 'ORS-SSE-007'
  | 'ORS-SSE-008'
  | 'ORS-SSE-009'
  | 'ORS-SSE-010'
  | 'ORS-SSE-011'
  | 'ORS-SSE-012'
  | 'ORS-SSE-013'
  | 'ORS-SSE-014'
  | 'ORS-CHNK-001'
  | 'ORS-CHNK-002'
  | 'ORS-CHNK-003'
  | 'ORS-CHNK-004'
  | 'ORS-CHNK-005'
  | 'ORS-CHNK-006'
  | 'ORS-CHNK-007'
  | 'ORS-CHNK-008'
  | 'ORS-CHNK-009'
  | 'ORS-CHNK-010'
  | 'ORS-RECN-001'
  | 'ORS-RECN-002'
  | 'ORS-RECN-003'
  | 'ORS-RECN-004'
  | 'ORS-RECN-005'
  | 'ORS-RECN-006'
  | 'ORS-RECN-007'
  | 'ORS-RECN-008'
  | 'ORS-RECN-009'
  | 'ORS-RECN-010'
  | 'ORS-RECN-011'
  | 'ORS-RECN-012'
  | 'ORS-RECN-013'
  | 'ORS-RECN-014'
  | 'ORS-RECN-015'
  | 'ORS-ERR-001'
  | 'ORS-ERR-002'
  | 'ORS-ERR-003'
  | 'ORS-ERR-004'
  | 'ORS-ERR-005'
  | 'ORS-ERR-006'
  | 'ORS-ERR-007'
  | 'ORS-ERR-008'
  | 'ORS-ERR-009'
  | 'ORS-ERR-010'
  | 'ORS-ERR-011'
  | 'ORS-ERR-012'
  | 'ORS-ERR-013'
  | 'ORS-ERR-014'
  | 'ORS-ERR-015'
  | 'ORS-SHUT-001'
  | 'ORS-SHUT-002'
  | 'ORS-SHUT-003'
  | 'ORS-EXT-001'
  | 'ORS-EXT-002'
  | 'ORS-EXT-003'
  | 'ORS-EXT-004'
  | 'ORS-EXT-005'
  | 'ORS-EXT-006'
  | 'ORS-EXT-007'
  | 'ORS-EXT-008'
  | 'ORS-EXT-009'
  | 'ORS-EXT-010'
  | 'ORS-EXT-011'
  | 'ORS-EXT-012'
  | 'ORS-EXT-013'
  | 'ORS-EXT-014'
  | 'ORS-EXT-015'
  | 'ORS-EXT-016'
  | 'ORS-EXT-017'
  | 'ORS-EXT-018'
  | 'ORS-EXT-019'
  | 'ORS-EXT-020'
  | 'ORS-EXT-021'
  | 'ORS-EXT-022'
  | 'ORS-EXT-023'
  | 'ORS-EXT-024'
  | 'ORS-EXT-025'
  | 'ORS-EXT-026'
  | 'ORS-EXT-027'
  | 'ORS-EXT-028'
  | 'ORS-EXT-029'
  | 'ORS-EXT-030'
  | 'ORS-EXT-031'
  | 'ORS-EXT-032'
  | 'ORS-EXT-033'
  | 'ORS-EXT-034'
  | 'ORS-EXT-035'
  | 'ORS-EXT-036'
  | 'ORS-EXT-037'
  | 'ORS-EXT-038'
  | 'ORS-EXT-039'
  | 'ORS-EXT-040'
  | 'ORS-EXT-041'
  | 'ORS-EXT-042'
  | 'ORS-EXT-043'
  | 'ORS-EXT-044'
  | 'ORS-EXT-045'
  | 'ORS-CLNT-001'
  | 'ORS-CLNT-002'
  | 'ORS-CLNT-003'
  | 'ORS-CLNT-004'
  | 'ORS-CLNT-005'
  | 'ORS-CLNT-006'
  | 'ORS-CLNT-007'
  | 'ORS-CLNT-008'
  | 'ORS-CLNT-009'
  | 'ORS-CLNT-010'
  | 'ORS-CLNT-011'
  | 'ORS-CLNT-012'
  | 'ORS-CLNT-013'
  | 'ORS-CLNT-014'
  | 'ORS-CLNT-015'
  | 'ORS-CLNT-016'
  | 'ORS-CLNT-017'
  | 'ORS-CLNT-018'
  | 'ORS-CLNT-019'
  | 'ORS-CLNT-020'
  | 'ORS-CLNT-021'
  | 'ORS-CLNT-022'
  | 'ORS-CLNT-023'
  | 'ORS-CLNT-024'
  | 'ORS-CLNT-025'
  | 'ORS-CLNT-026'
  | 'ORS-CLNT-027'
  | 'ORS-CLNT-028'
  | 'ORS-CLNT-029'
  | 'ORS-CLNT-030'
  | 'ORS-CLNT-031'
  | 'ORS-CLNT-032'
  | 'ORS-CLNT-033'
  | 'ORS-CLNT-034'
  | 'ORS-TYPE-001'
  | 'ORS-TYPE-002'
  | 'ORS-TYPE-003'
  | 'ORS-TYPE-004'
  | 'ORS-TYPE-005'
  | 'ORS-TYPE-006'
  | 'ORS-TYPE-007'
  | 'ORS-TYPE-008'
  | 'ORS-TYPE-009'
  | 'ORS-TYPE-010'
  | 'ORS-TYPE-011'
  | 'ORS-TYPE-012'
  | 'ORS-TYPE-013'
  | 'ORS-TYPE-014'
  | 'ORS-TYPE-015'
  | 'ORS-TYPE-016'
  | 'ORS-TYPE-017'
  | 'ORS-TYPE-018'
  | 'ORS-TYPE-019'
  | 'ORS-TYPE-020'
  | 'ORS-TYPE-021'
  | 'ORS-TYPE-022'
  | 'ORS-TYPE-023'
  | 'ORS-TYPE-024'
  | 'ORS-TYPE-025'
  | 'ORS-TYPE-026'
  | 'ORS-TYPE-027'
  | 'ORS-TYPE-028'
  | 'ORS-TYPE-029'
  | 'ORS-TYPE-030'
  | 'ORS-TYPE-031'
  | 'ORS-TYPE-032'
  | 'ORS-TYPE-033'
  | 'ORS-TYPE-034'
  | 'ORS-TYPE-035'
  | 'ORS-TYPE-036'
  | 'ORS-TYPE-037'
  | 'ORS-TYPE-038'
  | 'ORS-TYPE-039'
  | 'ORS-TYPE-040'
  | 'ORS-TYPE-041'
  | 'ORS-TYPE-042';

/** Requirements of the standard, by id. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = {
  'ORS-DISC-001': {"level":"must","source":{"document":"ors-http-api","heading":"GET /health"},"sentence":"GET /health returns 200 with exactly the status \"ok\"."},
  'ORS-DISC-002': {"level":"must","source":{"document":"ors-http-api","heading":"X-Session-ID"},"sentence":"GET /health requires no session id, and still responds within a second while 32 tools run."},
  'ORS-DISC-003': {"level":"must","source":{"document":"ors-http-api","heading":"GET /list_environments"},"sentence":"GET /list_environments returns an array of at least one string, without duplicates."},
  'ORS-DISC-004': {"level":"must","source":{"document":"ors-http-api","heading":"GET /list_environments"},"sentence":"Every listed environment name works as the path segment of the discovery routes."},
  'ORS-DISC-005': {"level":"must","source":{"document":"ors-tools","heading":"Tool Spec Fields"},"sentence":"Each tool of /tools has a string name, a string description and an input_schema that is an object or null and never omitted."},
  'ORS-DISC-006': {"level":"should","source":{"document":"ors-data-types","heading":"ToolSpec"},"sentence":"A tool specification has no fields besides name, description and input_schema."},
  'ORS-DISC-007': {"level":"should","source":{"document":"ors-tools","heading":"JSON Schema for Parameters"},"sentence":"An input_schema that is not null is a valid JSON Schema for an object."},
  'ORS-DISC-008': {"level":"must","source":{"document":"ors-data-types","heading":"ToolSpec"},"sentence":"No two tools of an environment have the same name, since calls refer to tools by name."},
  'ORS-DISC-009': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/splits"},"sentence":"/splits returns an array of objects with a string name and a type: train, validation or test."},
  'ORS-DISC-010': {"level":"must","source":{"document":"ors-data-types","heading":"Split"},"sentence":"A split with a custom name and no declared type has the type validation."},
  'ORS-DISC-011': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/tasks"},"sentence":"/tasks returns an object with the array of task objects and the environment's name."},
  'ORS-DISC-012': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/tasks"},"sentence":"The env_name of a response is spelled as in /list_environments."},
  'ORS-DISC-013': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/num_tasks"},"sentence":"/num_tasks returns a non-negative integer that equals the length of the list from /tasks."},
  'ORS-DISC-014': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task"},"sentence":"/task returns the same task as /tasks has at that index, at both ends of the split."},
  'ORS-DISC-015': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task"},"sentence":"An index equal to the number of tasks gets 400."},
  'ORS-DISC-016': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/task"},"contested":true,"sentence":"A negative index in /task gets 400, since indices count from zero."},
  'ORS-DISC-017': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/task"},"sentence":"An index that is not an integer (1.5, \"1\", true, null) gets 400."},
  'ORS-DISC-018': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task"},"sentence":"An index far beyond every split, such as 10^20, gets 400 and not a server error."},
  'ORS-DISC-019': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task"},"sentence":"An index that is too large for a floating-point number, such as 1e400, gets a 4xx status."},
  'ORS-DISC-020': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task_range"},"sentence":"/task_range returns the tasks from start up to, but not including, stop; start defaults to 0, stop to the number of tasks."},
  'ORS-DISC-021': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task_range"},"sentence":"Negative bounds of /task_range count from the end of the split."},
  'ORS-DISC-022': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/task_range"},"sentence":"Bounds beyond the split are clamped as in a Python slice, and crossed bounds return an empty list; a server may instead reject them with 400 as an invalid range."},
  'ORS-DISC-023': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/tasks"},"sentence":"An unknown split gets 400 from /tasks, /num_tasks, /task and /task_range."},
  'ORS-DISC-024': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/tools"},"sentence":"An unknown environment gets 404 from each of the six discovery routes, directly or after redirects."},
  'ORS-DISC-025': {"level":"should","source":{"document":"ors-http-api","heading":"GET /{env_name}/tools"},"sentence":"An unknown environment gets 404 directly, without a redirect."},
  'ORS-DISC-026': {"level":"may","source":{"document":"ors-http-api","heading":"GET /list_environments"},"unstated":true,"sentence":"Environment names are matched without regard to case, in paths and in bodies."},
  'ORS-DISC-027': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"If a server has a single environment, a path without its name reaches it, directly or by a redirect that keeps method and body."},
  'ORS-DISC-028': {"level":"may","source":{"document":"ors-http-api","heading":"GET /health"},"unstated":true,"sentence":"HEAD /health returns 200 without a body."},
  'ORS-DISC-029': {"level":"should","source":{"document":"ors-protocol-overview","heading":"1. Discovery Endpoints"},"sentence":"Discovery returns the same with any X-Session-ID, and without one."},
  'ORS-DISC-030': {"level":"must","source":{"document":"ors-http-api","heading":"X-Session-ID"},"sentence":"No discovery route requires X-Session-ID."},
  'ORS-DISC-031': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/tools"},"unchecked":"Part of ORS-EPI-005.","sentence":"/tools lists only shared tools, and none that belong to a single task."},
  'ORS-DISC-032': {"level":"must","source":{"document":"ors-protocol-overview","heading":"1. Discovery Endpoints"},"sentence":"Discovery creates no episode and does not change one."},
  'ORS-DISC-033': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Endpoint Categories"},"sentence":"All discovery, session, interaction and health routes exist, with the documented methods and paths."},
  'ORS-DISC-034': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/num_tasks"},"sentence":"/num_tasks rejects a body without a string split with a 4xx status."},
  'ORS-DISC-035': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/tasks"},"sentence":"/tasks rejects a body without a string split with a 4xx status."},
  'ORS-DISC-036': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/task_range"},"sentence":"A bound of /task_range that is not an integer is rejected with a 4xx status."},
  'ORS-DISC-037': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/task_range"},"sentence":"Adjacent ranges, joined, equal the list of /tasks without gaps or duplicates."},
  'ORS-DISC-038': {"level":"must","source":{"document":"ors-protocol-overview","heading":"4. Health"},"unchecked":"Part of ORS-DISC-001.","sentence":"Health is a separate GET route that does not belong to an environment."},
  'ORS-DISC-039': {"level":"must","source":{"document":"ors-data-types","heading":"Discovery Flow"},"sentence":"The discovery steps (environments, tools, splits, tasks) work in this order, without any other request before them."},
  'ORS-DISC-040': {"level":"should","source":{"document":"ors-http-api","heading":"GET /list_environments"},"unstated":true,"unchecked":"Part of ORS-SESS-009.","sentence":"The first listed environment is the one that /create uses if env_name is omitted."},
  'ORS-DISC-041': {"level":"must","source":{"document":"ors-tools","heading":"Tool Specification"},"unchecked":"Part of ORS-EPI-004 and ORS-EPI-005.","sentence":"There are two lists of tools: the shared ones without a session, all of them with a session."},
  'ORS-DISC-042': {"level":"may","source":{"document":"ors-data-types","heading":"GetTaskRange"},"unstated":true,"sentence":"In /task_range a bound of null counts as absent."},
  'ORS-DISC-043': {"level":"should","source":{"document":"ors-http-api","heading":"GET /list_environments"},"unstated":true,"sentence":"A JSON response has a JSON Content-Type."},
  'ORS-SESS-001': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create_session"},"sentence":"POST /create_session with Accept application/json returns 200 with JSON that contains a non-empty string sid."},
  'ORS-SESS-002': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create_session"},"sentence":"It returns the same JSON if Accept is */* or missing."},
  'ORS-SESS-003': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create_session"},"unstated":true,"sentence":"If Accept prefers text/event-stream to JSON, by quality and order, it returns a task_id event with the sid, then an end event; otherwise JSON."},
  'ORS-SESS-004': {"level":"must","source":{"document":"ors-data-types","heading":"Episode Invariants"},"sentence":"A thousand consecutive session ids are all different."},
  'ORS-SESS-005': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create_session"},"sentence":"A session id has the form of a UUID."},
  'ORS-SESS-006': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create_session"},"sentence":"/create_session accepts an empty body, an empty object, and a request without Content-Type."},
  'ORS-SESS-007': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"/create with an inline task_spec returns 200 with the sid of the request header."},
  'ORS-SESS-008': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"/create with split and index opens the episode of exactly that task."},
  'ORS-SESS-009': {"level":"must","source":{"document":"ors-data-types","heading":"CreateSession"},"sentence":"/create without env_name opens the first environment."},
  'ORS-SESS-010': {"level":"must","source":{"document":"ors-http-api","heading":"X-Session-ID"},"sentence":"create, ping, delete, delete_session, call, prompt and task_tools reject a request without X-Session-ID with 400."},
  'ORS-SESS-011': {"level":"should","source":{"document":"ors-http-api","heading":"X-Session-ID"},"sentence":"A blank X-Session-ID counts as missing."},
  'ORS-SESS-012': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"A second /create with the id of a live session gets 400."},
  'ORS-SESS-013': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"/create with an unknown env_name gets 404."},
  'ORS-SESS-014': {"level":"must","source":{"document":"ors-data-types","heading":"CreateSession"},"sentence":"/create with both task_spec and split with index is rejected with a 4xx status and opens no episode."},
  'ORS-SESS-015': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"Both task sources, none, only split, or only index get exactly 400."},
  'ORS-SESS-016': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"/create with an unknown split or an index out of range gets 400."},
  'ORS-SESS-017': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"The id of a rejected /create can be used again immediately."},
  'ORS-SESS-018': {"level":"may","source":{"document":"ors-data-types","heading":"CreateSession"},"sentence":"A body field of /create that is not part of the standard is ignored, or gets 400."},
  'ORS-SESS-019': {"level":"must","source":{"document":"ors-data-types","heading":"CreateSession"},"sentence":"A secret whose value is not a string is rejected with a 4xx status."},
  'ORS-SESS-020': {"level":"must","source":{"document":"ors-data-types","heading":"CreateSession"},"sentence":"No error body contains the value of a secret from the request."},
  'ORS-SESS-021': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Secrets"},"sentence":"Secrets in the body reach the environment of the session."},
  'ORS-SESS-022': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Secrets"},"unstated":true,"sentence":"Secrets sent in the X-Secrets header, base64 of a JSON object, reach the environment too."},
  'ORS-SESS-023': {"level":"must","source":{"document":"ors-http-api","heading":"POST /ping"},"sentence":"/ping returns 200 with the status \"ok\" for a live session, also while its setup runs."},
  'ORS-SESS-024': {"level":"must","source":{"document":"ors-http-api","heading":"POST /ping"},"sentence":"/ping with an id that does not belong to a session returns 404."},
  'ORS-SESS-025': {"level":"must","source":{"document":"ors-http-api","heading":"POST /delete"},"sentence":"/delete of a live session returns 200 with its sid."},
  'ORS-SESS-026': {"level":"should","source":{"document":"ors-http-api","heading":"POST /delete"},"sentence":"/delete of an id that never belonged to a session returns 404."},
  'ORS-SESS-027': {"level":"may","source":{"document":"ors-http-api","heading":"POST /delete"},"sentence":"A repeated /delete returns 200, 404 or 410, never a server error."},
  'ORS-SESS-028': {"level":"must","source":{"document":"ors-http-api","heading":"POST /delete_session"},"sentence":"/delete_session returns 200 with the sid for live, deleted and unused ids."},
  'ORS-SESS-029': {"level":"must","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"After /delete, ping, prompt and task_tools return 404 or 410; call does so too, or ends with an error event."},
  'ORS-SESS-030': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"After /delete, prompt, task_tools and call return 410 rather than 404."},
  'ORS-SESS-031': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"sentence":"prompt and task_tools return 404 for an id that never belonged to a session; call does so too, or ends with an error event."},
  'ORS-SESS-032': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"sentence":"prompt returns 404 for an id that was issued but has no episode yet."},
  'ORS-SESS-033': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"Requests that arrive while setup runs wait for it and then succeed."},
  'ORS-SESS-034': {"level":"must","source":{"document":"ors-http-api","heading":"POST /delete"},"sentence":"Deleting an episode runs the environment's teardown exactly once."},
  'ORS-SESS-035': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"If setup fails, prompt returns 5xx with a detail, call does so too or ends with an error event, and /delete returns 200."},
  'ORS-SESS-036': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Stateful Sessions"},"unstated":true,"sentence":"Teardown also runs after a setup that failed."},
  'ORS-SESS-037': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Isolation"},"sentence":"Two sessions of one environment share no state."},
  'ORS-SESS-038': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Stateful Sessions"},"sentence":"State that a tool changes persists until the next call of the same session."},
  'ORS-SESS-039': {"level":"should","source":{"document":"ors-http-api","heading":"Session Timeout"},"sentence":"A session expires 900 seconds after its last request, within 30 seconds."},
  'ORS-SESS-040': {"level":"should","source":{"document":"ors-http-api","heading":"Session Timeout"},"sentence":"Any request that carries the session's id restarts its timeout, also one for discovery or an unknown path, or one that is rejected."},
  'ORS-SESS-041': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Session Timeout"},"sentence":"A session does not expire while one of its calls runs."},
  'ORS-SESS-042': {"level":"may","source":{"document":"ors-http-api","heading":"X-Session-ID"},"sentence":"A session id with bytes outside of ASCII or UTF-8 gets 4xx, not a server error."},
  'ORS-SESS-043': {"level":"may","source":{"document":"ors-http-api","heading":"X-Session-ID"},"unstated":true,"sentence":"A request with two X-Session-ID headers gets 400."},
  'ORS-SESS-044': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create_session"},"unchecked":"Part of ORS-SESS-032.","sentence":"/create_session creates no episode: the id alone has no prompt."},
  'ORS-SESS-045': {"level":"must","source":{"document":"ors-protocol-overview","heading":"2. Session Management"},"unchecked":"Part of ORS-SESS-001 and ORS-SESS-010.","sentence":"/create_session is the only session route that requires no X-Session-ID."},
  'ORS-SESS-046': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"Secrets may be omitted in /create, which equals an empty object."},
  'ORS-SESS-047': {"level":"should","source":{"document":"ors-data-types","heading":"CreateSession"},"sentence":"The server neither logs nor stores the values of secrets."},
  'ORS-SESS-048': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"/create responds before setup has ended."},
  'ORS-SESS-049': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"Creating an episode runs the environment's setup once, with the given task."},
  'ORS-SESS-050': {"level":"must","source":{"document":"ors-protocol-overview","heading":"2. Episode-Centric"},"sentence":"A session has one episode with one task, and all of its calls use that episode."},
  'ORS-SESS-051': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Stateful Sessions"},"sentence":"An expired session is torn down like a deleted one."},
  'ORS-SESS-052': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Session Timeout"},"sentence":"/ping restarts the timeout of its session."},
  'ORS-SESS-053': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Episode Lifecycle"},"unchecked":"Part of ORS-EPI-015.","sentence":"The steps create session, create episode, prompt, calls, delete work in that order."},
  'ORS-SESS-054': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Isolation"},"sentence":"No request sees the state of a session other than its own."},
  'ORS-SESS-055': {"level":"must","source":{"document":"ors-protocol-overview","heading":"X-Session-ID Header"},"unchecked":"Part of ORS-EPI-015.","sentence":"The id from /create_session works unchanged in every later request."},
  'ORS-SESS-056': {"level":"may","source":{"document":"ors-http-api","heading":"POST /delete_session"},"unchecked":"Part of ORS-SESS-034.","sentence":"A client may omit /delete_session; resources are released after /delete."},
  'ORS-SESS-057': {"level":"must","source":{"document":"ors-data-types","heading":"Episode Flow"},"unchecked":"Part of ORS-SESS-001, ORS-SESS-007 and ORS-SESS-025.","sentence":"/create_session, /create and /delete all return an object with the sid."},
  'ORS-SESS-058': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"An empty env_name is not an omitted one: it gets 404."},
  'ORS-EPI-001': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"sentence":"/prompt returns an array of blocks, each of type text or image with the required fields of its type."},
  'ORS-EPI-002': {"level":"should","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"sentence":"Every block of a prompt has detail, which may be null."},
  'ORS-EPI-003': {"level":"should","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"sentence":"/prompt returns the same blocks each time, also after calls."},
  'ORS-EPI-004': {"level":"must","source":{"document":"ors-tools","heading":"Task-Specific Tools"},"sentence":"/task_tools lists every tool that /tools lists."},
  'ORS-EPI-005': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/tools"},"sentence":"A tool that is not shared appears in /task_tools and not in /tools."},
  'ORS-EPI-006': {"level":"must","source":{"document":"ors-data-types","heading":"Episode Invariants"},"sentence":"Every tool that /task_tools lists can be called in that session."},
  'ORS-EPI-007': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"sentence":"/prompt with the name of another environment returns 200, because the session determines the environment."},
  'ORS-EPI-008': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"If the prompt of an environment fails, the response is 500 with a JSON detail."},
  'ORS-EPI-009': {"level":"must","source":{"document":"ors-tools","heading":"Task-Specific Tools"},"sentence":"In an environment without task-specific tools, /tools and /task_tools return the same list."},
  'ORS-EPI-010': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/task_tools"},"unchecked":"Part of ORS-SESS-010 and ORS-SESS-031.","sentence":"/task_tools requires a session with an episode: 400 without an id, 404 for an unknown one."},
  'ORS-EPI-011': {"level":"should","source":{"document":"ors-http-api","heading":"GET /{env_name}/task_tools"},"unchecked":"Part of ORS-SESS-030.","sentence":"/task_tools returns 410 for a session that was deleted."},
  'ORS-EPI-012': {"level":"must","source":{"document":"ors-http-api","heading":"GET /{env_name}/task_tools"},"sentence":"A tool without parameters is listed with input_schema null."},
  'ORS-EPI-013': {"level":"must","source":{"document":"ors-protocol-overview","heading":"3. Episode Interaction"},"unchecked":"Part of ORS-SESS-010 and ORS-SESS-031.","sentence":"prompt and call require X-Session-ID and an episode that was created."},
  'ORS-EPI-014': {"level":"must","source":{"document":"ors-data-types","heading":"Blocks"},"sentence":"A prompt may mix text and images, and their order is kept."},
  'ORS-EPI-015': {"level":"must","source":{"document":"ors-http-api","heading":"Complete Episode Flow"},"sentence":"The ten documented requests, from health to delete, succeed in the documented order."},
  'ORS-EPI-016': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Example Flow"},"unchecked":"Part of ORS-EPI-015.","sentence":"The five documented requests of an episode succeed in the documented order, with a client that sends nothing else."},
  'ORS-CALL-001': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A call returns 200 with text/event-stream, and its first event is task_id with non-empty data."},
  'ORS-CALL-002': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A stream has exactly one terminal event, end or error, and it is the last."},
  'ORS-CALL-003': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"The data of all chunk events and of end, joined, is JSON in one of the two forms of a result."},
  'ORS-CALL-004': {"level":"must","source":{"document":"ors-data-types","heading":"ToolOutput"},"sentence":"A successful output has an array of blocks and a boolean finished."},
  'ORS-CALL-005': {"level":"should","source":{"document":"ors-tools","heading":"Wire Format"},"sentence":"The fields metadata and reward are always present, null if they have no value."},
  'ORS-CALL-006': {"level":"should","source":{"document":"ors-data-types","heading":"Output Guarantees"},"sentence":"The blocks of an output are never empty."},
  'ORS-CALL-007': {"level":"must","source":{"document":"ors-data-types","heading":"Output Guarantees"},"sentence":"A reward is a finite number or null."},
  'ORS-CALL-008': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A call returns an event stream regardless of Accept, also without it."},
  'ORS-CALL-009': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A call of an unknown tool is reported: by 400 or 404, by an error event, or by ok false."},
  'ORS-CALL-010': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A call without a required parameter is reported, by 400, by ok false or by an error event, and the tool does not run."},
  'ORS-CALL-011': {"level":"must","source":{"document":"ors-data-types","heading":"ToolCall"},"sentence":"A call whose input is null, an array or missing gets a 4xx status."},
  'ORS-CALL-012': {"level":"must","source":{"document":"ors-data-types","heading":"ToolCall"},"sentence":"A call whose name is missing or not a string gets a 4xx status."},
  'ORS-CALL-013': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Tool Errors"},"sentence":"A tool that throws is reported by ok false or an error event, with a text that is not empty."},
  'ORS-CALL-014': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Tool Errors"},"sentence":"A failed call leaves the session usable."},
  'ORS-CALL-015': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"An error text of several lines arrives completely."},
  'ORS-CALL-016': {"level":"must","source":{"document":"ors-tools","heading":"Pattern 1: Parameterless Tools"},"sentence":"A tool without parameters is called with an empty object as input."},
  'ORS-CALL-017': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A call with the name of an environment other than the session's gets 404."},
  'ORS-CALL-018': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"sentence":"Calls in different sessions run at the same time."},
  'ORS-CALL-019': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"unstated":true,"sentence":"Concurrent calls in one session all get a response."},
  'ORS-CALL-020': {"level":"must","source":{"document":"ors-data-types","heading":"ImageBlock"},"sentence":"Image data, metadata and non-ASCII text arrive exactly as the tool returned them."},
  'ORS-CALL-021': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Stateful Sessions"},"sentence":"An output with finished true does not end the session: /delete still returns 200 and runs teardown."},
  'ORS-CALL-022': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client that disconnects does not cancel the call."},
  'ORS-CALL-023': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A tool that was cancelled or aborted still ends its stream."},
  'ORS-CALL-024': {"level":"should","source":{"document":"ors-data-types","heading":"JSONValue"},"sentence":"Lone surrogates, U+0000, U+2028 and CR LF in a tool's text arrive as valid JSON or as an error event."},
  'ORS-CALL-025': {"level":"should","source":{"document":"ors-http-api","heading":"POST /delete"},"unstated":true,"sentence":"/delete during a call ends the stream of the call within ten seconds."},
  'ORS-CALL-026': {"level":"should","source":{"document":"ors-data-types","heading":"Episode Invariants"},"contested":true,"sentence":"After finished true no tool of the episode runs again."},
  'ORS-CALL-027': {"level":"must","source":{"document":"ors-data-types","heading":"Input Validation"},"sentence":"A tool runs only with an input that matches its input_schema."},
  'ORS-CALL-028': {"level":"must","source":{"document":"ors-tools","heading":"Input Validation"},"sentence":"An input outside of a schema's ranges, enums or types is rejected before the tool receives it."},
  'ORS-CALL-029': {"level":"should","source":{"document":"ors-tools","heading":"JSON Schema for Parameters"},"sentence":"A missing parameter gets the default of its schema."},
  'ORS-CALL-030': {"level":"must","source":{"document":"ors-tools","heading":"Pattern 4: Enum Parameters"},"sentence":"A value outside of an enum is rejected, and each value of the enum is accepted."},
  'ORS-CALL-031': {"level":"must","source":{"document":"ors-tools","heading":"Pattern 3: Complex Parameter Tools"},"sentence":"Nested objects and numeric bounds of an input_schema are enforced."},
  'ORS-CALL-032': {"level":"should","source":{"document":"ors-tools","heading":"Wire Format"},"sentence":"The text of ok false names the tool, then the reason."},
  'ORS-CALL-033': {"level":"must","source":{"document":"ors-tools","heading":"Key Fields"},"sentence":"finished is present in every output that is sent, false if the tool does not set it."},
  'ORS-CALL-034': {"level":"must","source":{"document":"ors-tools","heading":"Key Fields"},"sentence":"The output of a tool without a reward has reward null, not 0."},
  'ORS-CALL-035': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"unchecked":"Part of ORS-SESS-010.","sentence":"A call without X-Session-ID gets 400, and no stream."},
  'ORS-CALL-036': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"unchecked":"Part of ORS-SESS-030.","sentence":"A call in a deleted session gets 410."},
  'ORS-CALL-037': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"Failures in a tool's own logic are ok false in an end event, not an HTTP status."},
  'ORS-CALL-038': {"level":"must","source":{"document":"ors-protocol-overview","heading":"SSE Errors"},"contested":true,"sentence":"Failures of the server during a call are distinguished from failures of the tool: an error event, not ok false."},
  'ORS-CALL-039': {"level":"should","source":{"document":"ors-tools","heading":"Resource Limits"},"unchecked":"No document says how long the limit is, and a call may take minutes for good reasons.","sentence":"A tool that never returns is stopped by a time limit, and its call gets a response."},
  'ORS-CALL-040': {"level":"should","source":{"document":"ors-tools","heading":"Resource Limits"},"unchecked":"No document says how high the limit is, and a server may have a high one for good reasons.","sentence":"The size of an output is limited, and exceeding it is reported instead of exhausting the server."},
  'ORS-CALL-041': {"level":"must","source":{"document":"ors-tools","heading":"Multi-Modal Tools"},"sentence":"A tool may return text and images together, in its own order."},
  'ORS-CALL-042': {"level":"must","source":{"document":"ors-tools","heading":"Tool Output"},"unchecked":"Part of ORS-TYPE-022, ORS-CALL-004 and ORS-CALL-006.","sentence":"Every successful call returns a ToolOutput, even if the tool has no content."},
  'ORS-CALL-043': {"level":"must","source":{"document":"ors-protocol-overview","heading":"3. Tool-Based Interaction"},"sentence":"Only tool calls change an episode: prompt, task_tools and ping do not."},
  'ORS-CALL-044': {"level":"must","source":{"document":"ors-tools","heading":"Core Principle: Actions are Tools"},"unchecked":"Part of ORS-CALL-009 and ORS-EPI-006, which test that tools that are not listed cannot be called, and that listed ones can.","sentence":"Everything that an agent can do in an environment is a listed tool with a described input."},
  'ORS-CALL-045': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Tool Execution with SSE"},"unchecked":"Part of ORS-CALL-001.","sentence":"Tool calls are answered by events in the response to the POST itself."},
  'ORS-CALL-046': {"level":"should","source":{"document":"ors-tools","heading":"3. Validate Tool Inputs"},"sentence":"A well-formed input that the task cannot accept gets an output that explains why, not a server error."},
  'ORS-SSE-001': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A stream is UTF-8, ends each event with a blank line, and uses only the field names of Server-Sent Events."},
  'ORS-SSE-002': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A stream has no events besides task_id, chunk, end and error."},
  'ORS-SSE-003': {"level":"must","source":{"document":"ors-http-api","heading":"Request Timeout"},"sentence":"While a tool is silent, the stream sends something at least every 15 seconds."},
  'ORS-SSE-004': {"level":"must","source":{"document":"ors-http-api","heading":"Request Timeout"},"sentence":"Heartbeats are comments and do not change the joined data."},
  'ORS-SSE-005': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"The task_id event is sent immediately, long before the tool ends."},
  'ORS-SSE-006': {"level":"should","source":{"document":"ors-http-api","heading":"Request Timeout"},"sentence":"Heartbeats are also sent while a call waits for setup."},
  'ORS-SSE-007': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"unstated":true,"sentence":"A stream forbids caching and is not compressed."},
  'ORS-SSE-008': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"unstated":true,"sentence":"The connection can be used again after a stream."},
  'ORS-SSE-009': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"No end event follows an error event."},
  'ORS-SSE-010': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"The data of an error event is plain text, not JSON."},
  'ORS-SSE-011': {"level":"should","source":{"document":"ors-protocol-overview","heading":"SSE Errors"},"sentence":"An error event is preceded by task_id."},
  'ORS-SSE-012': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Tool Execution with SSE"},"sentence":"A task_id is one token of text on one line."},
  'ORS-SSE-013': {"level":"should","source":{"document":"ors-http-api","heading":"Request Timeout"},"sentence":"A call that takes minutes keeps its stream open until it ends."},
  'ORS-SSE-014': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Tool Execution with SSE"},"sentence":"The data of an end event without chunks is one complete JSON document on one line."},
  'ORS-CHNK-001': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A result of up to 4 KB comes in one end event, without chunk events."},
  'ORS-CHNK-002': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A longer result comes in one or more chunk events, then end."},
  'ORS-CHNK-003': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"Results of 1 MB and of 10 MB arrive exactly."},
  'ORS-CHNK-004': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"sentence":"No data value of a result has more than 4096 bytes in UTF-8."},
  'ORS-CHNK-005': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"unstated":true,"sentence":"No data value begins with white space, which some clients strip."},
  'ORS-CHNK-006': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A result is never cut inside a character: no invalid UTF-8, no split surrogate pair."},
  'ORS-CHNK-007': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"unstated":true,"sentence":"No line of a stream is longer than 64 KiB."},
  'ORS-CHNK-008': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"unstated":true,"sentence":"The end event has data even if the length is an exact multiple of the chunk size."},
  'ORS-CHNK-009': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"Chunks arrive in order, without gaps or duplicates."},
  'ORS-CHNK-010': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"unchecked":"A rule for readers; ORS-CHNK-003 tests that the data of a server can be joined.","sentence":"A chunk need not be JSON by itself; only the joined data is."},
  'ORS-RECN-001': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A request that repeats a task_id within 60 seconds of completion gets the same result, and the tool runs once."},
  'ORS-RECN-002': {"level":"must","source":{"document":"ors-data-types","heading":"ToolCall"},"sentence":"A request that repeats the task_id of a running call joins it, and its first event names the same task_id."},
  'ORS-RECN-003': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A result can still be fetched 50 seconds after completion."},
  'ORS-RECN-004': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"More than 70 seconds after completion, the task_id gets an error event, and the tool does not run again."},
  'ORS-RECN-005': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"contested":true,"sentence":"An id in the server's format that it did not issue in this session, such as one of another session, one from before a restart, or an issued one with its last characters changed, gets an error event, and no tool runs."},
  'ORS-RECN-006': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"That error event is preceded by task_id."},
  'ORS-RECN-007': {"level":"should","source":{"document":"ors-tools","heading":"Calling a Tool"},"contested":true,"sentence":"A task_id that the client chose is accepted on its first call: the tool runs, and the stream names that id."},
  'ORS-RECN-008': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Isolation"},"sentence":"A session cannot read the result of another session by its task_id."},
  'ORS-RECN-009': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A repeated result of more than 4 KB is complete, from its beginning."},
  'ORS-RECN-010': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"unstated":true,"sentence":"Two streams that wait for the same call both get its result."},
  'ORS-RECN-011': {"level":"may","source":{"document":"ors-data-types","heading":"ToolCall"},"unstated":true,"sentence":"A task_id of null counts as absent."},
  'ORS-RECN-012': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client reconnects with the id of the task_id event."},
  'ORS-RECN-013': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"sentence":"A dropped connection loses no result: the call continues and its result is kept."},
  'ORS-RECN-014': {"level":"should","source":{"document":"ors-data-types","heading":"ToolCall"},"unstated":true,"sentence":"A known task_id with another tool or input is rejected; it does not get the old result."},
  'ORS-RECN-015': {"level":"must","source":{"document":"ors-data-types","heading":"ToolCall"},"sentence":"A call without task_id runs as a new call, even if it equals an earlier one."},
  'ORS-ERR-001': {"level":"must","source":{"document":"ors-http-api","heading":"Error Response Format"},"sentence":"Every 4xx and 5xx response outside of a stream is JSON with detail."},
  'ORS-ERR-002': {"level":"should","source":{"document":"ors-http-api","heading":"Error Response Format"},"sentence":"detail is a string that says what went wrong."},
  'ORS-ERR-003': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"A body that is not JSON gets 400 from all routes that accept a body."},
  'ORS-ERR-004': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"A body that is an array, null or empty instead of a required object gets 400."},
  'ORS-ERR-005': {"level":"must","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"No malformed request gets a 5xx response."},
  'ORS-ERR-006': {"level":"may","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"unstated":true,"sentence":"A text/plain body is accepted or gets 400 or 415, never 5xx."},
  'ORS-ERR-007': {"level":"may","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"unstated":true,"sentence":"A wrong method gets 405 with an Allow header."},
  'ORS-ERR-008': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"unstated":true,"sentence":"A task_spec of 1 MB is accepted."},
  'ORS-ERR-009': {"level":"must","source":{"document":"ors-protocol-overview","heading":"HTTP Status Codes"},"sentence":"A request that succeeds gets 200."},
  'ORS-ERR-010': {"level":"should","source":{"document":"ors-protocol-overview","heading":"HTTP Status Codes"},"sentence":"Invalid input gets 400, and the text says which part is invalid."},
  'ORS-ERR-011': {"level":"must","source":{"document":"ors-protocol-overview","heading":"HTTP Status Codes"},"unchecked":"Part of ORS-DISC-024 and ORS-SESS-031.","sentence":"A session or environment that does not exist gets 404."},
  'ORS-ERR-012': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"unchecked":"Part of ORS-EPI-008.","sentence":"A failure inside the server, or in an environment's own code outside of a call, gets 500."},
  'ORS-ERR-013': {"level":"should","source":{"document":"ors-protocol-overview","heading":"SSE Errors"},"unchecked":"Part of ORS-CALL-038.","sentence":"A failure after the start of a stream is an error event, because the status is already sent."},
  'ORS-ERR-014': {"level":"should","source":{"document":"ors-http-api","heading":"Error Response Format"},"unstated":true,"sentence":"An error shows no stack trace unless the operator enabled it."},
  'ORS-ERR-015': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"unstated":true,"sentence":"A client that sends a body over the limit, and reads the response only afterwards, receives the 413."},
  'ORS-SHUT-001': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Stateful Sessions"},"sentence":"A server that is stopped tears down every session."},
  'ORS-SHUT-002': {"level":"may","source":{"document":"ors-protocol-overview","heading":"SSE Errors"},"unstated":true,"sentence":"A stopping server ends running streams with a terminal event."},
  'ORS-SHUT-003': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Stateful Sessions"},"unstated":true,"sentence":"A stopping server opens no new episodes."},
  'ORS-EXT-001': {"level":"may","source":{"document":"ors-tools","heading":"Tool Specification"},"extension":true,"sentence":"terminal_tool, next to the tools, is null or an object with a string name, an arg that is a string or null, and a string description."},
  'ORS-EXT-002': {"level":"may","source":{"document":"ors-tools","heading":"Tool Specification"},"extension":true,"sentence":"The terminal tool is not among the tools of /tools and /task_tools, so that the model does not see it."},
  'ORS-EXT-003': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/task_tools"},"extension":true,"sentence":"/task_tools announces the same terminal tool as /tools if the session has no toolset."},
  'ORS-EXT-004': {"level":"may","source":{"document":"ors-tools","heading":"Calling a Tool"},"extension":true,"sentence":"The terminal tool can be called by its name with the text as its only argument."},
  'ORS-EXT-005': {"level":"may","source":{"document":"ors-tools","heading":"Tool Output"},"extension":true,"sentence":"The result of the terminal tool has the reward of the text, which reaches the tool unchanged."},
  'ORS-EXT-006': {"level":"may","source":{"document":"ors-tools","heading":"Input Validation"},"extension":true,"sentence":"An answer whose input does not match is rejected and leaves the episode open; the next one is graded."},
  'ORS-EXT-007': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"extension":true,"sentence":"Of several concurrent answers, one is graded and the others are rejected."},
  'ORS-EXT-008': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"extension":true,"sentence":"The terminal tool runs only after the running calls of the session have ended."},
  'ORS-EXT-009': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"extension":true,"sentence":"/messages returns an array of messages, each with a role and the blocks that this role may have: text and image; tool_result for user; reasoning and tool_call for assistant."},
  'ORS-EXT-010': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"extension":true,"sentence":"Messages and their blocks have every nullable field (detail, signature, is_error)."},
  'ORS-EXT-011': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"extension":true,"sentence":"The messages of an environment that has only a prompt are one user message with its blocks."},
  'ORS-EXT-012': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"extension":true,"sentence":"The prompt of an environment that has only messages is their text: each message as a block with its role, followed by its blocks, with reasoning, tool calls and tool results as text."},
  'ORS-EXT-013': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"/messages waits for setup, as /prompt does."},
  'ORS-EXT-014': {"level":"may","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"extension":true,"sentence":"/score_group of an environment that cannot compare rollouts gets 404, and no stream begins."},
  'ORS-EXT-015': {"level":"may","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"extension":true,"sentence":"/score_group returns a stream like /call, whose result has one score for each candidate, in order, with a number as reward, and metadata that is an object or null."},
  'ORS-EXT-016': {"level":"may","source":{"document":"ors-protocol-overview","heading":"SSE Errors"},"extension":true,"sentence":"A scoring that fails, or returns too few scores, is an error event, and the session remains usable."},
  'ORS-EXT-017': {"level":"may","source":{"document":"ors-data-types","heading":"Output Guarantees"},"unstated":true,"sentence":"A score that is not a finite number is an error event, not a reward of null."},
  'ORS-EXT-018': {"level":"may","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"extension":true,"sentence":"A scoring that is repeated with its task_id returns the same scores, and ran once."},
  'ORS-EXT-019': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Isolation"},"unstated":true,"sentence":"The task_id of a scoring does not return its scores to another session."},
  'ORS-EXT-020': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"extension":true,"sentence":"Group scoring does not advance the episode, and also works when it is finished."},
  'ORS-EXT-021': {"level":"may","source":{"document":"ors-data-types","heading":"Input Validation"},"extension":true,"sentence":"A body of /score_group with invalid candidates is rejected with a 4xx status."},
  'ORS-EXT-022': {"level":"may","source":{"document":"ors-data-types","heading":"RunToolError"},"extension":true,"sentence":"The reason of a call of an unknown tool is not_found, also when the episode is finished."},
  'ORS-EXT-023': {"level":"may","source":{"document":"ors-data-types","heading":"RunToolError"},"extension":true,"sentence":"The reason of a call whose input does not match the tool's schema is input_validation."},
  'ORS-EXT-024': {"level":"may","source":{"document":"ors-data-types","heading":"RunToolError"},"extension":true,"sentence":"The reason of a call in a finished episode is episode_finished, whatever its input."},
  'ORS-EXT-025': {"level":"may","source":{"document":"ors-tools","heading":"Wire Format"},"unstated":true,"sentence":"A failure of the tool itself has no reason, since the server did not refuse the call."},
  'ORS-EXT-026': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"extension":true,"sentence":"A result that arrives after another call has finished the episode is replaced by ok false with the reason episode_finished, so that it pays nothing."},
  'ORS-EXT-027': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"extension":true,"sentence":"An exclusive tool starts when no other call of the session runs, and no other call starts until it has ended."},
  'ORS-EXT-028': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"extension":true,"sentence":"Calls that wait for an exclusive tool do not run if it finishes the episode."},
  'ORS-EXT-029': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"If a server responds to a client that waits for setup before setup has ended, the response is 503 with X-Backend-State starting, a number of seconds in Retry-After, and a detail; setup continues."},
  'ORS-EXT-030': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"unchecked":"Part of ORS-SESS-033.","sentence":"A client that does not announce that it understands 503 waits for setup without it."},
  'ORS-EXT-031': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"/create with a toolset_name that the environment does not have gets 400 and a detail with the word toolset."},
  'ORS-EXT-032': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/task_tools"},"extension":true,"sentence":"A session with a toolset lists the tools of the toolset, which replace tools of the environment with the same name, and calls run them; /tools does not list them."},
  'ORS-EXT-033': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Secrets"},"extension":true,"sentence":"/v1/environments/{owner}/{name}/required-secrets returns an object with an array of names, for every owner and for an empty one."},
  'ORS-EXT-034': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Secrets"},"unstated":true,"sentence":"A name that is not served gets the secrets of the first environment."},
  'ORS-EXT-035': {"level":"may","source":{"document":"ors-tools","heading":"Tool Specification"},"extension":true,"sentence":"message_block_types, next to the tools, is an array of names that begins with text and image, and supports_score_group is a boolean."},
  'ORS-EXT-036': {"level":"may","source":{"document":"ors-data-types","heading":"Episode Invariants"},"unstated":true,"extension":true,"sentence":"A failure of a tool after another call has finished the episode is replaced by ok false with the reason episode_finished, so that no error event ends a session that is graded."},
  'ORS-EXT-037': {"level":"may","source":{"document":"ors-tools","heading":"Input Validation"},"extension":true,"sentence":"If the parameter of the terminal tool is a number, an integer or a boolean, a text of this value is converted; any other text is rejected as input_validation, and leaves the episode open."},
  'ORS-EXT-038': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/task_tools"},"extension":true,"sentence":"/task_tools need not wait for setup if the tools do not depend on it, and its list is then that of the whole episode; a client that does not announce that it understands 503 does not get it."},
  'ORS-EXT-039': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"/fork of a session whose environment cannot fork sessions gets 404."},
  'ORS-EXT-040': {"level":"may","source":{"document":"ors-protocol-overview","heading":"Isolation"},"extension":true,"sentence":"/fork returns the id of a new session that has the state of the other one; calls of one of them do not change the other."},
  'ORS-EXT-041': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"With the task_id of a call as at, the fork has the state after this call, without later calls."},
  'ORS-EXT-042': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"A fork that is requested again with its task_id is the same session."},
  'ORS-EXT-043': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"The task_id of a fork is rejected with a 4xx status for a fork at another call."},
  'ORS-EXT-044': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"/fork at a call that the session does not have is rejected with a 4xx status."},
  'ORS-EXT-045': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"/fork of an unknown session gets 404."},
  'ORS-CLNT-001': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client keeps leading spaces of chunk data; it removes at most the one that follows the colon."},
  'ORS-CLNT-002': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create_session"},"sentence":"A client reads the session id from JSON and from an event stream."},
  'ORS-CLNT-003': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client gives up after a bounded number of streams that end early."},
  'ORS-CLNT-004': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client whose connection breaks requests the call again with its task_id, and does not start a new one."},
  'ORS-CLNT-005': {"level":"should","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client reads every form of Server-Sent Events: CR, LF, CR LF, comments, id and retry, fields without a colon, a byte-order mark, characters that packets split."},
  'ORS-CLNT-006': {"level":"should","source":{"document":"ors-http-api","heading":"POST /ping"},"sentence":"A client pings while its session is idle, in every mode of its interface."},
  'ORS-CLNT-007': {"level":"should","source":{"document":"ors-data-types","heading":"ToolOutput"},"sentence":"A client tolerates missing nullable fields and unknown fields."},
  'ORS-CLNT-008': {"level":"should","source":{"document":"ors-http-api","heading":"Error Response Format"},"sentence":"A client does not retry 4xx responses other than 429, and shows their detail, whether it is a string, a list or an object."},
  'ORS-CLNT-009': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"A client sends the name of the environment when it creates an episode by split and index."},
  'ORS-CLNT-010': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Why SSE?"},"sentence":"A client treats 30 seconds of silence on a stream as a lost connection."},
  'ORS-CLNT-011': {"level":"must","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"A client sends exactly one task source."},
  'ORS-CLNT-012': {"level":"must","source":{"document":"ors-http-api","heading":"POST /delete"},"sentence":"A client deletes its episode when it is done, also after a failure."},
  'ORS-CLNT-013': {"level":"must","source":{"document":"ors-data-types","heading":"ToolOutput"},"sentence":"A client calls no tool after finished true."},
  'ORS-CLNT-014': {"level":"must","source":{"document":"ors-tools","heading":"Task-Specific Tools"},"sentence":"A client requests task_tools, not tools, once it has a session."},
  'ORS-CLNT-015': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Session Timeout"},"sentence":"A client pings well before the 15 minutes are over; every ten seconds is usual."},
  'ORS-CLNT-016': {"level":"must","source":{"document":"ors-protocol-overview","heading":"X-Session-ID Header"},"sentence":"A client sends its session id with every request of the episode."},
  'ORS-CLNT-017': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Tool Execution with SSE"},"sentence":"A client sends Accept text/event-stream with a call."},
  'ORS-CLNT-018': {"level":"must","source":{"document":"ors-http-api","heading":"POST /{env_name}/call"},"sentence":"A client joins chunk and end data before it parses them."},
  'ORS-CLNT-019': {"level":"must","source":{"document":"ors-protocol-overview","heading":"SSE Errors"},"sentence":"A client distinguishes an error event from ok false."},
  'ORS-CLNT-020': {"level":"must","source":{"document":"ors-data-types","heading":"RunToolOutput"},"sentence":"A client reads ok before it reads output or error."},
  'ORS-CLNT-021': {"level":"should","source":{"document":"ors-tools","heading":"Key Fields"},"sentence":"A client keeps metadata out of the agent's context."},
  'ORS-CLNT-022': {"level":"must","source":{"document":"ors-tools","heading":"Key Fields"},"sentence":"A client distinguishes a reward of null from a reward of 0."},
  'ORS-CLNT-023': {"level":"must","source":{"document":"ors-http-api","heading":"Base URL"},"sentence":"A client resolves every path against the server's base URL, including its path prefix."},
  'ORS-CLNT-024': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Key Components"},"sentence":"A client needs only HTTP requests, event streams and its session id to play an episode."},
  'ORS-CLNT-025': {"level":"must","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"sentence":"A client treats 404 and 410 in an episode as the loss of its session, not as a result."},
  'ORS-CLNT-026': {"level":"should","source":{"document":"ors-protocol-overview","heading":"Episode Lifecycle"},"unchecked":"The player determines the order, and the player of the checks is the suite itself.","sentence":"A client fetches the prompt before it calls the first tool."},
  'ORS-CLNT-027': {"level":"should","source":{"document":"ors-http-api","heading":"Standard HTTP Status Codes"},"unstated":true,"sentence":"A client that gets 429 or 503 with Retry-After retries after that time, and not before."},
  'ORS-CLNT-028': {"level":"should","source":{"document":"ors-http-api","heading":"POST /create"},"sentence":"A client follows redirects within the server, with method, body and headers."},
  'ORS-CLNT-029': {"level":"may","source":{"document":"ors-tools","heading":"Calling a Tool"},"extension":true,"sentence":"A client submits a final text by a call of the announced terminal tool, as its only argument, or without one if the tool has none; without a terminal tool it sends nothing and reports an error."},
  'ORS-CLNT-030': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"extension":true,"sentence":"A client returns the messages of a server with their roles and with every kind of block."},
  'ORS-CLNT-031': {"level":"may","source":{"document":"ors-http-api","heading":"GET /{env_name}/prompt"},"extension":true,"sentence":"A client that asks a server without /messages for messages returns the prompt as one user message, and does not ask again."},
  'ORS-CLNT-032': {"level":"may","source":{"document":"ors-data-types","heading":"RunToolError"},"extension":true,"sentence":"A client tells its user the reason why the server refused a call."},
  'ORS-CLNT-033': {"level":"should","source":{"document":"ors-data-types","heading":"Episode Invariants"},"unstated":true,"sentence":"After a call was refused because the episode is finished, the session is still usable and is deleted."},
  'ORS-CLNT-034': {"level":"may","source":{"document":"ors-http-api","heading":"POST /create"},"extension":true,"sentence":"A client that announces with Prefer or User-Agent that it understands 503 with X-Backend-State starting repeats the request until setup has ended, more often than it repeats others."},
  'ORS-TYPE-001': {"level":"must","source":{"document":"ors-data-types","heading":"JSONValue"},"sentence":"Metadata, detail, tasks and inputs may contain any JSON value at any depth, and it arrives unchanged."},
  'ORS-TYPE-002': {"level":"must","source":{"document":"ors-data-types","heading":"TextBlock"},"sentence":"A text block has type text and a string text."},
  'ORS-TYPE-003': {"level":"must","source":{"document":"ors-data-types","heading":"TextBlock"},"sentence":"The detail of a text block is an object if it is present."},
  'ORS-TYPE-004': {"level":"must","source":{"document":"ors-data-types","heading":"ImageBlock"},"sentence":"An image block has type image, and its data and mimeType are strings."},
  'ORS-TYPE-005': {"level":"must","source":{"document":"ors-data-types","heading":"ImageBlock"},"sentence":"An image block's data is base64 of the image."},
  'ORS-TYPE-006': {"level":"must","source":{"document":"ors-data-types","heading":"ImageBlock"},"sentence":"An image block has the media type of its image in a field that is spelled mimeType."},
  'ORS-TYPE-007': {"level":"must","source":{"document":"ors-data-types","heading":"Output Guarantees"},"sentence":"A block's type is exactly text or image."},
  'ORS-TYPE-008': {"level":"must","source":{"document":"ors-data-types","heading":"Blocks"},"unchecked":"Part of ORS-CALL-004 and ORS-EPI-001.","sentence":"Content is always an array of blocks, even for a single text."},
  'ORS-TYPE-009': {"level":"must","source":{"document":"ors-data-types","heading":"ToolSpec"},"sentence":"A tool specification's name and description are strings, and its input_schema is present, null if there are no parameters."},
  'ORS-TYPE-010': {"level":"must","source":{"document":"ors-tools","heading":"Tool Spec Fields"},"sentence":"A server never omits input_schema."},
  'ORS-TYPE-011': {"level":"should","source":{"document":"ors-tools","heading":"Tool Spec Fields"},"sentence":"The name of a tool is in lower case with underscores."},
  'ORS-TYPE-012': {"level":"should","source":{"document":"ors-tools","heading":"1. Clear Tool Names"},"unchecked":"Only people can judge whether a name says what its tool does.","sentence":"A tool's name says what the tool does."},
  'ORS-TYPE-013': {"level":"should","source":{"document":"ors-tools","heading":"2. Comprehensive Descriptions"},"sentence":"A tool's description is specific enough for a model to decide when to call it."},
  'ORS-TYPE-014': {"level":"must","source":{"document":"ors-tools","heading":"What is a Tool?"},"unchecked":"Part of ORS-DISC-005 and ORS-TYPE-009.","sentence":"A tool has a name and a description; parameters are optional."},
  'ORS-TYPE-015': {"level":"must","source":{"document":"ors-tools","heading":"Pattern 2: Simple Parameter Tools"},"sentence":"The properties and the required list of an input_schema arrive as the author wrote them."},
  'ORS-TYPE-016': {"level":"must","source":{"document":"ors-tools","heading":"JSON Schema for Parameters"},"unchecked":"Part of ORS-DISC-007, which accepts these types and no others.","sentence":"The types string, number, boolean, object, array and null may occur in an input_schema."},
  'ORS-TYPE-017': {"level":"must","source":{"document":"ors-data-types","heading":"ToolOutput"},"unchecked":"Part of ORS-CALL-033.","sentence":"An author may omit finished, which then is false."},
  'ORS-TYPE-018': {"level":"must","source":{"document":"ors-data-types","heading":"Output Guarantees"},"unchecked":"Part of ORS-CALL-004.","sentence":"finished is a boolean in every output that is sent."},
  'ORS-TYPE-019': {"level":"must","source":{"document":"ors-data-types","heading":"ToolOutput"},"sentence":"metadata is an object, null or absent."},
  'ORS-TYPE-020': {"level":"must","source":{"document":"ors-data-types","heading":"ToolCall"},"sentence":"A call has a string name and an object input; task_id is an optional string."},
  'ORS-TYPE-021': {"level":"must","source":{"document":"ors-data-types","heading":"ListToolsOutput"},"sentence":"A list of tools is an object with the array tools."},
  'ORS-TYPE-022': {"level":"must","source":{"document":"ors-data-types","heading":"RunToolSuccess"},"sentence":"A success has ok true and an output, and no error."},
  'ORS-TYPE-023': {"level":"must","source":{"document":"ors-data-types","heading":"RunToolError"},"sentence":"A failure has ok false and a string error, and no output."},
  'ORS-TYPE-024': {"level":"must","source":{"document":"ors-data-types","heading":"RunToolOutput"},"sentence":"A result is a success or a failure, and ok alone distinguishes them."},
  'ORS-TYPE-025': {"level":"must","source":{"document":"ors-data-types","heading":"Task"},"unchecked":"Part of ORS-DISC-011 and ORS-TYPE-001.","sentence":"A task is a JSON object whose fields only its environment defines."},
  'ORS-TYPE-026': {"level":"must","source":{"document":"ors-data-types","heading":"Split"},"unchecked":"Part of ORS-DISC-009.","sentence":"A split has a string name and a type of train, validation or test, and nothing else."},
  'ORS-TYPE-027': {"level":"must","source":{"document":"ors-data-types","heading":"ListTasks"},"unchecked":"Part of ORS-DISC-035.","sentence":"The body of /tasks is an object with a string split."},
  'ORS-TYPE-028': {"level":"must","source":{"document":"ors-data-types","heading":"NumTasks"},"unchecked":"Part of ORS-DISC-034.","sentence":"The body of /num_tasks is an object with a string split."},
  'ORS-TYPE-029': {"level":"must","source":{"document":"ors-data-types","heading":"GetTask"},"sentence":"The body of /task is an object with a string split and a number index."},
  'ORS-TYPE-030': {"level":"must","source":{"document":"ors-data-types","heading":"GetTaskRange"},"sentence":"The body of /task_range is an object with a string split; start and stop are optional numbers."},
  'ORS-TYPE-031': {"level":"must","source":{"document":"ors-data-types","heading":"CreateSession"},"unchecked":"Part of ORS-SESS-007, ORS-SESS-008, ORS-SESS-009 and ORS-SESS-015.","sentence":"Every field of the body of /create is optional by itself; task_spec, or split with index, must be present."},
  'ORS-TYPE-032': {"level":"must","source":{"document":"ors-data-types","heading":"CreateSession"},"unchecked":"Part of ORS-SESS-019.","sentence":"secrets is an object whose values are strings."},
  'ORS-TYPE-033': {"level":"must","source":{"document":"ors-data-types","heading":"TypeScript"},"unchecked":"About what clients accept; ORS-CALL-005 tests that servers send the nullable fields nevertheless.","sentence":"A value without nullable fields, as in the TypeScript example of the documents, is a valid ToolOutput."},
  'ORS-TYPE-034': {"level":"must","source":{"document":"ors-data-types","heading":"Python (Reference Implementation)"},"unchecked":"Part of ORS-CALL-005.","sentence":"An author may return only blocks, reward and finished; the other fields are sent as null."},
  'ORS-TYPE-035': {"level":"must","source":{"document":"ors-data-types","heading":"JSON Schema"},"unchecked":"Part of ORS-CALL-004, ORS-CALL-007 and ORS-TYPE-019.","sentence":"Every output that is sent is valid under the documents' draft-07 schema of ToolOutput."},
  'ORS-TYPE-036': {"level":"must","source":{"document":"ors-data-types","heading":"Input Validation"},"unchecked":"Part of ORS-CALL-011, ORS-CALL-012, ORS-DISC-034 and ORS-SESS-014.","sentence":"A request that lacks a required field, or has a field of a wrong type, is rejected."},
  'ORS-TYPE-037': {"level":"should","source":{"document":"ors-tools","heading":"4. Provide Informative Outputs"},"unchecked":"Only people can judge whether an output explains enough.","sentence":"An output says what happened and why, in its blocks."},
  'ORS-TYPE-038': {"level":"should","source":{"document":"ors-tools","heading":"5. Use finished Correctly"},"sentence":"An episode can end: for every task, some call leads to finished true, for success and for failure."},
  'ORS-TYPE-039': {"level":"must","source":{"document":"ors-tools","heading":"Tool Output"},"unchecked":"Part of ORS-CALL-005, ORS-CALL-006, ORS-CALL-033 and ORS-CALL-034.","sentence":"reward, finished and metadata are optional for an author; blocks are not."},
  'ORS-TYPE-040': {"level":"must","source":{"document":"ors-tools","heading":"Key Fields"},"sentence":"A reward belongs to the call that earned it and to no other."},
  'ORS-TYPE-041': {"level":"should","source":{"document":"ors-protocol-overview","heading":"1. Language-Agnostic"},"unchecked":"Every check uses only HTTP, JSON and Server-Sent Events.","sentence":"Everything on the wire is HTTP, JSON and Server-Sent Events; nothing requires a particular language or library."},
  'ORS-TYPE-042': {"level":"must","source":{"document":"ors-protocol-overview","heading":"Option 2: Implement from Scratch"},"unchecked":"Part of ORS-EPI-015.","sentence":"The documented routes, sessions and event streams are sufficient to serve a client that follows the documents."},
};

/** Hash of the rows. */
export const REQUIREMENTS_REVISION = 'c244ec452bf3';
