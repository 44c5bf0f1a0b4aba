import * as v from 'valibot';
import { bounds } from '../core/bounds.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly, text } from '../http/input.ts';
import { id, time } from '../http/resource.ts';
import { nameExpected } from '../webhooks/checks.ts';
import { createWebhook } from '../webhooks/operations/create.ts';
import { deleteWebhook } from '../webhooks/operations/delete.ts';
import { listWebhooks } from '../webhooks/operations/list.ts';
import { pauseWebhook } from '../webhooks/operations/pause.ts';
import { resumeWebhook } from '../webhooks/operations/resume.ts';
import { rotateWebhookSecret } from '../webhooks/operations/rotate-secret.ts';
import { testWebhook } from '../webhooks/operations/test.ts';
import { updateWebhook } from '../webhooks/operations/update.ts';
import {
  deliveryFaults,
  type Webhook,
  type WebhookTest,
  type WebhookWithSecret,
  webhookReasons,
  webhookStates,
} from '../webhooks/webhook.ts';
import { endpoints } from './endpoint.ts';
import { idOf, type Serve } from './serve.ts';

const status = v.pipe(
  v.nullable(v.pipe(v.number(), v.integer())),
  v.description('The status of the response. Null: there was no response.'),
);
const fault = v.pipe(
  v.nullable(v.picklist(deliveryFaults)),
  v.description('Why the attempt failed. Null: the receiver accepted the event.'),
);

export const webhookResource = v.object({
  id,
  name: v.string(),
  url: v.string(),
  events: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('Names of events, and event prefixes that end with a dot. Null: all events.'),
  ),
  state: v.picklist(webhookStates),
  reason: v.pipe(
    v.nullable(v.picklist(webhookReasons)),
    v.description(
      'Why the service paused or disabled the webhook. Null: it is active, or a user or an operator paused it.',
    ),
  ),
  cursor: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The cursor of the last event that was delivered or left out by the filter. Null: the start of the log.',
    ),
  ),
  failedAttempts: v.pipe(
    v.number(),
    v.integer(),
    v.description('How many attempts to deliver the next event have failed.'),
  ),
  failingSince: v.pipe(v.nullable(time), v.description('When the first of these attempts failed.')),
  nextAttemptAt: v.pipe(v.nullable(time), v.description('When the service tries again.')),
  lastAttempt: v.nullable(v.object({ at: time, status, fault })),
  createdAt: time,
  rotatingUntil: v.pipe(
    v.nullable(time),
    v.description('Until then, each request also has a signature with the earlier secret.'),
  ),
}) satisfies v.GenericSchema<Webhook>;

const one = v.object({ webhook: webhookResource });

const withSecret = v.object({
  webhook: webhookResource,
  secret: v.pipe(v.string(), v.description('The secret for verifying signatures. Shown only once.')),
}) satisfies v.GenericSchema<WebhookWithSecret>;

const testResource = v.object({
  fault,
  status,
  durationMs: v.pipe(v.number(), v.integer()),
  eventId: id,
}) satisfies v.GenericSchema<WebhookTest>;

const url = v.pipe(
  text,
  v.metadata({ maxLength: bounds.webhookUrlCharacters }),
  v.description('An `https` URL of a public host, without credentials and without a fragment.'),
);
const events = v.pipe(
  v.nullable(v.array(text)),
  v.description('Names of events, or event prefixes that end with a dot. Null: all events.'),
);
const after = v.pipe(
  text,
  v.description(
    '`end`: only new events. `start`: from the start of the audit log. A cursor of the audit log: after its event.',
  ),
);

const common = {
  access: 'fresh',
  requires: 'webhook:manage',
  needs: 'webhooks',
  budget: 'write',
} as const;

