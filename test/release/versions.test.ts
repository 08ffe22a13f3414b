import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

// Every file that names the version names the same one; npm run release changes all of them.

const read = (file: string): string => readFileSync(file, 'utf8')

t.test('the version is the same wherever it is written', async (t) => {
  const { version } = JSON.parse(read('package.json'))
  const lock = JSON.parse(read('package-lock.json'))
  const chart = parse(read('deploy/helm/steward/Chart.yaml'))
  t.strictSame(
    {
      lock: [lock.version, lock.packages[''].version],
      chart: [chart.version, chart.appVersion],
      image: [...read('Dockerfile').matchAll(/org\.opencontainers\.image\.version="([^"]*)"/g)].map(
        ([, label]) => label,
      ),
    },
    { lock: [version, version], chart: [version, version], image: [version] },
  )
})
