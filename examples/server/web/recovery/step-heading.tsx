import { PageHeading } from '../components/page-heading.tsx';
import { t } from '../messages/t.tsx';

interface StepHeadingProps {
  step: number;
  /** The number of steps. */
  of?: number;
  title: string;
}

/** The heading of a step, with the progress above. Screen readers announce both together. */
export function StepHeading({ step, of = 4, title }: StepHeadingProps) {
  const progress = t('recovery.progress', { step, steps: of });
  return (
    <>
      <div class="progress" aria-hidden="true">
        <p class="progress__words">{progress}</p>
        <div class="progress__bars">
          {Array.from({ length: of }, (_, index) => (
            <span class={`progress__bar${index < step ? ' progress__bar--done' : ''}`} key={index} />
          ))}
        </div>
      </div>
      <PageHeading title={title}>
        {title}
        <span class="visually-hidden">. {progress}</span>
      </PageHeading>
    </>
  );
}
