import type { AuditEvent } from '../audit/event.ts';
import type { ExportedImpersonator } from './user-export.ts';

/** An event of the caller's own account, without the personal data of other users and the names of operators. */
export type OwnEvent = Omit<AuditEvent, 'impersonator'> & { impersonator: ExportedImpersonator | null };
