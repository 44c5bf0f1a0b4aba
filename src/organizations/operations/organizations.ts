import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import { type Attempt, refuseUnentitled } from '../../authorization/authorize.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { keyOfCursor, type Page, type PageRequest, pageOf } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql, violatesUnique } from '../../db/database.ts';
import type { MembershipRole } from '../../roles/principal.ts';
import { can } from '../../roles/rules.ts';
import { selectEntitled } from '../../sessions/store.ts';
import type { Organization } from '../organization.ts';
import { isSlug, slugOf } from '../rules.ts';
import {
  deleteOrganization,
  insertMembership,
  insertOrganization,
  type OrganizationRow,
  organizationFromRow,
  selectOrganizations,
  updateOrganization,
} from '../store.ts';
import { attemptIn, selectEntitledIn } from './find-organization.ts';

/** One page of the caller's organizations, by slug. Superadmins and operators get every organization. */
export async function listOrganizations(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  page: PageRequest,
): Promise<Page<Organization>> {
  const rows = await runtime.db.query<OrganizationRow & { my_role: MembershipRole | null }>(
    selectOrganizations({
      userId: isSignedIn(actor) ? actor.user.id : null,
      all: !isSignedIn(actor) || can(actor.user, 'organization:read'),
      after: keyOfCursor(page, isSlug),
      limit: page.limit + 1,
    }),
  );
  return pageOf(
    rows,
    page,
    (row) => organizationFromRow(row, row.my_role),
    ({ slug }) => slug,
  );
}

/**
 * Founds an organization; whoever does so is its first admin.
 *
 * @throws AuthError `slug_taken` | `invalid_request` where the name gives no slug | `not_authenticated` | `forbidden`
 */
export async function foundOrganization(
  runtime: Runtime,
  actor: SignedInActor,
  { name, slug: given }: { name: string; slug?: string | undefined },
): Promise<Organization> {
  const slug = given ?? slugOf(await transliterated(name));
  if (slug === null) {
    const message = 'the name has no letters to make a slug of: give one';
    throw new AuthError('invalid_request', { errors: [{ path: 'slug', message }] });
  }
  const id = uuid();
  const attempt = attemptIn({ id, name }, 'organization.create');
  // Refused, it never was: the log names no id that nothing has.
  const inVain = { event: attempt.event, target: { type: 'organization', id: null, name } } as const;
  return whileSlugIsFree(runtime, actor, inVain, async () => {
    const founder = { organizationId: id, role: 'admin' } as const;
    const [row] = await runtime.db.query<OrganizationRow>(sql`
      with entitled as (${selectEntitled(actor)}),
        organization as (${insertOrganization({ id, name, slug }, from('entitled'))}),
        member as (${insertMembership(founder, actor.user.id, from('organization'))}),
        entry as (${recordEvent(actor, { ...attempt, outcome: 'success', details: { slug } }, from('organization'))})
      select organization.* from organization`);
    return row ? organizationFromRow(row, 'admin') : refuseUnentitled(runtime, actor, inVain);
  });
}

/**
 * Gives an organization another name or slug.
 *
 * @throws AuthError `slug_taken` | `not_authenticated` | `forbidden`
 */
export async function changeOrganization(
  runtime: Runtime,
  actor: SignedInActor,
  organization: Organization,
  change: { name?: string | undefined; slug?: string | undefined },
): Promise<Organization> {
  const { id, myRole } = organization;
  const { name = organization.name, slug = organization.slug } = change;
  if (name === organization.name && slug === organization.slug) return organization;
  const attempt = attemptIn({ id, name }, 'organization.update');
  const details = change.slug === undefined ? undefined : { slug };
  return whileSlugIsFree(runtime, actor, attempt, async () => {
    const [row] = await runtime.db.query<OrganizationRow | { organization_id: null }>(sql`
      with entitled as (${selectEntitledIn(actor, organization)}),
        changed as (${updateOrganization({ id, ...change }, andExists('entitled'))}),
        entry as (${recordEvent(actor, { ...attempt, outcome: 'success', details }, from('changed'))})
      select changed.* from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, actor, attempt);
    if (row.organization_id === null) throw new AuthError('not_found');
    return organizationFromRow(row, myRole);
  });
}

/** Deletes an organization and its memberships. @throws AuthError `not_authenticated` | `forbidden` | `not_found` */
export async function removeOrganization(
  runtime: Runtime,
  actor: SignedInActor,
  organization: Organization,
): Promise<void> {
  const attempt = attemptIn(organization, 'organization.delete');
  const [row] = await runtime.db.query<{ id: string | null }>(sql`
    with entitled as (${selectEntitledIn(actor, organization)}),
      deleted as (${deleteOrganization(organization.id, andExists('entitled'))}),
      entry as (${recordEvent(actor, { ...attempt, outcome: 'success' }, from('deleted'))})
    select deleted.id from entitled left join deleted on true`);
  if (!row) await refuseUnentitled(runtime, actor, attempt);
  if (!row?.id) throw new AuthError('not_found');
}

async function transliterated(name: string): Promise<string> {
  // Loaded where it is needed: its tables take a good part of a start.
  const { default: slugify } = await import('@sindresorhus/slugify');
  return slugify(name.normalize('NFKC'));
}

async function whileSlugIsFree<T>(
  runtime: Runtime,
  actor: SignedInActor,
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
