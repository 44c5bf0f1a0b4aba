/**
 * Groups of operations that the same guard checks. Every test run tries all pairs within a group, with all overlaps. An
 * operation runs together with itself if it uses something that is single-use. The campaign tries all pairs of all
 * operations.
 */
export const riskyGroups: Record<string, readonly string[]> = {
  'the last superadmin': [
    'sue demotes sam',
    'sam demotes sue',
    'sam disables sue',
    'sue deletes the account',
    'ops demotes sam',
  ],
  'the last organization admin': [
    'adm leaves',
    'bob leaves',
    'bob removes adm',
    'sam disables bob',
    'bob deletes the account',
  ],
  'the last sign-in method': [
    'usr removes passkey',
    'usr removes password',
    'usr adds a passkey',
    'usr changes password',
    'usr deletes the account',
  ],
  'a user who gains rights': [
    'sue promotes usr',
    'usr becomes admin',
    'adm helps usr',
    'adm renames usr',
    'usr accepts theirs',
  ],
  'a creator who loses rights': [
    'sue demotes adm',
    'adm helps lea',
    'adm invites a user',
    'lea uses the link',
    'joy signs up invited',
  ],
  'a recovery and its creator': [
    'kim completes the recovery',
    'sue demotes sam',
    'sue promotes kim',
    'sam helps kim',
    'sue disables kim',
  ],
  'single use': ['usr uses a code', 'usr generates codes', 'usr revokes codes'],
  'one invitation': [
    'ann becomes admin',
    'usr becomes admin',
    'sue revokes the admin invitation',
    'sam demotes sue',
  ],
  'an invitation to an organization': [
    'ann accepts',
    'ann declines',
    'adm revokes the invitation of ann',
    'adm demotes bob',
    'adm deletes here',
  ],
  'an invitation for a username': ['sue renames ann', 'sam invites ann as admin', 'ann becomes admin'],
  'one name': ['joe signs up', 'sue renames ann', 'ops creates joe', 'ops imports joe'],
};

/** Chains (`chains.ts`), each with a third operation that takes a right away. */
export const riskyChains: readonly string[] = [
  'sam creates a link for kim | kim uses that link | sue demotes sam',
  'adm creates a link for usr | usr uses that link | usr leaves',
  'sue creates an admin invitation | usr accepts that invitation | sam demotes sue',
  'bob creates a link to here | eve joins by that link | adm demotes bob',
];
