// What a test file of a worker gets when it imports `tap`: ../typescript-hooks.js adds the file's URL to this one's.
import { scopeOf } from './scopes.ts'

export default scopeOf(decodeURIComponent(new URL(import.meta.url).search.slice(1)))
