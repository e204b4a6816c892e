import { renderHaproxyConfig } from './haproxy.ts';
import { renderNginxLearnConfig, renderNginxTagConfig } from './nginx.ts';
import type { ProxyPlan } from './plan.ts';

/** The configuration of a stock proxy that leads every request of a session to the node that has it. */
export function renderProxyConfig(plan: ProxyPlan): string {
  if (plan.engine === 'haproxy') return renderHaproxyConfig(plan);
  return plan.sticky === 'map' ? renderNginxTagConfig(plan) : renderNginxLearnConfig(plan);
}
