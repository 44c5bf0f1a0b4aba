import type { Configuration } from '../core/config.ts';
import type { Endpoint } from './endpoint.ts';

/** The settings that switch endpoints off, or open them to everyone. */
export type Features = Pick<
  Configuration,
  'organizations' | 'adminInvitations' | 'signUpMode' | 'impersonation' | 'webhooks'
> & { readonly auditLog: Pick<Configuration['auditLog'], 'isPublic' | 'witnessFor'> };

/** Whether a service has an endpoint. Requests to other endpoints get the response for unknown paths. */
export function isAvailable({ needs }: Pick<Endpoint, 'needs'>, features: Features): boolean {
  if (needs === 'organizations') return features.organizations !== null;
  if (needs === 'webhooks') return features.webhooks !== null;
  if (needs === 'impersonation') return features.impersonation;
  if (needs === 'admin_invitations') return features.adminInvitations;
  if (needs === 'invitations') return features.adminInvitations || features.signUpMode !== 'closed';
  if (needs === 'audit_witness') return features.auditLog.witnessFor.length > 0;
  return true;
}

/** Whether an option opens the endpoint to everyone. */
export const isPublic = ({ publicWith }: Pick<Endpoint, 'publicWith'>, { auditLog }: Features): boolean =>
  publicWith === 'auditLogPublic' && auditLog.isPublic;

/** Returns the endpoint as a service with these settings serves it. */
export function asServed(endpoint: Endpoint, features: Features): Endpoint {
  if (!isPublic(endpoint, features)) return endpoint;
  const { requires: _, everywhere: __, event: ___, ...rest } = endpoint;
  return { ...rest, access: 'none' };
}
