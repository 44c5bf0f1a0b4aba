import { readdirSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';
import { bundledLicenses } from './scripts/bundled-licenses.ts';
import { messages } from './scripts/catalogue.ts';
import { commonPasswords } from './scripts/common-passwords.ts';
import { firstScript } from './scripts/first-script.ts';
import { icons } from './scripts/icons.ts';
import { openApiDocument } from './src/api/openapi/document.ts';
import { auditEventSchema } from './src/audit/conventions/event-schema.ts';

const shared = { format: 'esm', target: 'node20', clean: true, treeshake: true } as const;
const web = 'examples/server/dist/web';

// What is CommonJS among the bundled calls for Node's own modules this way.
const requireBanner =
  "import { createRequire as latchkeyRequire } from 'node:module'; const require = latchkeyRequire(import.meta.url);";
const terminalBanner = `#!/usr/bin/env node\n${requireBanner}`;

// tsup bundles the development dependencies that a program imports. Users install only the dependencies: those with
// native code, those that verify signatures, and those that applications use themselves.
/** The HTML document. The browser loads the scripts that app.js imports at the same time as app.js. */
async function documentWithPreloads(): Promise<string> {
  const script = await readFile(`${web}/assets/app.js`, 'utf8');
  const imported = [...script.matchAll(/\b(?:from|import)\s*["'](\/assets\/[^"']+)["']/g)].map(
    ([, path]) => path,
  );
  const links = imported.map((path) => `<link rel="modulepreload" href="${path}" />\n    `);
  const html = await readFile('examples/server/web/index.html', 'utf8');
  return html.replace('<script type="module"', `${links.join('')}<script type="module"`);
}

/** The paths of the scripts with the messages that signed-out visitors need, by language. English is in app.js. */
const messageScripts = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(`${web}/assets`).flatMap((name) => {
      const language = /^visitor-([a-z]{2})-\w+\.js$/.exec(name)?.[1];
      return language ? [[language, `/assets/${name}`]] : [];
    }),
  );

// The package contains only the font of Latin letters. The others are larger than all scripts together.
const leftOut = /latin-ext|-mono-/;

/**
 * The elements import the client as a file and not as a copy. Two copies of the client would not know each other’s passkey
 * prompts and errors. A browser can load the files without a bundler.
 */
const besideTheClient = (): Plugin => ({
  name: 'the client beside the elements',
  setup({ onResolve }) {
    onResolve({ filter: /client\/index\.ts$/ }, () => ({ path: '../client/index.js', external: true }));
  },
});

/** Copies the pages for `latchkey dev`. */
async function copyToPackage(): Promise<void> {
  // Scripts of earlier builds have other names.
  await rm('dist/dev/web', { recursive: true, force: true });
  await cp(web, 'dist/dev/web', { recursive: true, filter: (path) => !leftOut.test(path) });
  const styles = await readFile(`${web}/assets/app.css`, 'utf8');
  const rules = styles.replace(/@font-face\s*\{[^}]*\}/g, (rule) => (leftOut.test(rule) ? '' : rule));
  await writeFile('dist/dev/web/assets/app.css', rules);
}

