import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts the worker thread. Compiled, that is worker.js beside this file. From source (tsx, tap) a thread of Node 20
 * does not inherit the loader for TypeScript, so it is registered in the thread first; the parent's other loaders would
 * only slow it down.
 */
export const startWorker = (options: WorkerOptions): Worker => {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url), options)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const worker = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
  const source = `import { register } from ${loader}; register(); await import(${worker})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { ...options, execArgv: [] })
}
