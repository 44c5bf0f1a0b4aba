import type { Role } from 'latchkey/client';
import {
  Building2,
  ChartColumn,
  Folder,
  History,
  House,
  Mail,
  ScrollText,
  ShieldCheck,
  Users,
  Webhook,
} from 'lucide-static';
import { has, mayOpenInvitations } from './capabilities.ts';
import { t } from './messages/t.tsx';
import { hasOrganizations, hasWebhooks } from './site-settings.ts';

/** A page that the navigation and the command palette link to. */
export interface Destination {
  href: string;
  icon: string;
  /** A function, because the messages are loaded after this script. */
  name: () => string;
}

/** The pages of every user. */
export const ownDestinations = (): Destination[] => [
  { href: '/', icon: House, name: () => t('layout.home') },
  { href: '/settings/security', icon: ShieldCheck, name: () => t('layout.security') },
  ...(hasOrganizations
    ? [{ href: '/organizations', icon: Building2, name: () => t('layout.organizations') }]
    : []),
  { href: '/files', icon: Folder, name: () => t('layout.files') },
];

/** The user's own events. The account menu and the command palette link to this page. */
export const ownActivity: Destination = {
  href: '/settings/activity',
  icon: History,
  name: () => t('layout.yourActivity'),
};

/** The pages for administrators that users with a role can open. */
export const administrationDestinations = (role: Role): Destination[] => [
  ...(has(role, 'overview:read')
    ? [{ href: '/admin/overview', icon: ChartColumn, name: () => t('layout.overview') }]
    : []),
  ...(has(role, 'user:read') ? [{ href: '/admin/users', icon: Users, name: () => t('layout.users') }] : []),
  ...(mayOpenInvitations(role)
    ? [{ href: '/admin/invitations', icon: Mail, name: () => t('layout.invitations') }]
    : []),
  ...(has(role, 'audit:read')
    ? [{ href: '/admin/activity', icon: ScrollText, name: () => t('layout.activity') }]
    : []),
  ...(has(role, 'webhook:manage') && hasWebhooks
    ? [{ href: '/admin/webhooks', icon: Webhook, name: () => t('layout.webhooks') }]
    : []),
];
