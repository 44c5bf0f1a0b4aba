// The pages of every signed-in user, as one script.
export { DashboardPage } from './dashboard-page.tsx';
export { FilesPage } from './files-page.tsx';
export { OrganizationPage } from './organization-page.tsx';
export { OrganizationsPage } from './organizations-page.tsx';
export { OwnActivityPage } from './own-activity-page.tsx';
export { ProfilePage } from './profile-page.tsx';
export { SecurityPage } from './security-page.tsx';
