/**
 * Where the worker thread starts. Compiled, that is worker.js beside this file. From source (tsx, tap) a thread of
 * Node 20 does not inherit the loader that understands TypeScript, so it is registered there first.
 */
export const workerEntry = (): URL => {
  if (!import.meta.url.endsWith('.ts')) return new URL('./worker.js', import.meta.url)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const worker = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
  const source = `import { register } from ${loader}; register(); await import(${worker})`
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}
