import { PageHeading } from '../components/page-heading.tsx';

const steps = 3;

/** A step's heading, and how far along somebody is: seen above it, read out with it. */
export function StepHeading({ step, title }: { step: number; title: string }) {
  const progress = `Step ${step} of ${steps}`;
  return (
    <>
      <div class="progress" aria-hidden="true">
        <p class="progress__words">{progress}</p>
        <div class="progress__bars">
          {Array.from({ length: steps }, (_, index) => (
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
