/** A defect that someone could write by mistake, and the operations whose schedules must show it. */
export interface InterleavingMutant {
  /** What is wrong with the changed code: "An admin can …". */
  breaks: string;
  /**
   * Operations as in a replay: `bob leaves | adm leaves`. One operation: with faults of the connection. With a prefix:
   * a group of this kind, such as `caches: bob leaves`.
   */
  groups: string[];
  /** Why no schedule can show it. Absent: a schedule must show it. */
  equivalent?: string;
  patches: Patch[];
}

/** The text to replace occurs exactly once in the file. */
interface Patch {
  file: string;
  replace: string;
  by: string;
}

const changeRole = 'src/accounts/operations/change-role.ts';
const changeStatus = 'src/accounts/operations/change-status.ts';
const deleteUser = 'src/accounts/operations/delete-user.ts';
const endSessions = 'src/accounts/operations/end-sessions.ts';
const createLink = 'src/accounts/operations/create-recovery-link.ts';
const complete = 'src/passkeys/operations/complete-recovery.ts';
const useLink = 'src/recovery/operations/use-link.ts';
const useCode = 'src/recovery/operations/use-code.ts';
const codes = 'src/recovery/operations/codes.ts';
const accept = 'src/invitations/operations/accept.ts';
const acceptHere = 'src/organizations/invitations/operations/accept.ts';
const createHere = 'src/organizations/invitations/operations/create.ts';
const revokeHere = 'src/organizations/invitations/operations/revoke.ts';
const members = 'src/organizations/operations/members.ts';
const manage = 'src/passkeys/operations/manage.ts';
const versions = 'src/users/store/versions.ts';
const cache = 'src/sessions/session-cache.ts';
const expired = 'src/db/expired-rows.ts';

const replaced = (file: string, replace: string, by: string): Patch => ({ file, replace, by });
const without = (file: string, text: string): Patch => replaced(file, text, '');

const voidsGrants = without(changeRole, "        ${revokeGrantsBy(userId, andExists('changed'))},\n");
const cancelsRecoveries = without(
  changeRole,
  "        ${cancelRecoveriesOf(userId, andExists('changed'))},\n",
);
const checksCreatorAtCompletion = [
  replaced(
    complete,
    'if (creator !== null && !(await mayCreatorHelp',
    'if (false && creator && !(await mayCreatorHelp',
  ),
  replaced(complete, " ${andExists('creator')}`", '`'),
];
const checksCreatorAtUse = [
  replaced(useLink, 'if (!(await mayCreatorHelp(runtime, creator, user)))', 'if (false)'),
  replaced(useLink, "sql`${andExists('room')} ${andExists('creator')}`", "andExists('room')"),
];
const checksCreatorOfInvitation = [
  replaced(
    'src/invitations/rules.ts',
    '(creator === null || canAnywhere(grants, creator, capabilityToInvite[role]))',
    'true',
  ),
  replaced(accept, "sql`` : andExists('creator')", 'sql`` : sql``'),
];
const unguarded = 'guarded as (select id from entitled)';

