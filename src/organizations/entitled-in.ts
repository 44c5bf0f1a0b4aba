import type { OrganizationCapability } from '../roles/capabilities.ts';
import type { Entitled } from '../roles/entitled.ts';
import type { Organization } from './organization.ts';

/** Proof that an actor has a capability in one organization. */
export interface EntitledIn<Name extends OrganizationCapability> extends Entitled<Name> {
  readonly organization: Organization;
}
