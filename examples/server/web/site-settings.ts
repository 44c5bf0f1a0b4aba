import type { OrganizationRole } from 'latchkey/client';
import type { CapabilityScopes } from './scopes.ts';

/** Settings that the server writes into the HTML. */
const settingOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="latchkey-${name}"]`)?.content ?? '';

/** The name of the product. */
export const brandName = settingOf('brand-name') || 'Latchkey';

/** The path of the logo of the product. Empty if the product uses the mark of Latchkey. */
export const brandLogo = settingOf('brand-logo');

/** Whether the pages ask the server which setup steps are missing. Only in development. */
export const showsSetup = settingOf('setup') === 'on';

/** The configured origins. The main origin is first. */
export const origins = settingOf('origins').split(' ');

/** The minimum number of characters of a new password. */
export const passwordMinLength = Number(settingOf('password-min-length')) || 8;

/** Whether superadmins and operators can use the accounts of other users. */
export const impersonation = settingOf('impersonation') === 'on';

/** Whether the service sends audit events to other servers. */
export const hasWebhooks = settingOf('webhooks') !== 'off';

/** Who can sign up: `open`, `invitation` or `closed`. */
export const signUpMode = settingOf('sign-up-mode') || 'open';

/** Whether the service has organizations. */
export const hasOrganizations = settingOf('organizations') !== 'off';

/** Whether superadmins can invite users to become admins. */
export const hasAdminInvitations = settingOf('admin-invitations') !== 'off';

/** Whether the service has invitations to sign up or to become an admin. */
export const hasInvitations = hasAdminInvitations || signUpMode !== 'closed';

/** A custom organization role: its built-in capabilities, and the roles that its members can give. */
export interface OwnRole {
  capabilities: readonly string[];
  gives: readonly OrganizationRole[];
}

/** The custom organization roles, by name. */
export const ownRoles: ReadonlyMap<OrganizationRole, OwnRole> = new Map(
  Object.entries(
    JSON.parse(decodeURIComponent(settingOf('organization-roles')) || '{}') as Record<string, OwnRole>,
  ),
);

/** The built-in capabilities of each role. Empty, so that the pages offer nothing, if the server writes none. */
export const capabilityScopes: CapabilityScopes = JSON.parse(
  decodeURIComponent(settingOf('capabilities')) || '{}',
);