export const mutants: readonly InterleavingMutant[] = [
  {
    breaks: 'Demoting two superadmins at once leaves no superadmin',
    groups: ['sue demotes sam | sam demotes sue'],
    patches: [replaced(changeRole, 'guarded as (${lastSuperadminGuard(guarded)})', unguarded)],
  },
  {
    breaks: 'Disabling a superadmin does not count as a change of the superadmins',
    groups: ['sam disables sue | sue demotes sam'],
    patches: [replaced(changeStatus, 'guarded as (${lastSuperadminGuard(guarded)})', unguarded)],
  },
  {
    breaks: 'Deleting a superadmin does not count as a change of the superadmins',
    groups: ['sue deletes the account | ops demotes sam'],
    patches: [replaced(deleteUser, 'guarded as (${lastSuperadminGuard(guarded)})', unguarded)],
  },
  {
    breaks: 'Takeover: an admin keeps the recovery that a link of a demoted superadmin opened',
    groups: ['sue demotes sam | kim completes the recovery'],
    patches: [voidsGrants, ...checksCreatorAtCompletion],
  },
  {
    breaks: 'Takeover: a recovery gives access to a role that the user got after it began',
    groups: ['sue promotes kim | kim completes the recovery'],
    patches: [cancelsRecoveries, ...checksCreatorAtCompletion],
  },
  {
    breaks: 'Takeover: the completion of a recovery ignores a promotion in the same moment',
    groups: ['sue promotes kim | kim completes the recovery'],
    patches: [
      cancelsRecoveries,
      replaced(
        complete,
        'locked as (${lockActive(user.id, account.version)})',
        'locked as (select ${user.id}::uuid as id)',
      ),
      replaced(complete, " ${andExists('creator')}`", '`'),
      replaced(
        versions,
        'where id = ${userId}::uuid and version = ${version}::integer ${condition}\n  returning id, session_epoch`.invalidating(userId);\n\n/**\n * Ends every',
        'where id = ${userId}::uuid ${condition}\n  returning id, session_epoch`.invalidating(userId);\n\n/**\n * Ends every',
      ),
    ],
  },
  {
    breaks: 'Takeover: a link of a demoted admin opens a recovery',
    groups: ['sue demotes adm | lea uses the link'],
    patches: [voidsGrants, ...checksCreatorAtUse],
  },
  {
    breaks: 'Takeover: an admin creates a link for a user who becomes a superadmin in the same moment',
    groups: ['sue promotes usr | adm helps usr'],
    patches: [
      replaced(createLink, '${stillEntitledToHelp(by, user.id)}', '${by.stillEntitled}'),
      replaced(
        createLink,
        "${claimVersion(user.id, version, andExists('entitled'))}",
        'select id from entitled',
      ),
    ],
  },
  {
    breaks: 'Takeover: an admin uses a link for a user who has left the organizations of the admin',
    groups: ['adm creates a link for usr | usr uses that link | usr leaves'],
    patches: checksCreatorAtUse,
  },
  {
    breaks: 'A link is used in the same moment in which its creator is demoted',
    groups: ['sue demotes adm | lea uses the link'],
    patches: [
      replaced(useLink, "sql`${andExists('room')} ${andExists('creator')}`", "andExists('room')"),
      voidsGrants,
    ],
  },
  {
    breaks: 'An admin ends the sessions of a user who becomes a superadmin in the same moment',
    groups: ['sue promotes usr | adm ends sessions of usr'],
    patches: [
      replaced(
        endSessions,
        'with entitled as (${stillEntitledToHelp(by, user.id)}),\n      moved',
        'with entitled as (${by.stillEntitled}),\n      moved',
      ),
    ],
  },
  {
    breaks: 'An admin ends a session of a user who becomes a superadmin in the same moment',
    groups: ['sue promotes usr | adm ends a session of usr'],
    patches: [
      replaced(
        endSessions,
        'with entitled as (${stillEntitledToHelp(by, user.id)}),\n      ended',
        'with entitled as (${by.stillEntitled}),\n      ended',
      ),
    ],
  },
  {
    breaks: 'A recovery completes after the user has been disabled',
    groups: ['sue disables kim | kim completes the recovery'],
    patches: [
      without(changeStatus, "        ended as (${deleteSessionsOf(userId, andExists('changed'))}),\n"),
    ],
    equivalent: 'the statement also increments the epoch of the sessions, so no session is live',
  },
  {
    breaks: 'Disabling a user keeps the version of the account',
    groups: [
      'sue disables usr | usr removes password',
      'sue disables usr | usr generates codes',
      'sue disables usr | adm helps usr',
    ],
    patches: [
      replaced(
        versions,
        'update latchkey.users set version = version + 1, ${change}',
        'update latchkey.users set ${change}',
      ),
    ],
  },
  {
    breaks: 'A promotion is stored without an audit event',
    groups: ['sue promotes bob | bob leaves'],
    patches: [
      replaced(
        changeRole,
        "entry as (${recordEvent(actor, entry, from('changed'))})",
        'entry as (select id from entitled where false)',
      ),
    ],
  },
  {
    breaks: 'An audit event records the removal of a passkey that another request has prevented',
    groups: ['usr removes passkey | usr removes password'],
    patches: [
      replaced(
        manage,
        "entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('removed'))})",
        "entry as (${recordEvent(actor, { event, outcome: 'success', target }, from('live'))})",
      ),
    ],
  },
  {
    breaks: 'Removing the password and the passkey at once leaves an account without a sign-in method',
    groups: ['usr removes passkey | usr removes password'],
    patches: [
      replaced(
        versions,
        'where id = ${userId}::uuid and version = ${version}::integer ${condition}\n  returning id, session_epoch`.invalidating(userId);\n\n/**\n * Ends every',
        'where id = ${userId}::uuid ${condition}\n  returning id, session_epoch`.invalidating(userId);\n\n/**\n * Ends every',
      ),
    ],
  },
  {
    breaks: 'A session that ends during the request can remove a passkey',
    groups: ['ops ends sessions of usr | usr removes passkey'],
    patches: [
      replaced(
        manage,
        'with live as (${selectPrivilegedSession(runtime, actor)}),\n        claimed',
        'with live as (select ${actor.session.id}::uuid as id),\n        claimed',
      ),
    ],
  },
  {
    breaks: 'A session that ends during the request can replace the recovery codes',
    groups: ['ops ends sessions of usr | usr generates codes'],
    patches: [
      replaced(
        codes,
        'with live as (${selectPrivilegedSession(runtime, actor)}),\n        claimed',
        'with live as (select ${actor.session.id}::uuid as id),\n        claimed',
      ),
    ],
  },
  {
    breaks: 'A recovery code can be used twice',
    groups: ['usr uses a code | usr uses a code'],
    patches: [
      replaced(
        'src/recovery/store.ts',
        'where code_hash = ${hash}::text and ${isUsable} ${condition}',
        'where code_hash = ${hash}::text ${condition}',
      ),
    ],
  },
  {
    breaks: 'A recovery link can be used twice',
    groups: ['lea uses the link | lea uses the link'],
    patches: [
      replaced(
        'src/recovery/store.ts',
        'where token_hash = ${tokenHash}::text and session_id is null\n',
        'where token_hash = ${tokenHash}::text\n',
      ),
      replaced(
        useLink,
        "claimVersion(user.id, row.version, sql`${andExists('room')} ${andExists('creator')}`)",
        "incrementVersion(user.id, sql`${andExists('room')} ${andExists('creator')}`)",
      ),
      replaced(useLink, 'import { claimVersion }', 'import { incrementVersion }'),
    ],
  },
  {
    breaks: 'A code opens a recovery session in the moment in which the account is disabled',
    groups: ['sue disables usr | usr uses a code'],
    patches: [
      replaced(
        versions,
        "where id = ${userId}::uuid and status = 'active' ${condition}",
        'where id = ${userId}::uuid ${condition}',
      ),
    ],
  },
  {
    breaks: 'Two users accept one admin invitation',
    groups: ['ann becomes admin | usr becomes admin'],
    patches: [
      replaced(
        'src/invitations/store.ts',
        'where invitations.id = ${id}::uuid and ${isPending} ${condition}\n  for update`',
        'where invitations.id = ${id}::uuid ${condition}`',
      ),
    ],
  },
  {
    breaks: 'Two users accept one admin invitation, because it is not locked',
    groups: ['ann becomes admin | usr becomes admin'],
    patches: [
      replaced(
        'src/invitations/store.ts',
        'where invitations.id = ${id}::uuid and ${isPending} ${condition}\n  for update`',
        'where invitations.id = ${id}::uuid and ${isPending} ${condition}`',
      ),
    ],
  },
  {
    breaks: 'A revoked invitation is accepted in the same moment',
    groups: ['sue revokes the admin invitation | ann becomes admin'],
    patches: [
      replaced(
        'src/invitations/store.ts',
        'where id = ${id}::uuid and accepted_at is null and revoked_at is null ${condition}\n  returning id`;\n\n/** Revokes the unaccepted invitations for',
        'where id = ${id}::uuid ${condition}\n  returning id`;\n\n/** Revokes the unaccepted invitations for',
      ),
    ],
  },
  {
    breaks: 'Takeover: an invitation of a demoted superadmin makes a user an admin',
    groups: [
      'sue demotes sam | usr becomes admin',
      'sue creates an admin invitation | usr accepts that invitation | sam demotes sue',
    ],
    patches: [voidsGrants, ...checksCreatorOfInvitation],
  },
  {
    breaks: 'The acceptance of an admin invitation does not check its creator again',
    groups: ['sue demotes sam | usr becomes admin'],
    patches: [replaced(accept, "sql`` : andExists('creator')", 'sql`` : sql``')],
    equivalent:
      'a demotion also revokes the invitations of the user, and the statement locks a pending invitation',
  },
  {
    breaks: 'A demotion revokes no grants of the user',
    groups: [
      'sue demotes sam | kim completes the recovery',
      'sue demotes sam | usr becomes admin',
      'sue demotes adm | lea uses the link',
    ],
    patches: [voidsGrants],
    equivalent: 'the completion, the use of a link and the acceptance check the rights of the creator again',
  },
  {
    breaks: 'An organization invitation of a demoted admin makes a user an organization admin',
    groups: ['adm demotes bob | ann accepts'],
    patches: [
      without(
        members,
        "revoked_invitations as (${revokeInvitationsCreatedIn(organization.id, userId, andExists('changed'))}),",
      ),
      replaced(
        acceptHere,
        "sql`${andExists('organization')} ${andExists('creator')}`",
        "andExists('organization')",
      ),
    ],
  },
  {
    breaks: 'A user accepts an invitation to an organization twice',
    groups: ['ann accepts | ann declines', 'ann accepts | adm revokes the invitation of ann'],
    patches: [
      replaced(
        'src/organizations/invitations/store.ts',
        'where organization_invitations.id = ${id}::uuid and ${isPending} ${condition}\n  for update`',
        'where organization_invitations.id = ${id}::uuid ${condition}`',
      ),
    ],
  },
  {
    breaks: 'A demoted organization admin invites a user in the same moment',
    groups: ['adm demotes bob | bob invites eve'],
    patches: [
      replaced(
        createHere,
        'with entitled as (${stillEntitledTo(runtime, by, { given: role })})',
        'with entitled as (select ${organization.id}::uuid as id)',
      ),
    ],
  },
  {
    breaks: 'A demoted organization admin revokes an invitation in the same moment',
    groups: [
      'adm removes bob | bob creates an invitation link',
      'ops demotes bob in here | adm revokes the invitation of ann',
      'bob removes adm | adm revokes the invitation of ann',
    ],
    patches: [
      replaced(
        revokeHere,
        'with entitled as (${stillEntitledTo(runtime, by, change)})',
        'with entitled as (select ${id}::uuid as id)',
      ),
    ],
  },
  {
    breaks: 'A removed organization admin demotes the other one in the same moment',
    groups: ['adm removes bob | bob demotes adm'],
    patches: [
      replaced(
        members,
        "changed as (${updateMembership(membership, userId, andExists('claimed'))})",
        "changed as (${updateMembership(membership, userId, andExists('entitled'))})",
      ),
    ],
  },
  {
    breaks: 'A rename does not check the version of the account',
    groups: [
      'adm renames usr | usr deletes the account',
      'adm renames usr | usr renames',
      'sue promotes usr | adm renames usr',
    ],
    patches: [
      replaced(
        versions,
        'where id = ${userId}::uuid and version = ${version}::integer and deleted_at is null ${condition}',
        'where id = ${userId}::uuid and deleted_at is null ${condition}',
      ),
    ],
  },
  {
    breaks: 'An operation is half stored when the connection fails: a used code opens no session',
    groups: ['usr uses a code'],
    patches: [
      replaced(
        useCode,
        '  const session = await openSession<',
        '  await runtime.db.query(spendCode(row.code_hash, sql``));\n  const session = await openSession<',
      ),
      replaced(
        'src/recovery/store.ts',
        'where code_hash = ${hash}::text and ${isUsable} ${condition}',
        'where code_hash = ${hash}::text ${condition}',
      ),
    ],
  },
  {
    breaks: 'The sessions of another instance: a notification does not evict a session from the cache',
    groups: ['caches: usr ends all sessions'],
    patches: [replaced(cache, 'onNotification: invalidate,', 'onNotification: () => {},')],
  },
  {
    breaks: 'The sessions of another instance: a notification evicts no session of an impersonator',
    // The requests also delete these sessions, and the notification of the deletion names the user.
    groups: ['caches: psql demotes sue'],
    patches: [replaced(cache, '[user.id, session.id, session.impersonator?.id]', '[user.id, session.id]')],
  },
  {
    breaks: 'The sessions of another instance: the cache stays on when notifications can no longer arrive',
    groups: ['caches: usr ends all sessions'],
    patches: [without(cache, '      isListening = false;\n      clear();\n')],
  },
  {
    breaks: 'The sessions of another instance: a row that was read before a notification is cached after it',
    groups: ['caches: usr ends all sessions'],
    patches: [without(cache, ' && start.generation === generation')],
  },
  {
    breaks:
      'The sessions of another instance: without a notification, an ended session is accepted for a minute',
    groups: ['caches: usr ends all sessions'],
    patches: [replaced(cache, 'const lifetimeMs = 5 * second;', 'const lifetimeMs = 60 * second;')],
  },
  {
    breaks: 'Two concurrent bootstraps each create a superadmin',
    groups: ['bootstraps: ops bootstraps | ops bootstraps another'],
    patches: [
      replaced(
        'src/bootstrap/store.ts',
        'on conflict do nothing',
        'on conflict (one) do update set user_id = excluded.user_id',
      ),
    ],
  },
  {
    breaks: 'A later bootstrap creates another superadmin',
    groups: ['bootstraps: ops bootstraps | ops bootstraps another'],
    patches: [
      replaced(
        'src/bootstrap/operations/plan-bootstrap.ts',
        'if (again && !hasActiveSuperadmin && previousId !== null)',
        'if (previousId !== null)',
      ),
      replaced('src/bootstrap/operations/bootstrap.ts', 'sql`and ${noActiveSuperadmin}`', 'sql``'),
    ],
  },
  {
    breaks: 'Housekeeping deletes live sessions',
    groups: ['housekeeping deletes expired sessions'],
    patches: [replaced(expired, '<= latchkey.clock()', "<= latchkey.clock() + interval '1 year'")],
  },
  {
    breaks: 'Housekeeping deletes a recovery link that is renewed in the same moment',
    groups: ['adm helps usr | housekeeping deletes expired recovery links'],
    patches: [without(expired, '    for update skip locked\n')],
  },
];
