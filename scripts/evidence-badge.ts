import { count, type Interleavings, readResults } from './evidence-results.ts';

const label = 'schedules tried';
/** A width that is enough for each character of the font at 11 px. `textLength` spreads the text over it. */
const characterWidth = 6.6;
const padding = 8;

const widthOf = (text: string): number => Math.ceil(text.length * characterWidth);

const schedulesIn = (results: Interleavings | null): string =>
  results === null ? 'not run' : count(results.schedules);

const last = () => readResults<Interleavings>('interleavings');

/** The link of the README to docs/evidence.md, with the badge. */
export const evidenceLink = (results = last()): string =>
  `[![${label}: ${schedulesIn(results)}](docs/evidence-badge.svg)](docs/evidence.md)`;

/** The badge with the number of schedules of the last campaign. Its own background is readable on light and dark pages. */
export function evidenceBadge(results = last()): string {
  const value = schedulesIn(results);
  const left = widthOf(label) + 2 * padding;
  const width = left + widthOf(value) + 2 * padding;
  const text = (x: number, content: string) =>
    `<text x="${x}" y="14" textLength="${widthOf(content)}">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">
  <title>${label}: ${value}</title>
  <rect width="${width}" height="20" rx="4" fill="#1a6b48"/>
  <path d="M4 0h${left - 4}v20H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" fill="#4a5261"/>
  <g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
    ${text(padding, label)}
    ${text(left + padding, value)}
  </g>
</svg>
`;
}
