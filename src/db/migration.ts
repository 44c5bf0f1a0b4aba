import { createHash } from 'node:crypto';

/**
 * One step of the schema. A released migration never changes, because each database stores a checksum of the script.
 */
export interface Migration {
  version: number;
  name: string;
  script: string;
  /**
   * The schema version of the oldest package that works with the schema after this migration. This package and later
   * ones keep running during a rolling upgrade, and can start again for a rollback.
   * Required since migration 19. CONTRIBUTING.md lists what a compatible migration can do.
   */
  compatibleWith?: number;
}

export const checksumOf = (migration: Migration): string =>
  createHash('sha256').update(migration.script).digest('hex');
