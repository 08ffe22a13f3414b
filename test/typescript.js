// Has Node.js run the sources as they are, with types removed: `node --import=./test/typescript.js FILE.ts`.
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