export const webhookEndpoints = endpoints({
  listWebhooks: {
    on: 'GET /admin/webhooks',
    access: 'full_session',
    requires: 'webhook:manage',
    needs: 'webhooks',
    event: 'webhook.list',
    budget: 'read',
    summary: 'List webhooks',
    description: `All webhooks, sorted by name. A service has at most ${bounds.webhooks}.`,
    answers: { 200: v.object({ webhooks: v.array(webhookResource) }) },
  },
  createWebhook: {
    ...common,
    on: 'POST /admin/webhooks',
    event: 'webhook.create',
    summary: 'Create a webhook',
    description:
      'The service sends each matching audit event at least once, in order. A receiver accepts an event with a status from 200 to 299 within 15 seconds. After a failure, the service tries again for three days, with growing pauses. Then it pauses the webhook. The status 410 disables the webhook.',
    body: exactly({
      name: v.pipe(text, v.description(nameExpected.replace('expected ', ''))),
      url,
      events: v.optional(events, null),
      after: v.optional(after, 'end'),
    }),
    answers: { 201: withSecret },
    errors: ['webhook_name_taken', 'too_many_webhooks', 'log_changed'],
  },
  updateWebhook: {
    ...common,
    on: 'PATCH /admin/webhooks/:id',
    event: 'webhook.update',
    target: 'webhook',
    summary: 'Change the URL or the event filter of a webhook',
    description: 'Absent values do not change.',
    body: exactly({ url: v.optional(url), events: v.optional(events) }),
    answers: { 200: one },
    errors: ['not_found'],
  },
  rotateWebhookSecret: {
    ...common,
    on: 'POST /admin/webhooks/:id/rotate-secret',
    event: 'webhook.rotate_secret',
    target: 'webhook',
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours, each request also has a signature with the earlier secret.',
    answers: { 200: withSecret },
    errors: ['not_found'],
  },
  pauseWebhook: {
    ...common,
    on: 'POST /admin/webhooks/:id/pause',
    event: 'webhook.pause',
    target: 'webhook',
    summary: 'Pause a webhook',
    answers: { 200: one },
    errors: ['not_found'],
  },
  resumeWebhook: {
    ...common,
    on: 'POST /admin/webhooks/:id/resume',
    event: 'webhook.resume',
    target: 'webhook',
    summary: 'Make a paused or disabled webhook active again',
    description:
      'Without `after`, continues after the last delivered event. If the webhook has the reason `log_changed`, `after` is required.',
    body: exactly({ after: v.optional(after) }),
    answers: { 200: one },
    errors: ['not_found', 'log_changed'],
  },
  testWebhook: {
    ...common,
    on: 'POST /admin/webhooks/:id/test',
    event: 'webhook.test',
    target: 'webhook',
    summary: 'Send a test event to a webhook',
    description:
      'Records the event `webhook.test`, sends it at once, and returns the result. The status is 200 even if the receiver fails.',
    answers: { 200: testResource },
    errors: ['not_found'],
  },
  deleteWebhook: {
    ...common,
    on: 'DELETE /admin/webhooks/:id',
    event: 'webhook.delete',
    target: 'webhook',
    summary: 'Delete a webhook',
    answers: { 204: null },
    errors: ['not_found'],
  },
});

export function webhookRoutes(serve: Serve, runtime: Runtime): void {
  serve(webhookEndpoints.listWebhooks, async (ctx, by) => {
    ctx.body = { webhooks: await listWebhooks(runtime, by) };
  });

  serve(webhookEndpoints.createWebhook, async (ctx, by, { body }) => {
    ctx.body = await createWebhook(runtime, by, await body());
    ctx.status = 201;
  });

  serve(webhookEndpoints.updateWebhook, async (ctx, by, { body }) => {
    ctx.body = { webhook: await updateWebhook(runtime, by, idOf(ctx), await body()) };
  });

  serve(webhookEndpoints.rotateWebhookSecret, async (ctx, by, { body }) => {
    await body();
    ctx.body = await rotateWebhookSecret(runtime, by, idOf(ctx));
  });

  serve(webhookEndpoints.pauseWebhook, async (ctx, by, { body }) => {
    await body();
    ctx.body = { webhook: await pauseWebhook(runtime, by, idOf(ctx)) };
  });

  serve(webhookEndpoints.resumeWebhook, async (ctx, by, { body }) => {
    const { after: place } = await body();
    ctx.body = { webhook: await resumeWebhook(runtime, by, idOf(ctx), place) };
  });

  serve(webhookEndpoints.testWebhook, async (ctx, by, { body }) => {
    await body();
    ctx.body = await testWebhook(runtime, by, idOf(ctx));
  });

  serve(webhookEndpoints.deleteWebhook, async (ctx, by, { body }) => {
    await body();
    await deleteWebhook(runtime, by, idOf(ctx));
    ctx.status = 204;
  });
}
