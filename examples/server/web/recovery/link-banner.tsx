import { CircleCheck, TriangleAlert } from 'lucide-static';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { formatAt, formatStart } from '../dates.ts';
import { codeOf, type Explanation, explanation } from '../explain.ts';
import { Icon } from '../icons/icon.tsx';
import { loadLink } from '../load-parts.ts';
import { useLanguage } from '../messages/language.ts';
import { t } from '../messages/t.tsx';
import { hasArea } from '../messages/text.ts';
import { onServerBack } from '../server-away.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { useAction } from '../use-action.ts';
import { type ForeignLink, linkWords } from './link-words.ts';

const words: Record<string, Explanation> = {
  ceremony_canceled: explanation('warning', 'recovery.linkStillWorks', 'recovery.notConfirmed'),
};

/**
 * Warns a signed-in user on every page about a recovery link that another user or an operator created for their account.
 * The user can cancel the link.
 */
export function LinkBanner() {
  const { state } = useAccount();
  const link = state.status === 'signed-in' ? state.recoveryLink : null;
  useLanguage();
  useEffect(() => {
    if (!link) return;
    const load = () => void loadLink().catch(() => {});
    load();
    return onServerBack(load);
  }, [link]);
  if (state.status !== 'signed-in' || state.session.kind !== 'full' || !hasArea('recovery')) return null;
  return <Banner link={state.recoveryLink} key={state.user.id} />;
}

function Banner({ link }: { link: ForeignLink | null }) {
  const { refresh } = useAccount();
  const text = useRef<HTMLParagraphElement>(null);
  /** The creation time of the link that the user canceled here. */
  const [canceled, setCanceled] = useState<string | null>(null);
  const warning = link !== null && link.createdAt !== canceled ? link : null;
  const isShown = warning !== null || canceled !== null;

  const cancel = useAction(async (shown: ForeignLink) => {
    try {
      await auth.recovery.cancelLink();
    } catch (error) {
      // The link has expired or was canceled in another tab.
      if (codeOf(error) !== 'not_found') throw error;
    }
    setCanceled(shown.createdAt);
    // The focused button no longer exists. If the step-up dialog was open, the focus can move only after this dialog has
    // closed.
    requestAnimationFrame(() => text.current?.focus());
    await refresh();
  });

  return (
    <section
      class={isShown ? `link-banner ${toneOf(warning)}` : undefined}
      aria-label={isShown ? t('recovery.link') : undefined}
    >
      <div class="link-banner__inner">
        {/* Always rendered, so that a screen reader announces the text when it appears. */}
        <div role="status" class="link-banner__text">
          {isShown && (
            <p ref={text} tabIndex={-1}>
              {warning ? <Icon of={TriangleAlert} /> : <Icon of={CircleCheck} />}
              {warning ? wordsFor(warning) : t('recovery.linkCanceled')}
            </p>
          )}
        </div>
        {warning && (
          <Button
            variant={warning.usedAt === null ? 'secondary' : 'danger'}
            busy={cancel.busy}
            onClick={() => void cancel.run(warning)}
          >
            {t('recovery.cancelLink')}
          </Button>
        )}
        {!warning && isShown && (
          <Button variant="quiet" onClick={() => setCanceled(null)}>
            {t('common.close')}
          </Button>
        )}
        {warning && <ErrorNotice error={cancel.error} words={words} />}
      </div>
    </section>
  );
}

function toneOf(link: ForeignLink | null): string {
  if (link === null) return '';
  return link.usedAt === null ? 'link-banner--warning' : 'link-banner--danger';
}

function wordsFor(link: ForeignLink): string {
  const times = { created: formatAt(link.createdAt), start: formatStart(link.usableAt) };
  return linkWords(link, times, Date.now());
}
