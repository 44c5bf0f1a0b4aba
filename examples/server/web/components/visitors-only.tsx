import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { returnPath } from '../return-path.ts';
import { Entrance } from './entrance.tsx';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';
import { Redirect } from './redirect.tsx';

interface VisitorsOnlyProps {
  /** Where signed-in users are sent. It comes from the address bar, so it is untrusted. */
  destination: string | undefined;
  children: ComponentChildren;
}

/** Renders for visitors. Sends signed-in users to the page that they came for. */
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
