import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

export function LoadFailed({ error, retry }: { error: unknown; retry: () => Promise<void> }) {
  return <ErrorNotice error={error} action={<Button onClick={() => void retry()}>Try again</Button>} />;
}
