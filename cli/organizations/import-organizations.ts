import { AuthError, type Member, type OperatorActions } from 'latchkey';
import pLimit from 'p-limit';
import type { NdjsonLine } from '../ndjson.ts';
import {
  type ImportedMember,
  type OrganizationRecord,
  organizationRecordOf,
  RecordFault,
  usernameKey,
} from './import-record.ts';

/** What an import did. With `dryRun`: what it would do. */
export interface ImportReport {
  dryRun: boolean;
  /** `alreadyExisting`: records whose organization existed before. */
  organizations: { created: number; alreadyExisting: number };
  members: { added: number; alreadyMembers: number };
  /** The number of refused records and members for each reason. */
  refused: Record<string, number>;
}

/** A record, or a member of a record, that was refused. `record` contains only what was refused. */
export interface Refusal {
  line: number;
  reason: string;
  message: string;
  record: unknown;
}

export interface ImportOptions {
  /** The roles that members can have. */
  roles: readonly string[];
  dryRun: boolean;
  /** The source of an import of users. The records then name members by `sourceId`. Undefined: by username. */
  usersSource: string | undefined;
  /** Whether to add members to organizations that users created. */
  existing: boolean;
  onRefusal(refusal: Refusal): Promise<void> | void;
  onLine(line: number): void;
}

/** How many members are added at the same time. */
const membersAtOnce = 8;

/** An organization with its members, by username. */
interface Known {
  slug: string;
  /** Null: a dry run would create the organization. */
  id: string | null;
  roles: Map<string, string>;
}

/**
 * Creates organizations and adds members. An import can stop at any time and run again: it only creates missing
 * organizations and adds missing members. Each organization and each membership is one statement.
 *
 * @throws AuthError `unavailable` if the database is unreachable
 */
export async function importOrganizations(
  { organizations, users }: Pick<OperatorActions, 'organizations' | 'users'>,
  lines: AsyncIterable<NdjsonLine>,
  { roles: allowedRoles, dryRun, usersSource, existing, onRefusal, onLine }: ImportOptions,
): Promise<ImportReport> {
  const report: ImportReport = {
    dryRun,
    organizations: { created: 0, alreadyExisting: 0 },
    members: { added: 0, alreadyMembers: 0 },
    refused: {},
  };
  const limit = pLimit(membersAtOnce);
  // An export splits a large organization into successive records. So the import reads its members only once.
  let latest: Known | null = null;
  // The organizations that a dry run would have created.
  const notCreated = new Map<string, Known>();

  const refused = async (refusal: Refusal) => {
    report.refused[refusal.reason] = (report.refused[refusal.reason] ?? 0) + 1;
    await onRefusal(refusal);
  };

  async function knownOf(record: OrganizationRecord): Promise<Known> {
    const { slug } = record;
    if (latest?.slug === slug) return latest;
    const found = notCreated.get(slug) ?? (await readOrganization(organizations, slug, existing));
    report.organizations[found ? 'alreadyExisting' : 'created'] += 1;
    if (found) return found;
    const created = dryRun ? null : await organizations.create(withoutMembers(record));
    const known: Known = { slug, id: created?.id ?? null, roles: new Map() };
    if (dryRun) notCreated.set(slug, known);
    return known;
  }

  const detailsOf = ({ username = '', sourceId }: ImportedMember): Promise<Details> =>
    sourceId === undefined ? users.get(username) : users.bySourceId(sourceId, { source: usersSource });

  /** Adds a member. Returns the role that the user has had before, or null. @throws AuthError */
  async function add(member: ImportedMember, { slug, id, roles }: Known): Promise<string | null> {
    const details = member.sourceId === undefined ? null : await detailsOf(member);
    const username = details?.user.username ?? `${member.username}`;
    const held = roles.get(usernameKey(username));
    if (held !== undefined) return held;
    if (!allowedRoles.includes(member.role)) throw new UnconfiguredRole(member.role);
    try {
      if (dryRun) checkMember(details ?? (await detailsOf(member)), id);
      else await organizations.addMember(slug, { username, role: member.role });
    } catch (error) {
      if (!(error instanceof AuthError && error.code === 'already_a_member')) throw error;
      // The username in the file is not canonical, or another process has added the user.
      return roleIn(await detailsOf(member), id) ?? member.role;
    }
    roles.set(usernameKey(username), member.role);
    return null;
  }

  async function addOne(line: number, record: OrganizationRecord, member: ImportedMember, known: Known) {
    const only = { ...withoutMembers(record), members: [member] };
    try {
      const held = await add(member, known);
      if (held === null) report.members.added += 1;
      else if (held === member.role) report.members.alreadyMembers += 1;
      else await refused({ line, ...roleDiffers(held), record: only });
    } catch (error) {
      const reason = reasonOf(error, usersSource);
      await refused({ line, ...explain(error, reason), record: only });
    }
  }

  for await (const { number, value, fault } of lines) {
    onLine(number);
    try {
      if (fault !== null) throw new RecordFault(fault);
      const record = organizationRecordOf(value, usersSource === undefined ? 'username' : 'sourceId');
      const known = await knownOf(record);
      latest = known;
      const tasks = record.members.map((member) => limit(() => addOne(number, record, member, known)));
      const failure = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
    } catch (error) {
      await refused({ line: number, ...explain(error, reasonOf(error)), record: value });
    }
  }
  return report;
}

