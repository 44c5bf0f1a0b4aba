import type { Kind } from './support/judge.ts';

/** A deviation that is not a defect. */
export interface Accepted {
  reason: string;
  kinds: readonly Kind[];
  /** Matches the names of the operations: `bob leaves | adm leaves`. */
  operations: RegExp;
  /** Whether it needs overlapping statements. */
  overlapping?: true;
  /** Matches each status that refuses a request: `403 forbidden`. Absent: every status. */
  refusals?: RegExp;
  /** Matches the detail of the deviation. Absent: every detail. */
  detail?: RegExp;
  /** Operations and a schedule that show it. A test fails if they no longer do. */
  example: [operations: string, schedule: string];
}

/** Two operations in either order, and possibly others. */
function between(one: string, other = '.*'): RegExp {
  const [first, second] = [one, other].map((names) => `(${names.replaceAll('.*', '[^|]*')})`);
  const inOrder = (former?: string, latter?: string) => `(^|[|] )${former}( [|] .*)? [|] ${latter}( [|]|$)`;
  return new RegExp(`${inOrder(first, second)}|${inOrder(second, first)}`);
}

const either = (...patterns: RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'));

/** Requests about the user's own data. They need a session, but no role and no recent authentication. */
const ofSession =
  'usr (steps up|signs out|ends .*|names a passkey|updates the profile|revokes codes|leaves|accepts .*|becomes admin)';
const endsSessions = '.* (ends .*|signs out|leaves the recovery|removes pass.*|changes password)';
const losesRights = '(?!housekeeping).* (demotes|disables|deletes|removes) .*';
const isNamed = 'ops .*|usr (signs in by password|uses a (new )?code)';

/** Matches if only these rows differ: events of refusals and of the end of all sessions, and what has ended. */
const rowsOfSplitEnd = new RegExp(
  `^((${[
    '(got|expected) +[+] audit_events [^\\n]*("event":"user[.]end_all_sessions"|"outcome":"failure")',
    'got +- (impersonation|recovery)_links ',
    'expected [+] (sessions|impersonation_links|recovery_links) ',
  ].join('|')})[^\\n]*(\\n|$))+$`,
);

export const accepted: readonly Accepted[] = [
  {
    reason: 'a request continues if its session gets a new token or ends after the check of the session',
    kinds: ['late', 'status', 'state'],
    operations: either(between(ofSession, '.*usr.*'), between('ann becomes admin', '.*ann.*')),
    example: ['usr names a passkey | usr becomes admin', 'A B B B A'],
  },
  {
    reason: 'a session can end at the same moment as a change that was made with it',
    kinds: ['status'],
    operations: between(endsSessions),
    overlapping: true,
    example: ['usr ends a session | usr removes passkey', 'A B B A&B'],
  },
  {
    reason: 'a statement that waits for another one uses the rights that its user had when it started',
    kinds: ['status', 'late'],
    operations: between('.* (removes|demotes|disables) .*|adm leaves'),
    overlapping: true,
    example: ['adm deletes here | bob removes adm', 'A A B B B B&A'],
  },
  {
    reason:
      'the number of ended sessions can leave out or contain a session that opens or ends at the same moment',
    kinds: ['answer'],
    operations: between('.* ends (all )?sessions.*'),
    overlapping: true,
    example: ['usr signs in by password | ops ends sessions of usr', 'A B B A&B'],
  },
  {
    reason: 'the end of all sessions needs several statements, each with an event that contains the number',
    kinds: ['state'],
    operations: between('ops ends all sessions'),
    detail: rowsOfSplitEnd,
    example: ['sue promotes usr | ops ends all sessions', 'A A B&A B'],
  },
  {
    reason:
      'housekeeping skips an expired row that a request has locked, and deletes the row in its next run',
    kinds: ['state'],
    operations: between('housekeeping .*'),
    overlapping: true,
    detail: /^expected - [^\n]+(\nexpected - [^\n]+)*$/,
    example: ['sue promotes usr | housekeeping deletes expired sessions', 'A A A&B'],
  },
  {
    reason: 'sessions can be ended after the account is deleted, which has no effect',
    kinds: ['status'],
    operations: between('(?!housekeeping).* deletes .*', '.* ends (all )?sessions.*'),
    example: ['usr deletes the account | ops ends sessions of usr', 'A A B B A B'],
  },
  {
    reason: 'an operation that finds a user or an organization by name continues if the name changes',
    kinds: ['late', 'status', 'state'],
    operations: between('.* renames .*|.* renames', isNamed),
    example: ['usr signs in by password | ops renames usr', 'A B B B B B A'],
  },
  {
    reason: 'an answer contains the names and roles that the request read before a concurrent change',
    kinds: ['answer'],
    operations: between('.* (renames.*|becomes admin|accepts that invitation|promotes .*|updates .*)'),
    example: ['adm renames usr | usr accepts theirs', 'A A A A A A A A A B A B B'],
  },
  {
    reason:
      'the use of a recovery link and the acceptance of an invitation check the rights of the creator again',
    kinds: ['state'],
    operations: between(
      losesRights,
      '.* (helps|invites|creates an invitation link|uses (the|that) link|creates a link (for|to)).*',
    ),
    overlapping: true,
    example: ['sue demotes sam | sam helps kim', 'A A B B B A&B'],
  },
  {
    reason: 'a revocation records no event if a concurrent operation has removed what it revokes',
    kinds: ['state'],
    operations: between(
      '.* (revokes|ends) .*',
      '(?!housekeeping).* (deletes .*|demotes .*|disables .*|generates codes|revokes .*)',
    ),
    example: ['usr generates codes | usr revokes codes', 'A A B A&B'],
  },
  {
    reason: 'two concurrent requests for the same name each record their change',
    kinds: ['state'],
    operations: between('.* renames.*', '.* renames.*'),
    example: ['adm renames here | adm renames here', 'A A B B A B'],
  },
  {
    reason: 'a request that has nothing to change succeeds without a statement that checks the rights again',
    kinds: ['status', 'state'],
    operations:
      /(^|[|] )\S+ ((demotes|promotes|disables|enables|renames|pauses|updates) [^|]*?)( in here)? [|]( .* [|])? \S+ \2( in here)?( [|]|$)/,
    example: ['sue demotes sue | sue demotes sue', 'A A B A B'],
  },
  {
    reason: 'a request that a concurrent change interrupts is refused, changes nothing, and can be repeated',
    kinds: ['refusal'],
    operations: /./,
    refusals:
      /^(\d+ )?(not_authenticated|authentication_failed|registration_failed|forbidden|(invitation_)?not_found|invitation_unusable|role_already_held|account_disabled|impersonating|last_(superadmin|organization_admin))$/,
    example: ['kim completes the recovery | kim ends all sessions', 'A A A A A B B B&A A A A A'],
  },
  {
    reason: 'the audit event of a refused request depends on the check that refuses the request',
    kinds: ['event'],
    operations: /./,
    example: ['sue impersonates usr | sue promotes usr', 'B A A A A B B B B'],
  },
];

interface Deviating {
  kind: Kind;
  detail: string;
  operations: string;
  schedule: string;
}

/** Returns the reason why a deviation is accepted. Null: it is not accepted. */
export const acceptedReason = (deviating: Deviating): string | null =>
  accepted.find((entry) => isCovered(entry, deviating))?.reason ?? null;

/** Whether an entry accepts a deviation. */
export const isCovered = (entry: Accepted, { kind, detail, operations, schedule }: Deviating): boolean =>
  entry.kinds.includes(kind) &&
  entry.operations.test(operations) &&
  (!entry.overlapping || schedule.includes('&')) &&
  (entry.refusals === undefined || refusalsIn(detail).every((status) => entry.refusals?.test(status))) &&
  (entry.detail === undefined || entry.detail.test(detail));

/** A deviation of the kind `refusal` has the statuses that differ between schedules as its detail: `201, 403 forbidden`. */
const refusalsIn = (detail: string): string[] =>
  detail.split(', ').filter((status) => !/^(2|ok)/.test(status));
