import { useAccount } from '../account.tsx';
import { t } from '../messages/t.tsx';

/** Allows keyboard users to skip the navigation. Must be the first element of the page. */
export function SkipLink() {
  const { state } = useAccount();
  if (state.status !== 'signed-in') return null;
  return (
    <a class="skip-link" href="#content">
      {t('layout.skipToContent')}
    </a>
  );
}
