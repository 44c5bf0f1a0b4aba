import { type AcceptedUser, type Candidate, type Obstacle, userHandlesOf } from './candidate.ts';

/** The values that existing accounts have or had. */
export interface Taken {
  usernames: ReadonlySet<string>;
  skeletons: ReadonlySet<string>;
  userHandles: ReadonlySet<string>;
  credentialIds: ReadonlySet<string>;
  /** The `sourceId` of each imported user. The value says whether this import has imported the user. */
  origins: ReadonlyMap<string, boolean>;
}

/** Values of accepted users whose accounts are not stored. */
export interface Reserved {
  has(key: string): boolean;
  add(key: string): unknown;
}

export type Decision =
  | { kind: 'import'; accepted: AcceptedUser }
  | { kind: 'already_imported' }
  | { kind: 'refuse'; obstacle: Obstacle };

/**
 * Decides which candidates of one batch to import, in their order. Later candidates cannot have the values of an
 * accepted candidate.
 *
 * @param reserved also contains the accepted candidates of earlier batches, if these are not stored
 */
export function decide(
  candidates: readonly Candidate[],
  taken: Taken,
  reserved: Reserved,
  lookAlikes: 'allow' | 'refuse',
): Decision[] {
  return candidates.map((candidate) => {
    const { account, sourceId } = candidate;
    const origin = taken.origins.get(sourceId);
    if (origin === false) return { kind: 'already_imported' };
    const obstacle =
      origin || reserved.has(`source ${sourceId}`)
        ? refusal('source_id_repeated', 'sourceId', 'expected an id that no earlier record has')
        : conflictOf(candidate, taken, reserved, lookAlikes);
    if (obstacle) return { kind: 'refuse', obstacle };
    const isLookAlike = reserved.has(`skeleton ${account.skeleton}`);
    for (const key of keysOf(candidate)) reserved.add(key);
    // Of several accounts whose usernames look alike, only one has the skeleton.
    return {
      kind: 'import',
      accepted: isLookAlike ? { ...candidate, account: { ...account, skeleton: null } } : candidate,
    };
  });
}

function conflictOf(
  candidate: Candidate,
  taken: Taken,
  reserved: Reserved,
  lookAlikes: 'allow' | 'refuse',
): Obstacle | null {
  const { username, skeleton } = candidate.account;
  if (taken.usernames.has(username) || reserved.has(`username ${username}`))
    return refusal('username_taken', 'username', 'another user has or had this username');
  if (lookAlikes === 'refuse' && (taken.skeletons.has(skeleton) || reserved.has(`skeleton ${skeleton}`)))
    return refusal(
      'username_unacceptable',
      'username',
      'this username looks like the username of another user',
    );
  const index = candidate.passkeys.findIndex(
    ({ credential_id: id }) => taken.credentialIds.has(id) || reserved.has(`credential ${id}`),
  );
  if (index >= 0)
    return refusal('passkey_taken', `passkeys.${index}.credentialId`, 'another user has this passkey');
  const isTaken = (handle: string) => taken.userHandles.has(handle) || reserved.has(`user handle ${handle}`);
  return userHandlesOf(candidate).some(isTaken)
    ? refusal('user_handle_taken', 'userHandle', 'another user has this user handle')
    : null;
}

const refusal = (reason: Obstacle['reason'], path: string, message: string): Obstacle => ({
  reason,
  path,
  message,
});

const keysOf = (candidate: Candidate): string[] => [
  `source ${candidate.sourceId}`,
  `username ${candidate.account.username}`,
  `skeleton ${candidate.account.skeleton}`,
  ...userHandlesOf(candidate).map((handle) => `user handle ${handle}`),
  ...candidate.passkeys.map(({ credential_id }) => `credential ${credential_id}`),
];
