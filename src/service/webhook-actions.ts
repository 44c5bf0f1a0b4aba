import type { AuditEventName } from '../audit/event-names.ts';
import { refuse } from '../audit/operations/refuse.ts';
import type { Operator } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import { describe } from '../core/known-options.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Entitled } from '../roles/entitled.ts';
import { findWebhookNamed } from '../webhooks/operations/change-webhook.ts';
import { createWebhook } from '../webhooks/operations/create.ts';
import { deleteWebhook } from '../webhooks/operations/delete.ts';
import { listWebhooks } from '../webhooks/operations/list.ts';
import { pauseWebhook } from '../webhooks/operations/pause.ts';
import { resumeWebhook } from '../webhooks/operations/resume.ts';
import { rotateWebhookSecret } from '../webhooks/operations/rotate-secret.ts';
import { testWebhook } from '../webhooks/operations/test.ts';
import { updateWebhook } from '../webhooks/operations/update.ts';
import { requireText } from './operator-arguments.ts';
import type { OperatorWebhooks } from './operator-webhooks.ts';

/** Implements `auth.asOperator(name).webhooks`. */
export function webhookActions(
  runtime: Runtime,
  operator: Operator,
  may: (capability: 'webhook:manage') => Entitled<'webhook:manage'>,
): OperatorWebhooks {
  const by = may('webhook:manage');
  const idOf = (name: string) => {
    requireText('name', name);
    return findWebhookNamed(runtime, by, name);
  };
  return ifEnabled(runtime, operator, {
    list: async () => listWebhooks(runtime, by),
    create: async ({ name, url, events = null, after = 'end' }) => {
      requireText('name', name);
      requireText('url', url);
      requireText('after', after);
      requireEvents(events);
      return createWebhook(runtime, by, { name, url, events, after });
    },
    update: async (name, { url, events }) => {
      if (url !== undefined) requireText('url', url);
      if (events !== undefined) requireEvents(events);
      return updateWebhook(runtime, by, await idOf(name), { url, events });
    },
    rotateSecret: async (name) => rotateWebhookSecret(runtime, by, await idOf(name)),
    pause: async (name) => pauseWebhook(runtime, by, await idOf(name)),
    resume: async (name, { after } = {}) => {
      if (after !== undefined) requireText('after', after);
      return resumeWebhook(runtime, by, await idOf(name), after);
    },
    test: async (name) => testWebhook(runtime, by, await idOf(name)),
    delete: async (name) => deleteWebhook(runtime, by, await idOf(name)),
  });
}

/** @throws TypeError unless the value is a list of texts or null */
function requireEvents(events: unknown): void {
  if (events === null || (Array.isArray(events) && events.every((event) => typeof event === 'string')))
    return;
  throw new TypeError(`events: expected a list of event names or null, given ${describe(events)}`);
}

/** The event of each action. Null: the action only reads. */
const events: Record<keyof OperatorWebhooks, AuditEventName | null> = {
  list: null,
  create: 'webhook.create',
  update: 'webhook.update',
  rotateSecret: 'webhook.rotate_secret',
  pause: 'webhook.pause',
  resume: 'webhook.resume',
  test: 'webhook.test',
  delete: 'webhook.delete',
};

/**
 * Refuses every action if the service has no webhooks. Records the refusals of actions that change something.
 *
 * @throws AuthError `feature_disabled`
 */
function ifEnabled(runtime: Runtime, operator: Operator, actions: OperatorWebhooks): OperatorWebhooks {
  if (runtime.config.webhooks !== null) return actions;
  const refused = (event: AuditEventName | null) => async () => {
    const code = 'feature_disabled';
    if (event === null) throw new AuthError(code);
    return refuse(runtime, operator, { event, code, reason: 'webhooks_off' });
  };
  return Object.fromEntries(
    Object.entries(events).map(([name, event]) => [name, refused(event)]),
  ) as unknown as OperatorWebhooks;
}
