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
      'Superadmins: all of it. Admins: what happened in their organizations, and to and by the members. The newest first.',
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
      'As the log is read, the oldest first, as a stream; that it is taken out is an event itself.',
    query: exportQuery,
    answers: { 200: { contentType: 'application/x-ndjson', description: 'An AuditEvent a line.' } },
    errors: ['forbidden'],
  },
});
