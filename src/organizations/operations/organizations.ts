import { v7 as uuid } from 'uuid';
import { type Attempt, refuse } from '../../audit/operations/refuse.ts';
import { refuseStillReferenced } from '../../audit/operations/refuse-still-referenced.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { type Actor, isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, toPage } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { lowestRole } from '../../core/user.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import type { OrganizationRole } from '../../roles/principal.ts';
import { can, organizationRolesWith } from '../../roles/rules.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { selectUser } from '../../users/store.ts';
import type { EntitledIn } from '../entitled-in.ts';
import type { ListedOrganization, MemberCount, Organization, OrganizationSortKey } from '../organization.ts';
import { canCreateAnother, canJoinAnother, isSlug, slugOf } from '../rules.ts';
import {
  countMembershipsOf,
  countMembersOf,
  countOrganizationsCreatedBy,
  deleteOrganizationRow,
  insertMembership,
  insertOrganization,
  type OrganizationFilter,
  type OrganizationRow,
  organizationFromRow,
  selectCreatorOf,
  selectOrganizations,
  updateOrganizationRow,
} from '../store.ts';
import { attemptIn } from './find-organization.ts';

/**
 * Returns one page of the organizations that the actor can read. Members can read their own organizations. Superadmins
 * and operators can read all. If the session is not privileged, roles do not count, as for a single organization.
 *
 * @param request.sortBy `slug` (default) or `id`, which never changes
 * @param request.include `memberCount`: adds the number of members of each organization whose members the actor can read
 */
export async function listOrganizations(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  { sortBy = 'slug', include, ...page }: OrganizationListRequest,
): Promise<Page<'organizations', ListedOrganization>> {
  const rows = await runtime.db.query<OrganizationRow & { my_role: OrganizationRole | null }>(
    selectOrganizations({
      userId: isSignedIn(actor) ? actor.user.id : null,
      ...reachedBy(runtime, actor, 'organization:read'),
      sortBy,
      after: keyOfCursor(page, sortBy === 'id' ? isUuid : isSlug),
      limit: page.limit + 1,
    }),
  );
  const listed = toPage(
    'organizations',
    rows,
    page,
    (row) => organizationFromRow(row, row.my_role),
    ({ organization_id: id, slug }) => (sortBy === 'id' ? id : slug),
  );
  if (include === undefined) return listed;
  const counts = await countMembers(runtime, actor, listed.organizations);
  const organizations = listed.organizations.map((each) => {
    const memberCount = counts.get(each.id);
    return memberCount ? { ...each, memberCount } : each;
  });
  return { ...listed, organizations };
}

interface OrganizationListRequest extends PageRequest {
  sortBy?: OrganizationSortKey | undefined;
  include?: 'memberCount' | undefined;
}

/** Counting stops at this number. */
const mostMembers = 1_000;

/** Counts the members of the organizations whose members the actor can read. */
async function countMembers(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  organizations: readonly Organization[],
): Promise<Map<string, MemberCount>> {
  const { all, memberRoles } = reachedBy(runtime, actor, 'organization:members:read');
  const ids = organizations
    .filter(
      ({ myRole }) => all || (myRole !== null && (memberRoles === null || memberRoles.includes(myRole))),
    )
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await runtime.db.query<{ organization_id: string; members: string | number }>(
    countMembersOf(ids, mostMembers + 1),
  );
  const counted = new Map(rows.map((row) => [row.organization_id, Number(row.members)]));
  return new Map(
    ids.map((id) => {
      const members = counted.get(id) ?? 0;
      return [id, { count: Math.min(members, mostMembers), exact: members <= mostMembers }];
    }),
  );
}

/** Returns the user who created an organization. Null: an operator, or a user who is deleted. */
export async function readCreator(
  { db }: Runtime,
  { organization }: EntitledIn<'organization:read'>,
): Promise<{ id: string; username: string } | null> {
  const [row] = await db.query<{ id: string; username: string }>(selectCreatorOf(organization.id));
  return row ? { id: row.id, username: row.username } : null;
}

