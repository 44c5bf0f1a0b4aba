import { lazyLinkPage, lazyPage } from '../components/lazy-page.tsx';
import { administration, link, own } from './page-scripts.ts';

export const DashboardPage = lazyPage(async () => (await own()).DashboardPage);
export const FilesPage = lazyPage(async () => (await own()).FilesPage);
export const OrganizationPage = lazyPage(async () => (await own()).OrganizationPage);
export const OrganizationsPage = lazyPage(async () => (await own()).OrganizationsPage);
export const OwnActivityPage = lazyPage(async () => (await own()).OwnActivityPage);
export const ProfilePage = lazyPage(async () => (await own()).ProfilePage);
export const SecurityPage = lazyPage(async () => (await own()).SecurityPage);
export const ActivityPage = lazyPage(async () => (await administration()).ActivityPage);
export const InvitationsPage = lazyPage(async () => (await administration()).InvitationsPage);
export const OverviewPage = lazyPage(async () => (await administration()).OverviewPage);
export const PersonPage = lazyPage(async () => (await administration()).PersonPage);
export const UsersPage = lazyPage(async () => (await administration()).UsersPage);
export const WebhooksPage = lazyPage(async () => (await administration()).WebhooksPage);
export const ImpersonatePage = lazyLinkPage(async () => (await link()).ImpersonatePage);
export const InvitationPage = lazyLinkPage(async () => (await link()).InvitationPage);
export const JoinPage = lazyLinkPage(async () => (await link()).JoinPage);
export const SignUpPage = lazyLinkPage(async () => (await import('./sign-up-page.tsx')).SignUpPage);
export const PasswordSignInPage = lazyLinkPage(
  async () => (await import('./password-sign-in-page.tsx')).PasswordSignInPage,
);
export const RecoverPage = lazyLinkPage(async () => (await link()).RecoverPage);
