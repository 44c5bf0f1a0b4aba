import type { Organization } from 'latchkey/client';
import { auth } from '../auth.ts';
import { hasOrganizations } from '../site-settings.ts';

const most = 200;

/** Loads the first organizations of the signed-in user. Returns none if the service has no organizations. */
export const firstOrganizations = async (): Promise<Organization[]> =>
  hasOrganizations ? (await auth.organizations.list({ limit: most })).organizations : [];
