import { AsyncResource as NodesResource } from 'node:async_hooks'

// How tap finds the test that an uncaught error belongs to: it takes a domain from the package async-hook-domain for each
// test, which follows every promise from its beginning to its collection. That costs a quarter of the CPU of our tests. They
// run one after another, so the innermost test that runs is found without: tap makes a test's domain in the scope of the
// test's own resource, and enters that scope a second time when the test begins. ../typescript-hooks.js gives tap both
// classes of this file for those that it asks for.

/** @type {Domain[]} of the tests that run, the innermost last */
const running = []

/** @type {WeakMap<AsyncResource, Domain>} */
const domains = new WeakMap()

/** @type {AsyncResource | undefined} whose scope has been entered just now */
let entered

export class AsyncResource extends NodesResource {
  runInAsyncScope(call, self, ...args) {
    const domain = domains.get(this)
    if (domain !== undefined) {
      domain.begin()
      return super.runInAsyncScope(call, self, ...args)
    }
    entered = this
    try {
      return super.runInAsyncScope(call, self, ...args)
    } finally {
      entered = undefined
    }
  }
}

export class Domain {
  #ended = false

  /** @param onerror takes an error, and the name of the event that brought it */
  constructor(onerror) {
    this.onerror = onerror
    if (entered === undefined) this.begin()
    else domains.set(entered, this)
  }

  begin() {
    if (this.#ended || running.includes(this)) return
    if (running.length === 0) for (const [event, take] of takers) process.on(event, take)
    running.push(this)
  }

  destroy() {
    this.#ended = true
    const index = running.indexOf(this)
    if (index < 0) return
    running.splice(index, 1)
    if (running.length === 0) for (const [event, take] of takers) process.off(event, take)
  }
}

const takers = ['uncaughtException', 'unhandledRejection'].map((event) => [
  event,
  (error) => running.at(-1)?.onerror(error, event),
])
