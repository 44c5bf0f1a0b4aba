import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../dates.ts';
import { t } from '../messages/t.tsx';
import { axisSteps, labelEvery } from './chart-scale.ts';

interface Series {
  name: string;
  /** The number of the color token. */
  color: 1 | 2 | 3;
  /** Whether the bars go down from the axis, such as refusals. */
  isBelow?: boolean;
}

export interface Bar {
  /** Short, below the axis: "Nov 14". */
  label: string;
  /** The full name, in the tooltip and in the table: "Saturday, Nov 14". */
  name: string;
  /** One value for each series. */
  values: readonly number[];
}

interface BarChartProps {
  label: string;
  series: readonly Series[];
  bars: readonly Bar[];
}

const height = 240;
const startSpace = 40;
const labelSpace = 28;
const gap = 6;
/** If the part below the axis is lower than this, its label would overlap the label 0. */
const lowestLabelHeight = 14;
const widestLabel = 48;
const tooltipSpace = 12;
const narrowestForTooltip = 480;

/**
 * Stacked bars over time. The chart is drawn for the available width, so that text keeps its size. Screen readers read
 * the same numbers from a table, which all users can open.
 */
export function BarChart({ label, series, bars }: BarChartProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [active, setActive] = useState<number | null>(null);
  const chosen = active === null ? undefined : bars[active];

  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption class="chart__head">
        <span class="chart__title" id={id}>
          {label}
        </span>
        <Legend series={series} />
      </figcaption>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the table has the same numbers */}
      <div class="chart__box" ref={box} onMouseLeave={() => setActive(null)}>
        {width > 0 && (
          <Drawing series={series} bars={bars} width={width} active={active} onActive={setActive} />
        )}
        {chosen && active !== null && (
          <div
            class={`chart__tooltip${active > bars.length / 2 ? ' chart__tooltip--start' : ''}`}
            style={tooltipPlace(active, bars.length, width)}
            aria-hidden="true"
          >
            <strong>{chosen.name}</strong>
            {series.map(({ name, color }, index) => (
              <span class="chart__value" key={name}>
                <span class={`chart__key chart__key--${color}`} />
                {name}
                <b>{formatNumber(chosen.values[index] ?? 0)}</b>
              </span>
            ))}
          </div>
        )}
      </div>
      <details class="chart__numbers">
        <summary>{t('common.showAsTable')}</summary>
        <NumbersTable label={label} series={series} bars={bars} />
      </details>
    </figure>
  );
}

/** Beside the bar, toward the middle of the chart. In a narrow chart, the tooltip is in the corner opposite to the bar. */
function tooltipPlace(active: number, count: number, width: number): { insetInline?: string } {
  if (width < narrowestForTooltip) return {};
  const bar = startSpace + ((active + 0.5) * (width - startSpace)) / count;
  return active > count / 2
    ? { insetInline: `auto ${Math.round(width - bar) + tooltipSpace}px` }
    : { insetInline: `${Math.round(bar) + tooltipSpace}px auto` };
}

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

const Legend = ({ series }: { series: readonly Series[] }) => (
  <span class="chart__legend" aria-hidden="true">
    {series.map(({ name, color }) => (
      <span class="chart__value" key={name}>
        <span class={`chart__key chart__key--${color}`} />
        {name}
      </span>
    ))}
  </span>
);

interface DrawingProps extends Omit<BarChartProps, 'label'> {
  width: number;
  active: number | null;
  onActive: (index: number) => void;
}

function Drawing({ series, bars, width, active, onActive }: DrawingProps) {
  const sumOf = ({ values }: Bar, isBelow: boolean) =>
    values.reduce(
      (sum, value, index) => sum + ((series[index]?.isBelow ?? false) === isBelow ? value : 0),
      0,
    );
  const steps = axisSteps(Math.max(...bars.map((bar) => sumOf(bar, false)), 1));
  const top = steps.at(-1) ?? 1;
  const lowest = Math.max(...bars.map((bar) => sumOf(bar, true)), 0);
  const scale = (height - labelSpace - 2 * gap) / (top + lowest);
  const axis = gap + top * scale;
  const slot = (width - startSpace) / Math.max(bars.length, 1);
  const every = labelEvery(bars.length, width - startSpace);
  // The label of a narrow last bar would not fit into the drawing.
  const isCut = (index: number) => index === bars.length - 1 && slot < widestLabel;

  return (
    <svg class="chart__drawing" width={width} height={height} aria-hidden="true">
      {steps.map((step) => (
        <g key={step}>
          <line
            class="chart__line"
            x1={startSpace}
            x2={width}
            y1={axis - step * scale}
            y2={axis - step * scale}
          />
          <text class="chart__text" x={startSpace - 8} y={axis - step * scale + 4} text-anchor="end">
            {formatNumber(step)}
          </text>
        </g>
      ))}
      {lowest * scale >= lowestLabelHeight && (
        <text class="chart__text" x={startSpace - 8} y={axis + gap + lowest * scale} text-anchor="end">
          {lowest}
        </text>
      )}
      {bars.map((bar, index) => {
        let above = axis;
        let below = axis + gap;
        const x = startSpace + index * slot;
        return (
          <g key={bar.name}>
            {series.map(({ name, color, isBelow }, which) => {
              const size = (bar.values[which] ?? 0) * scale;
              const y = isBelow ? below : above - size;
              if (isBelow) below += size;
              else above -= size;
              return (
                <rect
                  key={name}
                  class={`chart__bar chart__bar--${color}`}
                  x={x + slot * 0.1}
                  y={y}
                  width={slot * 0.8}
                  height={size}
                  rx={Math.min(2, slot / 4)}
                />
              );
            })}
            {(bars.length - 1 - index) % every === 0 && (
              <text
                class="chart__text"
                x={isCut(index) ? width : x + slot / 2}
                y={height - 8}
                text-anchor={isCut(index) ? 'end' : 'middle'}
              >
                {bar.label}
              </text>
            )}
            {active === index && (
              <line
                class="chart__cursor"
                x1={x + slot / 2}
                x2={x + slot / 2}
                y1={0}
                y2={height - labelSpace}
              />
            )}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the table has the same numbers */}
            <rect
              class="chart__target"
              x={x}
              y={0}
              width={slot}
              height={height}
              onMouseEnter={() => onActive(index)}
            />
          </g>
        );
      })}
    </svg>
  );
}

const NumbersTable = ({ label, series, bars }: BarChartProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: users with a keyboard can scroll the table
  <section class="chart__table" tabIndex={0} aria-label={label}>
    <table>
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t('common.time')}</th>
          {series.map(({ name }) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {series.map((each, index) => (
              <td key={each.name}>{formatNumber(values[index] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
