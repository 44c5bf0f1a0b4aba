import { variables } from './variables.ts';

/** Defines `--_accent` and so on: the page’s `--latchkey-accent`, or else the default. */
const declarations = Object.entries(variables)
  .map(([name, value]) => `--_${name}: var(--latchkey-${name}, ${value});`)
  .join('');

const rules = `
:host { ${declarations} display: block; color: var(--_text); font-family: var(--_font);
  font-size: var(--_font-size); line-height: 1.4286; overflow-wrap: anywhere; }
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
p { margin: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
form, .stack { display: grid; gap: var(--_gap); }
.stack:empty { display: none; }
button, input { font: inherit; letter-spacing: inherit; }
a { color: var(--_accent); }
svg { width: 1.125rem; height: 1.125rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round; }
.field { display: grid; gap: 0.375rem; min-width: 0; }
label { font-weight: var(--_font-weight); }
.optional, .message { color: var(--_text-muted); font-weight: 400; }
.message { font-size: 0.9286em; text-wrap: pretty; }
.message:empty { display: none; }
.good { color: var(--_success); font-weight: 580; }
.bad { color: var(--_danger); font-weight: 580; }
input { width: 100%; min-height: var(--_control-height); padding: 0.4375rem 0.75rem; border: 1px solid var(--_control-line);
  border-radius: var(--_radius); background: var(--_surface); color: inherit; }
input:focus-visible { border-color: var(--_accent); outline: 2px solid var(--_accent); outline-offset: -1px; }
input[aria-invalid] { border-color: var(--_danger); }
input[aria-invalid]:focus-visible { outline-color: var(--_danger); }
button { display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem;
  min-height: var(--_control-height); padding: 0.4375rem 0.875rem; border: 1px solid var(--_line);
  border-radius: var(--_radius); background: var(--_surface); color: inherit; font-weight: var(--_font-weight);
  cursor: pointer; }
button:hover { background: var(--_hover); }
button:focus-visible, a:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
button[aria-busy="true"] { cursor: default; }
button svg { width: 1rem; height: 1rem; stroke-width: 2; }
.primary { border-color: transparent; background: var(--_accent); color: var(--_on-accent); }
.primary:hover { background: var(--_accent-hover); }
.wide { width: 100%; }
.spinner { width: 1em; height: 1em; flex: none; border: 2px solid currentColor;
  border-inline-end-color: transparent; border-radius: 50%; }
.notice { --tone: var(--_info); display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; padding: 0.875rem 1rem;
  border: 1px solid color-mix(in srgb, var(--tone) 25%, transparent); border-radius: var(--_radius);
  background: var(--_info-surface); }
.notice svg { margin-top: 0.0625rem; color: var(--tone); }
.notice > div { flex: 1 1 14rem; }
.notice.warning { --tone: var(--_warning); background: var(--_warning-surface); }
.notice.danger { --tone: var(--_danger); background: var(--_danger-surface); }
.title { font-weight: 620; }
@media (width < 40rem) { input { font-size: max(1rem, 1em); } }
@media (prefers-reduced-motion: no-preference) {
  button { transition: background-color 120ms; }
  .spinner { animation: turn 800ms linear infinite; }
}
@keyframes turn { to { transform: rotate(1turn); } }
`;

const sheets = new Map<string, CSSStyleSheet>();

/** Returns the style sheet that all elements share. It needs no `unsafe-inline` in the content security policy. */
export const sharedSheet = (): CSSStyleSheet => sheetOf(rules);

/** Returns the style sheet with these rules. Elements with the same rules share it. */
export function sheetOf(text: string): CSSStyleSheet {
  const known = sheets.get(text);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}
