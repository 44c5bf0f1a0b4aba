import { lazyLinkPage, lazyPage } from '../components/lazy-page.tsx';

const own = () => import('./own-pages.ts');
const administration = () => import('./administration-pages.ts');
const link = () => import('./link-pages.ts');

export const DashboardPage = lazyPage(async () => (await own()).DashboardPage);
export const FilesPage = lazyPage(async () => (await own()).FilesPage);
export const OrganizationPage = lazyPage(async () => (await own()).OrganizationPage);
export const OrganizationsPage = lazyPage(async () => (await own()).OrganizationsPage);
export const ProfilePage = lazyPage(async () => (await own()).ProfilePage);
export const SecurityPage = lazyPage(async () => (await own()).SecurityPage);
export const ActivityPage = lazyPage(async () => (await administration()).ActivityPage);
export const InvitationsPage = lazyPage(async () => (await administration()).InvitationsPage);
export const UsersPage = lazyPage(async () => (await administration()).UsersPage);
export const ImpersonatePage = lazyLinkPage(async () => (await link()).ImpersonatePage);
export const InvitationPage = lazyLinkPage(async () => (await link()).InvitationPage);
export const JoinPage = lazyLinkPage(async () => (await link()).JoinPage);
export const RecoverPage = lazyLinkPage(async () => (await link()).RecoverPage);
