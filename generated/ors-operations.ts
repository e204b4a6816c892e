// generated from ors.openapi.yaml by ors generate; never edit

/** Method and path of each operation. */
export const operations = {
  health: { method: 'get', path: '/health' },
  ready: { method: 'get', path: '/ready' },
  version: { method: 'get', path: '/version' },
  metrics: { method: 'get', path: '/metrics' },
  openapi: { method: 'get', path: '/openapi.json' },
  listEnvironments: { method: 'get', path: '/list_environments' },
  createSession: { method: 'post', path: '/create_session' },
  createEpisode: { method: 'post', path: '/create' },
  forkEpisode: { method: 'post', path: '/fork' },
  ping: { method: 'post', path: '/ping' },
  deleteEpisode: { method: 'post', path: '/delete' },
  deleteSession: { method: 'post', path: '/delete_session' },
  listTools: { method: 'get', path: '/{env_name}/tools' },
  listSplits: { method: 'get', path: '/{env_name}/splits' },
  listTasks: { method: 'post', path: '/{env_name}/tasks' },
  countTasks: { method: 'post', path: '/{env_name}/num_tasks' },
  getTask: { method: 'post', path: '/{env_name}/task' },
  getTaskRange: { method: 'post', path: '/{env_name}/task_range' },
  listTaskTools: { method: 'get', path: '/{env_name}/task_tools' },
  getPrompt: { method: 'get', path: '/{env_name}/prompt' },
  getMessages: { method: 'get', path: '/{env_name}/messages' },
  scoreGroup: { method: 'post', path: '/{env_name}/score_group' },
  listRequiredSecrets: { method: 'get', path: '/v1/environments/{owner}/{name}/required-secrets' },
  callTool: { method: 'post', path: '/{env_name}/call' },
} as const;

export type OperationId = keyof typeof operations;
