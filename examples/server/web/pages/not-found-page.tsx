import { useAccount } from '../account.tsx';
import { Entrance } from '../components/entrance.tsx';
import { PageHeading } from '../components/page-heading.tsx';

export function NotFoundPage() {
  const { state } = useAccount();
  const words = (
    <>
      <PageHeading title="Page not found" />
      <p class="entrance__lead">
        There is nothing at this address. It may have moved, or the link may be mistyped.
      </p>
      <p>
        <a href="/">Go to the start page</a>
      </p>
    </>
  );
  // Inside, the frame with its own main is there already.
  return state.status === 'signed-in' ? words : <Entrance>{words}</Entrance>;
}
