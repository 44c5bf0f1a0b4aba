import type { OrganizationCapability } from '../roles/capabilities.ts';
import type { Entitled } from '../roles/entitled.ts';
import type { OrganizationRole } from '../roles/principal.ts';
import type { Organization } from './organization.ts';

/** Proof that an actor has a capability in one organization. */
export interface EntitledIn<Name extends OrganizationCapability> extends Entitled<Name> {
  readonly organization: Organization;
  /**
   * The organization roles with which the actor has the capability. `stillEntitled` checks that the actor has one of
   * them. Null: the capability does not depend on the actor's role in the organization.
   */
  readonly grantingRoles: readonly OrganizationRole[] | null;
}
