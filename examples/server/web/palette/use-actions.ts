import { type Account, passkeyObstacle } from 'latchkey/client';
import { Languages, LifeBuoy, LogOut, UserRoundKey } from 'lucide-static';
import { useLocation } from 'preact-iso/router';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { chooseLanguage, languages, useLanguage } from '../messages/language.ts';
import { t } from '../messages/t.tsx';
import { themes } from '../theme/themes.ts';
import { chooseTheme, useTheme } from '../theme/use-theme.ts';
import { toast } from '../ui/toast.tsx';
import type { Entry } from './entry.ts';

/** The actions of the command palette. */
export function useActions(user: Account, onHelp: () => void): Entry[] {
  const { state, signOut, refresh } = useAccount();
  const { path, route } = useLocation();
  const theme = useTheme();
  const language = useLanguage();

  const addPasskey = async () => {
    await auth.passkeys.add();
    toast(t('palette.passkeyAdded'));
    await refresh();
    route('/settings/security');
  };

  // An impersonator cannot change the account. The security page has its own button, which also shows the new passkey.
  const isOwn = state.status === 'signed-in' && state.session.impersonator === null;
  const canAdd = isOwn && path !== '/settings/security' && passkeyObstacle() === null;

  const actions: (Omit<Entry, 'group'> | false)[] = [
    canAdd && {
      id: 'add-passkey',
      icon: UserRoundKey,
      name: t('palette.addPasskey'),
      detail: t('layout.passkeyCount', { count: user.passkeyCount }),
      run: addPasskey,
    },
    ...themes
      .filter((other) => other.theme !== theme)
      .map((other) => ({
        id: `theme-${other.theme}`,
        icon: other.icon,
        name: t('palette.useTheme', { theme: other.theme }),
        keywords: t('palette.themeKeywords'),
        run: () => chooseTheme(other.theme),
      })),
    ...languages
      .filter(({ code }) => code !== language)
      .map(({ code, name }) => ({
        id: `language-${code}`,
        icon: Languages,
        name: t('palette.useLanguage', { language: name }),
        keywords: t('palette.languageKeywords'),
        run: () => chooseLanguage(code),
      })),
    {
      id: 'help',
      icon: LifeBuoy,
      name: t('layout.help'),
      keywords: t('palette.helpKeywords'),
      run: onHelp,
    },
    { id: 'sign-out', icon: LogOut, name: t('layout.signOut'), run: signOut },
  ];
  return actions.filter((action) => action !== false).map((action) => ({ ...action, group: 'actions' }));
}
