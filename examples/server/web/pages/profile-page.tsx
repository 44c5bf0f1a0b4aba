import type { Account } from 'latchkey/client';
import { PageHeading } from '../components/page-heading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import { ProfileForm } from '../profile/profile-form.tsx';

export function ProfilePage() {
  return <RequireAccount>{(user) => <Profile user={user} />}</RequireAccount>;
}

const Profile = ({ user }: { user: Account }) => (
  <div class="section">
    <PageHeading title="Profile" />
    <p class="section__lead">
      Your username is <strong>{user.username}</strong>. Members of your organizations see your username and
      your display name.
    </p>
    <ProfileForm user={user} />
  </div>
);
