import { haproxy } from './haproxy.ts';
import { nginxByTag, nginxLearning } from './nginx.ts';
import type { ProxyPlan } from './plan.ts';

/** The configuration of a stock proxy that leads every request of a session to the node that has it. */
export function proxyConfig(plan: ProxyPlan): string {
  if (plan.engine === 'haproxy') return haproxy(plan);
  return plan.sticky === 'map' ? nginxByTag(plan) : nginxLearning(plan);
}
