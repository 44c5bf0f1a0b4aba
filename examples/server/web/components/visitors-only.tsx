import type { ComponentChildren } from 'preact';
import { useAccount } from '../account.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { useOpeningDoor } from '../entrance/use-opening-door.ts';
import { t } from '../messages/t.tsx';
import { returnPath } from '../return-path.ts';
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
  const isOpening = useOpeningDoor(state.status === 'signed-in');
  switch (state.status) {
    case 'signed-in':
    case 'signed-out':
      if (state.status === 'signed-in' && !isOpening)
        return <Redirect to={returnPath(destination, location.origin)} />;
      // While the door opens, the elements stay visible, but they ignore input.
      return (
        <div class={isOpening ? 'door-opens' : undefined} inert={isOpening}>
          {children}
        </div>
      );
    case 'failed':
      return (
        <Entrance>
          <PageFailed error={state.error} retry={refresh} />
        </Entrance>
      );
    default:
      return (
        <Entrance>
          <PageLoading rows={2} label={t('common.loading')} />
        </Entrance>
      );
  }
}
