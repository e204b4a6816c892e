/** What names a group in an address; what is left out, the group has not or it fits several. */
export interface GroupParams {
  readonly run?: string;
  readonly group_id?: string;
  readonly environment?: string;
  readonly split?: string;
  readonly task_key?: string;
  readonly step?: number;
}

export const GROUP_FIELDS = ['run', 'group_id', 'environment', 'split', 'task_key'] as const;
export function readGroupParams(query: URLSearchParams): GroupParams {
  const step = Number(query.get('step') || 'none');
  return {
    ...Object.fromEntries(GROUP_FIELDS.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))),
    ...(Number.isSafeInteger(step) && step >= 0 && { step }),
  };
}

/** Names of an address that mean nothing for a group of these traces. */
export function unknownGroupParams(
  query: URLSearchParams,
  members: readonly { readonly trace_id: string }[] = [],
): readonly string[] {
  const [step, reference] = [query.get('step'), query.get('reference')];
  const isStepUsed = !step || readGroupParams(query).step !== undefined;
  const isReferenceUsed = !reference || members.some(({ trace_id }) => trace_id === reference);
  return [...(isStepUsed ? [] : ['step']), ...(isReferenceUsed ? [] : ['reference'])];
}
