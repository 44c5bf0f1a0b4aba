import { createHash } from 'node:crypto';

/**
 * One step of the schema. A released migration never changes, because each database stores a checksum of the script.
 */
export interface Migration {
  version: number;
  name: string;
  script: string;
  /**
   * The oldest schema version that a package can know and still use the schema after this migration. Versions of the
   * package that know at least this schema version keep running during a rolling upgrade, and can start again for a
   * rollback.
   * Required since migration 19. CONTRIBUTING.md lists what a compatible migration can do.
   */
  compatibleWith?: number;
}

export const checksumOf = (migration: Migration): string =>
  createHash('sha256').update(migration.script).digest('hex');