export default defineConfig([
  {
    ...shared,
    name: 'package',
    entry: { index: 'src/index.ts', testing: 'src/testing/index.ts', embedded: 'src/embedded/index.ts' },
    outDir: 'dist/package',
    dts: true,
    esbuildPlugins: [bundledLicenses(), commonPasswords()],
    onSuccess: async () => {
      const document = openApiDocument({ prefix: '/auth', cookieName: '__Host-latchkey' });
      await writeFile('dist/openapi.json', `${JSON.stringify(document)}\n`);
      await writeFile('dist/audit-events.json', `${JSON.stringify(auditEventSchema())}\n`);
    },
  },
  {
    ...shared,
    // Built apart, so that a service that only verifies tokens loads nothing of the rest, types included.
    name: 'service token',
    entry: { index: 'src/service-token/index.ts' },
    outDir: 'dist/service-token',
    dts: true,
    esbuildPlugins: [bundledLicenses()],
  },
  {
    ...shared,
    name: 'client',
    entry: { index: 'src/client/index.ts' },
    outDir: 'dist/client',
    tsconfig: 'tsconfig.web.json',
    target: 'es2022',
    platform: 'browser',
    dts: true,
    esbuildPlugins: [bundledLicenses()],
  },
  {
    ...shared,
    name: 'elements',
    // All elements, each element, and the German texts.
    entry: {
      index: 'src/elements/index.ts',
      'sign-in': 'src/elements/sign-in.ts',
      'sign-up': 'src/elements/sign-up.ts',
      passkeys: 'src/elements/passkeys.ts',
      'step-up': 'src/elements/step-up.ts',
      de: 'src/elements/de.ts',
    },
    outDir: 'dist/elements',
    tsconfig: 'tsconfig.web.json',
    target: 'es2022',
    platform: 'browser',
    dts: true,
    minify: true,
    // The types of the elements import those of the client instead of repeating them.
    external: ['latchkey/client'],
    esbuildPlugins: [besideTheClient()],
  },
  {
    ...shared,
    name: 'example server',
    entry: { main: 'examples/server/main.ts' },
    outDir: 'examples/server/dist',
    // The example is a consumer: it takes the package by its public entries, as built. The paths of the
    // root's tsconfig.json lead to the sources, so it has one without.
    tsconfig: 'examples/server/tsconfig.json',
    skipNodeModulesBundle: true,
    // What is imported later stays in the one file: by names of their own, builds would pile up.
    splitting: false,
    clean: false,
  },
  {
    ...shared,
    name: 'terminal',
    entry: { index: 'cli/index.ts' },
    outDir: 'dist/cli',
    // A consumer of the package like any other, and so of its built entries.
    tsconfig: 'cli/tsconfig.json',
    // Bundled, so that neither the terminal's libraries nor React reach anybody's node_modules.
    noExternal: ['ink', 'react', 'meow', 'string-width', 'uqr'],
    external: ['latchkey', 'latchkey/embedded', 'bcrypt', 'ioredis', 'jiti'],
    banner: { js: terminalBanner },
    define: { 'process.env.NODE_ENV': '"production"' },
    esbuildPlugins: [
      bundledLicenses(),
      {
        name: "Ink without React's developer tools",
        // With DEV=true, a variable that other programs also set, Ink loads them and a package.json next to itself. A
        // bundle has neither, so the terminal program would not start.
        setup({ onLoad }) {
          onLoad({ filter: /ink[\\/]build[\\/]reconciler\.js$/ }, async ({ path }) => ({
            contents: (await readFile(path, 'utf8')).replaceAll('isDev()', 'false'),
          }));
        },
      },
    ],
    minify: true,
  },
  {
    ...shared,
    name: 'server of `latchkey dev`',
    entry: { main: 'examples/server/main.ts' },
    outDir: 'dist/dev',
    tsconfig: 'examples/server/tsconfig.json',
    noExternal: ['pino', 'prom-client'],
    external: ['latchkey', 'latchkey/embedded', 'koa', '@koa/router', 'postgres', 'raw-body'],
    banner: { js: requireBanner },
    esbuildPlugins: [bundledLicenses()],
    minify: true,
    splitting: false,
    clean: false,
  },
  {
    ...shared,
    name: 'example pages',
    entry: { app: 'examples/server/web/entry.ts' },
    outDir: `${web}/assets`,
    tsconfig: 'tsconfig.web.json',
    target: 'es2022',
    platform: 'browser',
    noExternal: [/./],
    loader: { '.woff2': 'file' },
    esbuildOptions: (options) => {
      options.assetNames = 'fonts/[name]';
      options.publicPath = '/assets';
    },
    esbuildPlugins: [bundledLicenses(), icons(), messages(), firstScript('examples/server/web', 'app.tsx')],
    minify: true,
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    onSuccess: async () => {
      await build({
        entryPoints: {
          // A script that the first paint waits for, so it is small and loads nothing.
          'before-paint': 'examples/server/web/before-paint.ts',
          // The styles that visitors do not load.
          console: 'examples/server/web/styles/console.css',
        },
        outdir: `${web}/assets`,
        define: { messageScripts: JSON.stringify(messageScripts()) },
        bundle: true,
        format: 'iife',
        target: 'es2022',
        minify: true,
      });
      await writeFile(`${web}/index.html`, await documentWithPreloads());
      await cp('examples/server/web/assets', `${web}/assets`, { recursive: true });
      await copyToPackage();
    },
  },
]);
