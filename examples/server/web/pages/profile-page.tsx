import type { Account } from 'latchkey/client';
import { AtSign, IdCard } from 'lucide-static';
import { PageHead } from '../components/page-head.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { ProfileForm } from '../profile/profile-form.tsx';
import { roleNames } from '../roles.ts';
import { SettingsSection } from '../security/settings-section.tsx';
import { Time } from '../ui/time.tsx';

export const ProfilePage = () => <RequireAccount>{(user) => <Profile user={user} />}</RequireAccount>;

const Profile = ({ user }: { user: Account }) => (
  <>
    <PageHead title={t('profile.title')} lead={t('profile.lead')} />
    <SettingsSection id="name" title={t('profile.nameTitle')} lead={t('profile.nameLead')}>
      <ProfileForm key={user.id} user={user} />
    </SettingsSection>
    <SettingsSection id="account" title={t('profile.accountTitle')} lead={t('profile.accountLead')}>
      <ul class="list">
        <li class="row">
          <span class="row__icon">
            <Icon of={AtSign} />
          </span>
          <div class="row__text">
            <h3 class="row__title">
              <bdi>{user.username}</bdi>
            </h3>
            <p class="row__meta">{t('profile.usernameHint')}</p>
          </div>
        </li>
        <li class="row">
          <span class="row__icon">
            <Icon of={IdCard} />
          </span>
          <div class="row__text">
            <h3 class="row__title">{roleNames[user.role]}</h3>
            <p class="row__meta">
              <T id="profile.createdOn" values={{ when: <Time at={user.createdAt} /> }} />
            </p>
          </div>
        </li>
      </ul>
    </SettingsSection>
  </>
);
