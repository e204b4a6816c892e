// generated from trace.openapi.yaml by ors generate; never edit

/** Method and path of each operation. */
export const operations = {
  listTraces: { method: 'get', path: '/v1/organizations/{org}/traces' },
  createTrace: { method: 'post', path: '/v1/organizations/{org}/traces' },
  getTrace: { method: 'get', path: '/v1/organizations/{org}/traces/{traceId}' },
  deleteTrace: { method: 'delete', path: '/v1/organizations/{org}/traces/{traceId}' },
  updateTrace: { method: 'patch', path: '/v1/organizations/{org}/traces/{traceId}' },
  listBlocks: { method: 'get', path: '/v1/organizations/{org}/traces/{traceId}/blocks' },
  appendBlocks: { method: 'post', path: '/v1/organizations/{org}/traces/{traceId}/blocks' },
  getBlock: { method: 'get', path: '/v1/organizations/{org}/traces/{traceId}/blocks/{blockId}' },
  stitchedBlocks: { method: 'get', path: '/v1/organizations/{org}/traces/{traceId}/blocks.stitched' },
  findBlocks: { method: 'get', path: '/v1/organizations/{org}/blocks' },
  streamTrace: { method: 'get', path: '/v1/organizations/{org}/traces/{traceId}/stream' },
  exportTrace: { method: 'get', path: '/v1/organizations/{org}/traces/{traceId}/export' },
  listRuns: { method: 'get', path: '/v1/organizations/{org}/runs' },
  runStats: { method: 'get', path: '/v1/organizations/{org}/runs/{run}/stats' },
  exportRun: { method: 'get', path: '/v1/organizations/{org}/runs/{run}/export' },
  listGroups: { method: 'get', path: '/v1/organizations/{org}/groups' },
  importTraces: { method: 'post', path: '/v1/organizations/{org}/import' },
  getBlob: { method: 'get', path: '/v1/organizations/{org}/blobs/{sha256}' },
  putBlob: { method: 'put', path: '/v1/organizations/{org}/blobs/{sha256}' },
  logRollouts: { method: 'post', path: '/v1/rollouts' },
  getRollout: { method: 'get', path: '/v1/rollouts/{rolloutId}' },
  listRolloutRuns: { method: 'get', path: '/v1/runs' },
  getRolloutRun: { method: 'get', path: '/v1/runs/{run}' },
  listRollouts: { method: 'get', path: '/v1/runs/{run}/rollouts' },
  getTaskDifficulty: { method: 'get', path: '/v1/environments/{owner}/{name}/task-difficulty' },
  getRequiredSecrets: { method: 'get', path: '/v1/environments/{owner}/{name}/required-secrets' },
  getAccess: { method: 'get', path: '/v1/access' },
  healthz: { method: 'get', path: '/healthz' },
  readyz: { method: 'get', path: '/readyz' },
  metrics: { method: 'get', path: '/metrics' },
  openapi: { method: 'get', path: '/openapi.json' },
} as const;

export type OperationId = keyof typeof operations;
