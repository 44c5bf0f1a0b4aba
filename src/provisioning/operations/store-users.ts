import { recordEach } from '../../audit/store/record-each.ts';
import type { Operator } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { sql } from '../../db/sql.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { insertImportedPasskeys, selectTakenCredentials } from '../../passkeys/store/imported.ts';
import { applicationStatement, explainStatementError } from '../../sign-up/application-statement.ts';
import { insertImportedAccounts, selectTakenNames, type TakenRow } from '../../users/store/imported.ts';
import { type AcceptedUser, type Candidate, userHandlesOf } from '../candidate.ts';
import type { Taken } from '../rules.ts';
import { insertOrigins, type OriginRow, selectOrigins } from '../store.ts';

/** The source of a call of `users.import`, and the random id of the call. */
export interface ImportSource {
  source: string;
  importId: string;
}

/** Reads which values of the candidates existing accounts have. */
export async function readTaken(
  { db }: Runtime,
  _: Operator,
  candidates: readonly Candidate[],
  { source, importId }: ImportSource,
): Promise<Taken> {
  const userHandles = [...new Set(candidates.flatMap(userHandlesOf))];
  const credentialIds = candidates.flatMap(({ passkeys }) => passkeys.map((one) => one.credential_id));
  const names = {
    usernames: candidates.map(({ account }) => account.username),
    skeletons: candidates.map(({ account }) => account.skeleton),
    userHandles,
  };
  const rows = await db.query<TakenRow>(sql`
    ${selectTakenNames(names)}
    union all
    ${selectTakenCredentials({ credentialIds, userHandles })}`);
  const origins = await db.query<OriginRow>(
    selectOrigins(
      source,
      importId,
      candidates.map(({ sourceId }) => sourceId),
    ),
  );
  const valuesOf = (kind: TakenRow['kind']) =>
    new Set(rows.filter((row) => row.kind === kind).map(({ value }) => value));
  return {
    usernames: valuesOf('username'),
    skeletons: valuesOf('skeleton'),
    userHandles: valuesOf('user_handle'),
    credentialIds: valuesOf('credential_id'),
    origins: new Map(origins.map((row) => [row.source_id, row.is_of_import])),
  };
}

/**
 * Creates accounts in one statement, with their passkeys and one audit event for each. With `signUp.after`, the
 * statement contains the statement of the application, so it can create only one account.
 *
 * @returns false: a concurrent statement took one of the values, so nothing was stored
 */
export async function storeUsers(
  runtime: Runtime,
  operator: Operator,
  users: readonly AcceptedUser[],
  { source, importId }: ImportSource,
): Promise<boolean> {
  const accounts = users.map(({ account }) => account);
  const [only] = accounts;
  if (!only) return true;
  if (runtime.signUp.hasStatement && accounts.length > 1)
    throw new Error('signUp.after: expected one account in the statement');
  const { id, username, display_name: displayName, role, fields } = only;
  const created = { user: { id, username, displayName, role }, fields, invitation: null };
  const changed = users.map(({ account, passkeys }) => ({
    id: account.id,
    username: account.username,
    details: {
      source,
      role: account.role,
      password: account.password_hash !== null,
      // Erasing the user finds the events of these passkeys.
      ...(passkeys.length > 0 && { passkeyIds: passkeys.map((passkey) => passkey.id).join(',') }),
    },
  }));
  const origins = users.map(({ account, sourceId }) => ({ source_id: sourceId, user_id: account.id }));
  try {
    await runtime.db.query(sql`
      with account as (${insertImportedAccounts(accounts, runtime.config.lookAlikes)}),
        ${applicationStatement(runtime, created)}
        passkey as (${insertImportedPasskeys(users.flatMap(({ passkeys }) => passkeys))}),
        origin as (${insertOrigins(source, importId, origins)}),
        entry as (${recordEach(operator, 'user.import', changed)})
      select account.id from account`);
    return true;
  } catch (error) {
    if (uniqueColumns.some((column) => violatesUnique(error, column))) return false;
    throw explainStatementError(runtime, error);
  }
}

const uniqueColumns = ['username', 'skeleton', 'user_handle', 'credential_id', 'source, source_id'];
