import type { Account, Session } from 'latchkey/client';
import { Pencil } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { impersonatorName } from '../impersonation/impersonator-name.ts';
import { T, t } from '../messages/t.tsx';
import { roleNames } from '../roles.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { Time } from '../ui/time.tsx';

/** Who is signed in, and since when. */
export const ProfileCard = ({ user, session }: { user: Account; session: Session }) => (
  <Card>
    <div class="profile-card__head">
      <Avatar name={user.displayName ?? user.username} seed={user.username} size="large" />
      <div>
        <p class="profile-card__name">
          <bdi>{user.displayName ?? user.username}</bdi>
        </p>
        {user.displayName && <p class="card__note">{user.username}</p>}
      </div>
    </div>
    <dl class="profile-card__facts">
      <Fact name={t('home.role')}>{roleNames[user.role]}</Fact>
      <Fact name={t('home.created')}>
        <Time at={user.createdAt} />
      </Fact>
      <Authenticated session={session} />
    </dl>
    <a class="button button--secondary" href="/settings/profile">
      <Icon of={Pencil} />
      {t('home.editProfile')}
    </a>
  </Card>
);

const Authenticated = ({ session }: { session: Session }) =>
  session.impersonator ? (
    <Fact name={t('home.impersonation')}>
      <T
        id="home.impersonationStarted"
        values={{
          when: <Time at={session.createdAt} relative />,
          name: <bdi>{impersonatorName(session.impersonator)}</bdi>,
        }}
      />
    </Fact>
  ) : (
    <Fact name={t('home.lastAuthenticated')}>
      <T
        id="home.authenticatedWith"
        values={{ when: <Time at={session.authenticatedAt} relative />, method: session.method }}
      />
    </Fact>
  );

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
