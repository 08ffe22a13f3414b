import { readFile } from 'node:fs/promises'
import t from 'tap'
import { calls } from '../../src/console/generated/calls.ts'

interface Cure {
  place?: { to: string; needs: string }
  settings?: string[]
}

// The module's own types need those of React components, which are not compiled with the tests.
const module: string = '../../src/console/pages/security/cures.ts'
const { cureOf }: { cureOf(deduction: object): Cure } = await import(module)

t.test('every finding has a page that exists, or settings that exist', async (t) => {
  const contract = await readFile('openapi/operations.yaml', 'utf8')
  const [, list = ''] = /DeductionKind:\s+type: string\s+enum: \[([^\]]*)\]/.exec(contract) ?? []
  const kinds = list.split(',').map((kind) => kind.trim())
  t.ok(kinds.length > 40)
  const router = await readFile('src/console/app/router.tsx', 'utf8')
  const pages = new Set([...router.matchAll(/\bpage\(\s*'([^']+)'/g)].map(([, path]) => path))
  const settings = await readFile('.env.example', 'utf8')
  for (const kind of kinds) {
    const params = { id: '7', name: 'JWT_SECRET', names: 'LDAP_PASSWORD_SCHEME, LDAP_2_PASSWORD_SCHEME', slot: 'exta' }
    const rest = { area: 'signIn', level: 'info', points: 1, description: '', suggestion: '' } as const
    const { place, settings: named = [] } = cureOf({ kind, params, ...rest })
    t.ok(place !== undefined || named.length > 0, kind)
    if (place !== undefined) {
      t.ok(pages.has(place.to.replace(/^\/runs\/7$/, '/runs/$id')), `${kind}: ${place.to}`)
      t.ok(place.needs in calls, `${kind}: ${place.needs}`)
    }
    for (const name of named) t.match(settings, new RegExp(`^# ?${name}=`, 'm'), `${kind}: ${name}`)
  }
})
