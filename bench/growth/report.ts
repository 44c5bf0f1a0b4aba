import type { Host } from '../throughput/machine.ts';
import { quantileOf } from '../throughput/summary.ts';
import type { Scenario } from './scenarios.ts';

/** The result of one scenario. `sizes` has one element for each number of users, in ascending order. */
export interface Figure {
  name: string;
  /** The highest allowed ratio of the median with the most users to the median with the fewest. */
  most: number;
  /** The measured ratio. */
  ratio: number;
  met: boolean;
  sizes: {
    people: number;
    shown: number | undefined;
    samples: number;
    p50: number;
    p99: number;
    ratio: number;
  }[];
}

export interface Results {
  host: Host;
  postgresql: string;
  quick: boolean;
  places: { people: number; seededInSeconds: number }[];
  figures: Figure[];
}

interface Measured {
  place: { people: number };
  /** Milliseconds. */
  times: readonly number[];
  shown: number | undefined;
}

export function figureOf({ name, most }: Scenario, measured: readonly Measured[]): Figure {
  const medians = measured.map(({ times }) =>
    quantileOf(
      times.toSorted((one, other) => one - other),
      0.5,
    ),
  );
  const sizes = measured.map(({ place, times, shown }, index) => ({
    people: place.people,
    shown,
    samples: times.length,
    p50: medians[index] ?? Number.NaN,
    p99: quantileOf(
      times.toSorted((one, other) => one - other),
      0.99,
    ),
    ratio: (medians[index] ?? Number.NaN) / (medians[0] ?? Number.NaN),
  }));
  const ratio = sizes.at(-1)?.ratio ?? Number.NaN;
  return { name, most, ratio, met: ratio <= most, sizes };
}

/** Ratios come first, because they can be compared between machines. Absolute figures cannot. */
export function markdownOf({ host, postgresql, quick, places, figures }: Results): string {
  const sizes = places.map(({ people }) => people.toLocaleString('en'));
  const missed = figures.filter(({ met }) => !met);
  return [
    '# Growth',
    ...(quick ? ['**A quick run. With so few users, the figures mean little.**'] : []),
    `${host.date}. ${host.processor}, ${host.cores} cores, ${host.memoryGigabytes} GB, ${host.system}; Node ${host.node}, ${postgresql}.
${places.map(({ seededInSeconds }, index) => `${sizes[index]} users, seeded in ${seededInSeconds.toFixed(0)} s`).join('; ')}.
One request at a time, alternating between the services. Each cell has p50 and p99 in milliseconds, and the number of items on the page.`,
    table(
      [
        '',
        ...sizes.slice(1).map((size) => `${size}: ×`),
        'at most',
        '',
        ...sizes.map((size) => `${size}: ms`),
      ],
      figures.map(({ name, most, met, sizes: each }) => [
        name,
        ...each.slice(1).map(({ ratio }) => ratio.toFixed(2)),
        `${most}`,
        met ? 'met' : '**missed**',
        ...each.map(
          ({ p50, p99, shown }) =>
            `${p50.toFixed(2)}, ${p99.toFixed(2)}${shown === undefined ? '' : `; ${shown}`}`,
        ),
      ]),
    ),
    missed.length === 0
      ? 'Every target is met.'
      : `Missed: ${missed.map(({ name, ratio, most }) => `${name} (${ratio.toFixed(2)} of ${most})`).join('; ')}.`,
  ].join('\n\n');
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
