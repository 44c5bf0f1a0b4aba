import { endpoints } from '../http/contract.ts';
import { pageOf } from '../http/page.ts';
import { auditQuery, exportQuery } from './input.ts';
import { auditEventResource } from './resource.ts';

export const activityEndpoints = endpoints({
  listAuditEvents: {
    on: 'GET /admin/audit',
    access: 'signed_in',
    budget: 'read',
    summary: 'Read the audit log',
    description:
      'Newest first. Superadmins see every event. Admins see the events of the organizations they manage, except those whose actor or target is a current member who had not joined yet. Admins do not see events outside of organizations, such as sign-ins, even their own. For admins, `ip`, `userAgent` and `requestId` are null unless the actor is a member.',
    query: auditQuery,
    answers: { 200: pageOf('events', auditEventResource) },
    errors: ['forbidden'],
  },
  exportAuditEvents: {
    on: 'GET /admin/audit/export',
    access: 'signed_in',
    budget: 'read',
    summary: 'Take the audit log out',
    description:
      'The same events as the list, oldest first, as a stream. The export is recorded as an event. The stream breaks off when the caller’s session, role or organizations change.',
    query: exportQuery,
    answers: { 200: { contentType: 'application/x-ndjson', description: 'An AuditEvent a line.' } },
    errors: ['forbidden'],
  },
});
