/** The rules for the list of passkeys and its menus. */
export const passkeyRules = `
button span:empty:not(.spinner) { display: none; }
[part="list"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 0.75rem; }
[part="consequences"] { display: grid; gap: 0.5rem; }
.card { display: grid; align-content: start; gap: 0.75rem; padding: 1.125rem; border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * 1.5); background: var(--_surface); }
[part~="card-new"] { border-color: var(--_accent); }
.head { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: start; gap: 0.75rem; }
.logo { display: grid; width: 2.75rem; height: 2.75rem; place-items: center; border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * 1.25); }
.logo svg { width: 1.375rem; height: 1.375rem; }
h3 { font-weight: 650; text-wrap: balance; }
.head form { gap: 0.5rem; }
.line { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.line input { flex: 1 1 9rem; }
.quiet { border-color: transparent; background: none; }
.badges { display: flex; flex-wrap: wrap; gap: 0.25rem; margin-top: 0.25rem; }
.badges:empty { display: none; }
.badge { padding: 0.125rem 0.4375rem; border-radius: 0.375rem; background: var(--_hover); font-size: 0.8571em; }
.facts { display: grid; gap: 0.375rem; text-wrap: wrap; padding-top: 0.75rem; border-top: 1px solid var(--_line); }
.fact { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.5rem; }
.fact svg { width: 1rem; height: 1rem; margin-top: 0.0625rem; color: var(--_text-muted); }
.dots { width: 2.25rem; min-height: 2.25rem; padding: 0; border-color: transparent; background: none; }
.dots svg { width: 1.125rem; height: 1.125rem; stroke-width: 3.75; }
.dots[aria-expanded="true"] { background: var(--_hover); }
.menu { position: fixed; inset: auto; inset-block-start: var(--top, 0); inset-inline-start: var(--start, 0);
  width: max-content; min-width: 12rem; max-width: min(20rem, calc(100vw - 1rem)); margin: 0; padding: 0.375rem;
  border: 1px solid var(--_line); border-radius: calc(var(--_radius) * 1.5); background: var(--_surface);
  color: inherit; box-shadow: 0 8px 24px rgb(0 0 0 / 20%); }
.item { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.75rem; width: 100%; min-height: 0;
  padding: 0.5rem 0.625rem; border: 0; background: none; text-align: start; }
.item svg { grid-row: span 2; align-self: start; margin-top: 0.0625rem; width: 1.125rem; height: 1.125rem;
  stroke-width: 1.75; color: var(--_text-muted); }
.item:focus { background: var(--_hover); }
.item:focus-visible { outline-offset: -2px; }
.item.remove, .item.remove svg { color: var(--_danger); }
.item + .remove { position: relative; margin-top: 0.8125rem; }
.item + .remove::before { content: ""; position: absolute; inset: -0.4375rem -0.375rem auto; border-top: 1px solid var(--_line); }
@media (width < 40rem) {
  .card { padding: 1rem; }
  .dots { width: 2.75rem; min-height: 2.75rem; }
  .menu { inset: auto 0 0; width: 100vw; max-width: none; padding: 0.5rem 0.5rem 1rem; border-width: 1px 0 0;
    border-radius: calc(var(--_radius) * 2) calc(var(--_radius) * 2) 0 0; }
  .menu::backdrop { background: rgb(0 0 0 / 50%); }
  .item { min-height: 3rem; align-content: center; }
}
`;
