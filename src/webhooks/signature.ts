import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Creates a secret for signatures: 256 random bits, in the text form of Standard Webhooks. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** A message to sign. */
export interface SignedParts {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * Returns the header `webhook-signature`: one HMAC-SHA-256 for each secret. During a rotation, a receiver accepts the
 * message with the earlier or the new secret.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const signatureOf = (secrets: readonly string[], { id, timestamp, body }: SignedParts): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(prefix.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
