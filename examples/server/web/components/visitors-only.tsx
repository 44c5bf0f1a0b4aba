import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { returnPath } from '../return-path.ts';
import { Entrance } from './entrance.tsx';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';
import { Redirect } from './redirect.tsx';

interface VisitorsOnlyProps {
  /** Where whoever is signed in goes on to; taken from the address bar, so not to be trusted. */
  destination: string | undefined;
  children: ComponentChildren;
}

/** Renders for people who are not signed in; others go on to where they were going. */
export function VisitorsOnly({ destination, children }: VisitorsOnlyProps) {
  const { state, refresh } = useAccount();
  switch (state.status) {
    case 'signed-in':
      return <Redirect to={returnPath(destination, location.origin)} />;
    case 'signed-out':
      return <>{children}</>;
    case 'failed':
      return (
        <Entrance>
          <PageFailed error={state.error} retry={refresh} />
        </Entrance>
      );
    default:
      return (
        <Entrance>
          <PageLoading rows={2} label="Loading" />
        </Entrance>
      );
  }
}