type Details = Awaited<ReturnType<OperatorActions['users']['get']>>;

/** The role of a member is not one of the configured roles. */
class UnconfiguredRole extends Error {
  constructor(role: string) {
    super(`The role ${role.slice(0, 100)} is not configured (organizationRoles).`);
  }
}

const withoutMembers = ({ slug, name, createdAt }: OrganizationRecord) => ({ slug, name, createdAt });

/**
 * Returns an organization with the roles of all members. Null: the organization does not exist.
 *
 * @throws AuthError `slug_taken` if a user created the organization and `existing` is false
 */
async function readOrganization(
  organizations: OperatorActions['organizations'],
  slug: string,
  existing: boolean,
): Promise<Known | null> {
  const roles = new Map<string, string>();
  let cursor: string | undefined;
  try {
    const { id } = await organizations.get(slug);
    if (!existing && (await organizations.creatorOf(slug)))
      throw new AuthError('slug_taken', {
        message: 'A user created the organization with this slug. To add the members to it, use --existing.',
      });
    do {
      const page: { members: Member[]; nextCursor: string | null } = await organizations.listMembers(
        { id },
        { sortBy: 'id', limit: 200, cursor },
      );
      for (const { user, role } of page.members) roles.set(usernameKey(user.username), role);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return { slug, id, roles };
  } catch (error) {
    if (error instanceof AuthError && error.code === 'not_found') return null;
    throw error;
  }
}

const roleIn = ({ memberships }: Details, id: string | null): string | undefined =>
  memberships.find(({ organizationId }) => organizationId === id)?.role;

/** Checks in a dry run what `addMember` checks. @throws AuthError */
function checkMember(details: Details, id: string | null): void {
  if (details.user.status !== 'active') throw new AuthError('account_disabled');
  if (roleIn(details, id) !== undefined) throw new AuthError('already_a_member');
  if (details.memberships.length >= 100) throw new AuthError('too_many_organizations');
}

const roleDiffers = (held: string) => ({
  reason: 'role_differs',
  message: `The user is a member with the role ${held}. Change the role with \`latchkey organizations change-role\`.`,
});

const reasons: Partial<Record<string, string>> = {
  invalid_request: 'invalid_record',
  not_found: 'user_not_found',
};

/**
 * Returns why a record or a member is refused.
 *
 * @param usersSource undefined: the members are named by username
 * @throws the error if it does not mean a refusal
 */
function reasonOf(error: unknown, usersSource?: string): string {
  if (error instanceof RecordFault) return 'invalid_record';
  if (error instanceof UnconfiguredRole) return 'role_unconfigured';
  // These errors are not about a single record.
  if (!(error instanceof AuthError) || error.code === 'unavailable' || error.code === 'feature_disabled')
    throw error;
  if (error.code === 'not_found' && usersSource !== undefined) return 'user_not_imported';
  return reasons[error.code] ?? error.code;
}

function explain(error: unknown, reason: string): Pick<Refusal, 'reason' | 'message'> {
  if (reason === 'user_not_found') return { reason, message: 'No user has this username.' };
  if (reason === 'user_not_imported')
    return { reason, message: 'No user was imported from this source with this sourceId.' };
  const { message, errors = [] } = error as AuthError;
  return {
    reason,
    message: [message, ...errors.map(({ path, message }) => `${path}: ${message}`)].join(' '),
  };
}