/** The organizations in which an actor has a capability: all, or those in which the actor has one of `memberRoles`. */
function reachedBy(
  { grants }: Runtime,
  actor: SignedInActor | Operator,
  capability: 'organization:read' | 'organization:members:read',
): Pick<OrganizationFilter, 'all' | 'memberRoles'> {
  if (!isSignedIn(actor)) return { all: true, memberRoles: null };
  const { user, privileged } = actor;
  if (privileged && can(grants, user, capability)) return { all: true, memberRoles: null };
  const memberRoles = organizationRolesWith(
    grants,
    privileged ? user : { ...user, role: lowestRole },
    capability,
  );
  // A capability that needs a role in the organization also needs a privileged session.
  return { all: false, memberRoles: memberRoles && !privileged ? [] : memberRoles };
}

/**
 * Creates an organization and makes a user its first organization admin.
 *
 * The statement increments the version of the user's account, and writes only if this version is unchanged. So
 * concurrent requests cannot exceed the largest number of organizations of a user. If the actor is signed in, `adminId`
 * must be the id of the actor, so that concurrent requests cannot exceed `organizations.perUser` either.
 *
 * @throws TypeError if a signed-in actor creates an organization for another user
 * @throws AuthError `invalid_request` if `slug` is absent and cannot be derived from the name
 * @throws AuthError `slug_taken` | `too_many_organizations` | `not_authenticated` | `forbidden`
 */
export async function createOrganization(
  runtime: Runtime,
  by: Entitled<'organization:create'>,
  { name, slug: given, adminId }: { name: string; slug?: string | undefined; adminId: string },
): Promise<Organization> {
  const slug = given ?? (await derivedSlug(name));
  const id = uuid();
  const createdBy = isSignedIn(by.actor) ? by.actor.user.id : null;
  if (createdBy !== null && createdBy !== adminId)
    throw new TypeError('adminId: expected the signed-in user');
  const attempt = attemptIn({ id, name }, 'organization.create');
  // A refused attempt creates no organization, so its audit event contains no id.
  const refused = { event: attempt.event, target: { type: 'organization', id: null, name } } as const;
  const entry = { ...attempt, outcome: 'success', details: { slug } } as const;
  const membership = { organizationId: id, role: 'admin' } as const;
  return refuseTakenSlug(runtime, by.actor, refused, () =>
    retryVersionConflicts(async () => {
      const admin = await readJoining(runtime, adminId, createdBy);
      if (!admin) return refuseUnentitled(runtime, by, refused);
      if (!canJoinAnother(admin.organizations))
        return refuse(runtime, by.actor, { ...refused, ...tooManyOrganizations });
      if (!canCreateAnother(admin.created, runtime.config))
        return refuse(runtime, by.actor, { ...refused, ...tooManyCreated(runtime) });
      const [row] = await runtime.db.query<OrganizationRow | { organization_id: null }>(sql`
        with entitled as (${by.stillEntitled}),
          claimed as (${claimVersion(adminId, admin.version, andExists('entitled'))}),
          organization as (${insertOrganization({ id, name, slug, createdBy }, from('claimed'))}),
          member as (${insertMembership(membership, adminId, from('organization'))}),
          entry as (${recordEvent(by.actor, entry, from('organization'))})
        select organization.* from entitled left join organization on true`);
      if (!row) return refuseUnentitled(runtime, by, refused);
      return row.organization_id === null ? versionConflict : organizationFromRow(row, 'admin');
    }),
  );
}

/**
 * Reads the version of an account, the number of the user's organizations, and the number of organizations that the
 * creator has created. Undefined: the account is deleted.
 */
