// The pages for admins, as one script.
export { ActivityPage } from './activity-page.tsx';
export { InvitationsPage } from './invitations-page.tsx';
export { OverviewPage } from './overview-page.tsx';
export { PersonPage } from './person-page.tsx';
export { UsersPage } from './users-page.tsx';
export { WebhooksPage } from './webhooks-page.tsx';
