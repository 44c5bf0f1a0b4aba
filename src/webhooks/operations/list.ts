import type { Runtime } from '../../core/runtime.ts';
import { selectWebhooks, type WebhookRow, webhookFromRow } from '../store.ts';
import type { Webhook } from '../webhook.ts';
import type { WebhookManager } from './change-webhook.ts';

/** Lists all webhooks, sorted by name. Their number is limited. */
export async function listWebhooks({ db }: Runtime, _: WebhookManager): Promise<Webhook[]> {
  return (await db.query<WebhookRow>(selectWebhooks)).map(webhookFromRow);
}