async function readJoining(
  { db }: Runtime,
  userId: string,
  creatorId: string | null,
): Promise<{ version: number; organizations: number; created: number } | undefined> {
  const [row] = await db.query<{ version: number; organizations: string; created: string }>(sql`
    with account as (${selectUser(userId)}),
      joined as (${countMembershipsOf(sql`select user_id from account`)}),
      made as (${countOrganizationsCreatedBy(creatorId)})
    select account.version, joined.organizations, made.created from account, joined, made`);
  return (
    row && {
      version: row.version,
      organizations: Number(row.organizations),
      created: Number(row.created),
    }
  );
}

const tooManyOrganizations = { code: 'too_many_organizations', reason: 'too_many_organizations' } as const;

const tooManyCreated = ({ config }: Runtime) =>
  ({
    code: 'too_many_organizations',
    reason: 'too_many_created',
    publicReason: 'too_many_created',
    message: `You can create at most ${config.organizations?.perUser} organizations.`,
  }) as const;

/**
 * Changes the name or the slug of an organization.
 *
 * @throws AuthError `slug_taken` | `not_authenticated` | `forbidden` | `not_found`
 */
export async function updateOrganization(
  runtime: Runtime,
  by: EntitledIn<'organization:update'>,
  change: { name?: string | undefined; slug?: string | undefined },
): Promise<Organization> {
  const { actor, organization } = by;
  const { id, myRole } = organization;
  const { name = organization.name, slug = organization.slug } = change;
  if (name === organization.name && slug === organization.slug) return confirmAnswer(runtime, organization);
  const attempt = attemptIn({ id, name }, 'organization.update');
  const details = change.slug === undefined ? undefined : { slug };
  return refuseTakenSlug(runtime, actor, attempt, async () => {
    const [row] = await runtime.db.query<OrganizationRow | { organization_id: null }>(sql`
      with entitled as (${by.stillEntitled}),
        changed as (${updateOrganizationRow({ id, ...change }, andExists('entitled'))}),
        entry as (${recordEvent(actor, { ...attempt, outcome: 'success', details }, from('changed'))})
      select changed.* from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, by, attempt);
    if (row.organization_id === null) throw new AuthError('not_found');
    return organizationFromRow(row, myRole);
  });
}

/**
 * Deletes an organization and its memberships. Tables of the application can reference `organizations`.
 *
 * @throws AuthError `not_authenticated` | `forbidden` | `not_found` | `still_referenced`
 */
export async function deleteOrganization(
  runtime: Runtime,
  by: EntitledIn<'organization:delete'>,
): Promise<void> {
  const { actor, organization } = by;
  const attempt = attemptIn(organization, 'organization.delete');
  const statement = sql`
    with entitled as (${by.stillEntitled}),
      deleted as (${deleteOrganizationRow(organization.id, andExists('entitled'))}),
      entry as (${recordEvent(actor, { ...attempt, outcome: 'success' }, from('deleted'))})
    select deleted.id from entitled left join deleted on true`;
  const [row] = await refuseStillReferenced(runtime, actor, attempt, () =>
    runtime.db.query<{ id: string | null }>(statement),
  );
  if (!row) await refuseUnentitled(runtime, by, attempt);
  if (!row?.id) throw new AuthError('not_found');
}

/** Derives a slug from the name of an organization. @throws AuthError `invalid_request` */
export async function derivedSlug(name: string): Promise<string> {
  // Imported on first use, because loading the library slows down the start of the process.
  const { default: slugify } = await import('@sindresorhus/slugify');
  const slug = slugOf(slugify(name.normalize('NFKC')));
  if (slug !== null) return slug;
  const message = 'cannot derive a slug from the name, so provide a slug';
  throw new AuthError('invalid_request', { errors: [{ path: 'slug', message }] });
}

/** Runs a statement that sets a slug. Refuses the slug of another organization. @throws AuthError `slug_taken` */
export async function refuseTakenSlug<T>(
  runtime: Runtime,
  actor: Actor,
  attempt: Attempt,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!violatesUnique(error, 'slug')) throw error;
    return refuse(runtime, actor, { ...attempt, code: 'slug_taken', reason: 'slug_taken' });
  }
}
