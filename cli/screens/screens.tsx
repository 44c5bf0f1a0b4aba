import { type ReactNode, useState } from 'react';
import { useNotices } from '../hooks/notices.tsx';
import { ActivityScreen } from './activity/activity-screen.tsx';
import { BootstrapScreen } from './bootstrap/bootstrap-screen.tsx';
import { DoctorScreen } from './doctor/doctor-screen.tsx';
import { HomeScreen } from './home/home-screen.tsx';
import { InvitationsScreen } from './invitations/invitations-screen.tsx';
import type { ScreenName } from './screen.ts';
import { UsersScreen } from './users/users-screen.tsx';

/** The current screen. The others are unmounted and stop polling. */
export function Screens({ onQuit }: { onQuit: () => void }): ReactNode {
  const [name, setName] = useState<ScreenName>('home');
  const [last, setLast] = useState<ScreenName | null>(null);
  const { notify } = useNotices();
  const go = (next: ScreenName) => {
    notify(null);
    setLast(name);
    setName(next);
  };
  const onBack = () => go('home');
  if (name === 'bootstrap') return <BootstrapScreen onBack={onBack} />;
  if (name === 'invitations') return <InvitationsScreen onBack={onBack} />;
  if (name === 'users') return <UsersScreen onBack={onBack} />;
  if (name === 'activity') return <ActivityScreen onBack={onBack} />;
  if (name === 'doctor') return <DoctorScreen onBack={onBack} />;
  return <HomeScreen last={last} onGo={go} onQuit={onQuit} />;
}
