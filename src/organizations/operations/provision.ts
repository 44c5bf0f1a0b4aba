import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { usernameLookup } from '../../users/rules.ts';
import { claimVersion } from '../../users/store/versions.ts';
import type { InviteeRow } from '../invitations/store.ts';
import type { Organization } from '../organization.ts';
import { insertMembership, insertOrganization, type OrganizationRow, organizationFromRow } from '../store.ts';
import { attemptIn } from './find-organization.ts';
import { obstacleToAdding, readInvitee } from './members.ts';
import { derivedSlug, refuseTakenSlug } from './organizations.ts';

export interface ProvisionedOrganization {
  name: string;
  /** Default: derived from the name. */
  slug?: string | undefined;
  /** The username of the first organization admin. Absent: the organization has no members. */
  admin?: string | undefined;
  /** RFC 3339. Default: now. */
  createdAt?: string | undefined;
}

/**
 * Creates an organization as an operator. Unlike in `createOrganization`, the actor does not become a member. The first
 * organization admin is the user `admin`, or the organization has no members.
 *
 * As in `addMember`, the statement writes only if the version of the admin's account is unchanged, and increments it.
 *
 * @throws AuthError `invalid_request` if `slug` is absent and cannot be derived from the name
 * @throws AuthError `slug_taken` | `not_found` | `account_disabled` | `too_many_organizations`
 */
export async function provisionOrganization(
  runtime: Runtime,
  by: Entitled<'organization:create'>,
  { name, slug: given, admin: username, createdAt }: ProvisionedOrganization,
): Promise<Organization> {
  const slug = given ?? (await derivedSlug(name));
  const lookup = username === undefined ? null : usernameLookup(username, runtime.config.usernames);
  const id = uuid();
  const attempt = attemptIn({ id, name }, 'organization.create');
  // A refused attempt creates no organization, so its audit event contains no id.
  const refused = { event: attempt.event, target: { type: 'organization', id: null, name } } as const;
  return refuseTakenSlug(runtime, by.actor, refused, () =>
    retryVersionConflicts(async () => {
      const admin = lookup && (await readInvitee(runtime, { id }, lookup));
      if (admin === undefined)
        return refuse(runtime, by.actor, { ...refused, code: 'not_found', reason: 'username_unknown' });
      const code = obstacleToAdding(admin ?? undefined);
      if (code) return refuse(runtime, by.actor, { ...refused, code, reason: code });
      const entry = { ...attempt, outcome: 'success', details: { slug } } as const;
      const claimed =
        admin && sql`claimed as (${claimVersion(admin.user_id, admin.version, andExists('entitled'))}),`;
      const source = from(admin ? 'claimed' : 'entitled');
      const [row] = await runtime.db.query<OrganizationRow | { organization_id: null }>(sql`
        with entitled as (${by.stillEntitled}),
          ${claimed ?? sql``}
          organization as (${insertOrganization({ id, name, slug, createdBy: null, createdAt }, source)}),
          ${admin ? joinAsAdmin(by, id, admin) : sql``}
          entry as (${recordEvent(by.actor, entry, from('organization'))})
        select organization.* from entitled left join organization on true`);
      if (!row) return refuseUnentitled(runtime, by, refused);
      return row.organization_id === null ? versionConflict : organizationFromRow(row, null);
    }),
  );
}

/** The CTEs that make the user the first organization admin. */
function joinAsAdmin(
  { actor }: Entitled<'organization:create'>,
  organizationId: string,
  { user_id: userId, username }: Pick<InviteeRow, 'user_id' | 'username'>,
): Sql {
  const role = 'admin';
  const entry = {
    event: 'member.add',
    outcome: 'success',
    target: { type: 'user', id: userId, name: username },
    organizationId,
    details: { role },
  } as const;
  return sql`
          member as (${insertMembership({ organizationId, role }, userId, from('organization'))}),
          member_entry as (${recordEvent(actor, entry, from('member'))}),`;
}
