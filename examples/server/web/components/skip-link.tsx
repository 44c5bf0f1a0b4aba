import { useAccount } from '../account.tsx';

/** Past the navigation, where there is one. The very first thing on a page, or it would skip too little. */
export function SkipLink() {
  const { state } = useAccount();
  if (state.status !== 'signed-in') return null;
  return (
    <a class="skip-link" href="#content">
      Skip to content
    </a>
  );
}
