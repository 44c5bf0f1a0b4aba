export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded-postgres-error.ts';
export type { EmbeddedUrls } from './embedded-urls.ts';
export { findEmbeddedPostgres } from './find-embedded-postgres.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
