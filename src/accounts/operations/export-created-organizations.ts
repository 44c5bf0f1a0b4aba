import type { Runtime } from '../../core/runtime.ts';
import { rfc3339 } from '../../db/timestamp.ts';
import { selectOrganizationsCreatedBy } from '../../organizations/store/export.ts';
import type { OrganizationRow } from '../../organizations/store.ts';
import type { UserRecord } from '../user-export.ts';

const batch = 1000;
/** The UUID before all others. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * The organizations that a user created. Not read from the audit log, because the event of the creation can be deleted
 * when its retention ends.
 */
export async function* exportCreatedOrganizations(
  { db }: Runtime,
  userId: string,
): AsyncGenerator<UserRecord> {
  let after = nilUuid;
  for (;;) {
    const rows = await db.query<OrganizationRow>(
      selectOrganizationsCreatedBy(userId, { after, limit: batch }),
    );
    for (const { organization_id: id, name, slug, organization_created_at: createdAt } of rows) {
      yield {
        type: 'created_organization',
        organization: { id, name, slug },
        createdAt: rfc3339(createdAt),
      };
      after = id;
    }
    if (rows.length < batch) return;
  }
}
