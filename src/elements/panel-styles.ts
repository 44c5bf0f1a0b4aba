/** The rules for cards and dialogs. */
export const panelRules = `
h2, h3, ul { margin: 0; padding: 0; font-size: 1em; }
h2 { font-size: 1.2857em; }
ul { list-style: none; }
[part="list"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 0.75rem; }
[part="consequences"] { display: grid; gap: 0.5rem; }
.card { display: grid; align-content: start; gap: 0.75rem; padding: 1rem; border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * 1.5); background: var(--_surface); }
[part~="card-new"] { border-color: var(--_accent); }
.line, .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.line > form, .line > h3 { flex: 1 1 8rem; min-width: 0; gap: 0.5rem; }
.actions { justify-content: flex-end; }
.small { min-height: 2.25rem; padding: 0.25rem 0.625rem; font-size: 0.9286em; }
.badge { padding: 0.125rem 0.375rem; border-radius: 0.375rem; background: var(--_hover); font-size: 0.8571em; }
.danger-button { border-color: transparent; background: var(--_danger); color: var(--_danger-surface); }
.danger-button:hover { background: var(--_danger); text-decoration: underline; }
dialog { width: min(30rem, calc(100vw - 2rem)); padding: 0; border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * 2); background: var(--_surface); color: inherit; }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
.panel { padding: 1.5rem; }
@media (pointer: coarse) { .small { min-height: 2.75rem; } }
`;
