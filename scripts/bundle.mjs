/** Bundles TypeScript programs into scripts, because Node 20 cannot run TypeScript. Imports of packages stay imports. */
export async function bundle(options) {
  // esbuild is imported here, because on a fresh clone it is missing until the caller has called `installIfNeeded`.
  const { build } = await import('esbuild');
  await build({
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    ...options,
  });
}
