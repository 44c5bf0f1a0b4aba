import { useEffect, useState } from 'preact/hooks';
import { T, t } from '../messages/t.tsx';
import { showsSetup } from '../site-settings.ts';
import { Notice } from '../ui/notice.tsx';

/** In development, says how to create the first superadmin. Renders nothing as soon as a superadmin exists. */
export function SetupNotice() {
  const [needsSuperadmin, setNeeds] = useState(false);

  useEffect(() => {
    if (!showsSetup) return;
    const controller = new AbortController();
    // Without an answer, the page works as usual.
    readSetup(controller.signal).then(setNeeds, () => {});
    return () => controller.abort();
  }, []);

  if (!needsSuperadmin) return null;
  return (
    <Notice tone="warning" title={t('entrance.noSuperadminTitle')}>
      <T id="entrance.noSuperadminBody" values={{ code: (command) => <code>{command}</code> }} />
    </Notice>
  );
}

async function readSetup(signal: AbortSignal): Promise<boolean> {
  const response = await fetch('/api/setup', { signal });
  const answer: { needsSuperadmin?: boolean } = await response.json();
  return answer.needsSuperadmin === true;
}
