import type { Runtime } from '../../core/runtime.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { selectWebhooks, type WebhookRow, webhookFromRow } from '../store.ts';
import type { Webhook } from '../webhook.ts';

/** Lists all webhooks, sorted by name. Their number is limited. */
export async function listWebhooks({ db }: Runtime, _: Entitled<'webhook:manage'>): Promise<Webhook[]> {
  return (await db.query<WebhookRow>(selectWebhooks)).map(webhookFromRow);
}
