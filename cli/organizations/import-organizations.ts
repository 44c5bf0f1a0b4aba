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
  onRefusal(refusal: Refusal): Promise<void> | void;
  onLine(line: number): void;
}

/** How many members are added at the same time. */
const membersAtOnce = 8;

/** An organization with its members, by username. */
interface Known {
  slug: string;
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
  { roles: allowedRoles, dryRun, onRefusal, onLine }: ImportOptions,
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

  const refused = async (refusal: Refusal) => {
    report.refused[refusal.reason] = (report.refused[refusal.reason] ?? 0) + 1;
    await onRefusal(refusal);
  };

  async function knownOf(record: OrganizationRecord): Promise<Known> {
    const { slug } = record;
    if (latest?.slug === slug) return latest;
    const roles = await readRoles(organizations, slug);
    if (!roles && !dryRun) await organizations.create(withoutMembers(record));
    report.organizations[roles ? 'alreadyExisting' : 'created'] += 1;
    return { slug, roles: roles ?? new Map() };
  }

  async function addOne(
    line: number,
    record: OrganizationRecord,
    member: ImportedMember,
    roles: Known['roles'],
  ) {
    const key = usernameKey(member.username);
    const only = { ...withoutMembers(record), members: [member] };
    const held = roles.get(key);
    if (held !== undefined && held !== member.role)
      return refused({ line, ...roleDiffers(held), record: only });
    try {
      if (held !== undefined) throw new AuthError('already_a_member');
      if (dryRun) await checkMember(users, member.username);
      else await organizations.addMember(record.slug, member);
      roles.set(key, member.role);
      report.members.added += 1;
    } catch (error) {
      const reason = reasonOf(error);
      // If `held` is undefined, the username in the file is not canonical, or another process has added the user.
      if (reason === 'already_a_member') report.members.alreadyMembers += 1;
      else await refused({ line, ...explain(error, reason), record: only });
    }
  }

  for await (const { number, value, fault } of lines) {
    onLine(number);
    try {
      if (fault !== null) throw new RecordFault(fault);
      const record = organizationRecordOf(value, allowedRoles);
      latest = await knownOf(record);
      const { roles } = latest;
      const tasks = record.members.map((member) => limit(() => addOne(number, record, member, roles)));
      const failure = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
    } catch (error) {
      await refused({ line: number, ...explain(error, reasonOf(error)), record: value });
    }
  }
  return report;
}

const withoutMembers = ({ slug, name, createdAt }: OrganizationRecord) => ({ slug, name, createdAt });

/** Returns the organization roles of all members. Null: the organization does not exist. */
async function readRoles(
  organizations: OperatorActions['organizations'],
  slug: string,
): Promise<Map<string, string> | null> {
  const roles = new Map<string, string>();
  let cursor: string | undefined;
  try {
    do {
      const page: { members: Member[]; nextCursor: string | null } = await organizations.listMembers(slug, {
        limit: 200,
        cursor,
      });
      for (const { user, role } of page.members) roles.set(usernameKey(user.username), role);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return roles;
  } catch (error) {
    if (error instanceof AuthError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Checks in a dry run what `addMember` checks. @throws AuthError */
async function checkMember(users: OperatorActions['users'], username: string): Promise<void> {
  const { user, memberships } = await users.get(username);
  if (user.status !== 'active') throw new AuthError('account_disabled');
  if (memberships.length >= 100) throw new AuthError('too_many_organizations');
}

const roleDiffers = (held: string) => ({
  reason: 'role_differs',
  message: `The user is a member with the role ${held}. Change the role with \`latchkey organizations change-role\`.`,
});

const reasons: Partial<Record<string, string>> = {
  invalid_request: 'invalid_record',
  not_found: 'user_not_found',
};

/** Returns why a record or a member is refused. @throws the error if the import must stop */
function reasonOf(error: unknown): string {
  if (error instanceof RecordFault) return 'invalid_record';
  if (!(error instanceof AuthError) || error.code === 'unavailable') throw error;
  return reasons[error.code] ?? error.code;
}

function explain(error: unknown, reason: string): Pick<Refusal, 'reason' | 'message'> {
  if (reason === 'user_not_found') return { reason, message: 'No user has this username.' };
  const { message, errors = [] } = error as AuthError;
  return {
    reason,
    message: [message, ...errors.map(({ path, message }) => `${path}: ${message}`)].join(' '),
  };
}
