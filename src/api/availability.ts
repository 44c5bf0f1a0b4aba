import type { Configuration } from '../core/config.ts';
import type { Endpoint } from './endpoint.ts';

/** The settings that switch endpoints off. */
export type Features = Pick<
  Configuration,
  'organizations' | 'adminInvitations' | 'signUpMode' | 'impersonation' | 'webhooks'
>;

/** Whether a service has an endpoint. Requests to other endpoints get the response for unknown paths. */
export function isAvailable({ needs }: Pick<Endpoint, 'needs'>, features: Features): boolean {
  if (needs === 'organizations') return features.organizations !== null;
  if (needs === 'webhooks') return features.webhooks !== null;
  if (needs === 'impersonation') return features.impersonation;
  if (needs === 'admin_invitations') return features.adminInvitations;
  if (needs === 'invitations') return features.adminInvitations || features.signUpMode !== 'closed';
  return true;
}
