import { useAccount } from '../account.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';

export function NotFoundPage() {
  const { state } = useAccount();
  const words = (
    <>
      <PageHeading title="Page not found" />
      <p class="entrance__lead">This page doesn’t exist. Check the URL for typos.</p>
      <p>
        <a href="/">Go to the start page</a>
      </p>
    </>
  );
  // For a signed-in user, the shell already provides the main element.
  return state.status === 'signed-in' ? words : <Entrance>{words}</Entrance>;
}
