import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { returnPath } from '../return-path.ts';
import { Entrance } from './entrance.tsx';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';
import { Redirect } from './redirect.tsx';

interface VisitorsOnlyProps {
  /** The path to which signed-in users are redirected. Untrusted, because it comes from the URL. */
  destination: string | undefined;
  children: ComponentChildren;
}

/** Renders its children for visitors. Redirects signed-in users to `destination`. */
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
