import { relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseConfig } from '../src/config/config.ts'
import { failToStart, type Started, start } from '../src/main/start.ts'
import { openLog } from '../src/runtime/log.ts'
import { loadSecrets } from '../src/secrets/secrets.ts'
import { openCompanies } from './demo/companies.ts'
import { openDays } from './demo/days.ts'
import { freePort } from './demo/free-port.ts'
import type { FakeCloud } from './fakes/cloud.ts'
import { startFakeDingtalk } from './fakes/dingtalk.ts'
import { startFakeFeishu } from './fakes/feishu.ts'
import { startFakeWecom } from './fakes/wecom.ts'

/**
 * `npm run demo`: the service on embedded defaults in a folder of its own, connected to three made-up companies on
 * fakes of DingTalk, Feishu and WeCom. None of the settings of a real installation reaches it.
 */
const dataDir = resolve('demo-data')
const adminPassword = 'let me look around'

const days = openDays(dataDir)
const companies = openCompanies(days.passed)

type Clouds = readonly [dingtalk: FakeCloud, feishu: FakeCloud, wecom: FakeCloud]

const main = async (): Promise<void> => {
  const [a, b, c] = companies
  const clouds: Clouds = [
    await startFakeDingtalk({ organisation: a.organisation }),
    await startFakeFeishu({ organisation: b.organisation }),
    await startFakeWecom({ organisation: c.organisation }),
  ]
  const [dingtalk, feishu, wecom] = clouds
  const closeClouds = async (): Promise<void> => {
    await Promise.all(clouds.map((cloud) => cloud.close()))
  }
  const terminal = createInterface({ input: process.stdin })
  try {
    const config = parseConfig({
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: adminPassword,
      PORT: String(await freePort(8888)),
      EMBEDDED_LDAP_PORT: String(await freePort(1389)),
      EMBEDDED_LDAPS_PORT: String(await freePort(1636)),
      LOG_LEVEL: 'warn',
      POSIX_ACCOUNTS: 'groups',
      EXTA_APP_KEY: dingtalk.credentials.appKey,
      EXTA_APP_SECRET: dingtalk.credentials.appSecret,
      EXTA_URL: dingtalk.url,
      EXTA_API_URL: dingtalk.url,
      EXTB_APP_ID: feishu.credentials.appId,
      EXTB_APP_SECRET: feishu.credentials.appSecret,
      EXTB_URL: feishu.url,
      EXTC_CORP_ID: wecom.credentials.corpId,
      EXTC_SECRET: wecom.credentials.secret,
      EXTC_URL: wecom.url,
    })
    const started = await start({
      config,
      log: openLog(config.logLevel),
      afterwards: async () => {
        terminal.close()
        await closeClouds()
      },
    })
    const { directoryPassword } = loadSecrets(dataDir, config)
    print(...started.announcement, '', ...introduction(started, directoryPassword))
    terminal.on('line', (line) => print(line.trim() === 'empty' ? goBlind(clouds) : nextDay(clouds)))
  } catch (error) {
    terminal.close()
    await closeClouds()
    throw error
  }
}

const print = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

const introduction = ({ steward, url }: Started, directoryPassword: string): string[] => {
  const { address } = steward.mirror
  return [
    'This is a demo: three made-up companies on fakes of DingTalk (ExtA), Feishu (ExtB) and WeCom (ExtC).',
    '',
    `1. Open ${url}/console and sign in as admin with the password ${adminPassword}`,
    '2. Bring an organisation here: Sources, departments first, then people; a dry run shows what would change.',
    `   By curl: POST ${url}/api/base/login gives a token; then POST /api/group/syncExtADepts and`,
    '   POST /api/user/syncExtAUsers; likewise ExtB and ExtC.',
    '3. See people in the directory:',
    `   ldapsearch -x -LLL -H ${address?.url} -D ${address?.bindDn} -w ${directoryPassword} \\`,
    `     -b ou=people,${address?.baseDn} '(objectClass=inetOrgPerson)' cn mail title`,
    '4. Press Enter here: a day passes in all three companies. People join, leave and move; sync again to see it.',
    '5. Type empty and press Enter: DingTalk shows no one any more, as it does to an app that lost its permission.',
    '   The next run of ExtA is held: see why under Runs, then discard it.',
    '',
    `It is day ${days.passed}. Ctrl-C ends the demo. To start afresh, remove ${relative('.', dataDir)}`,
  ]
}

const nextDay = (clouds: Clouds): string => {
  days.pass()
  clouds[0].faults = []
  for (const [index, cloud] of clouds.entries()) {
    const company = companies[index]
    if (company !== undefined) cloud.organisation = company.nextDay()
  }
  return `It is day ${days.passed}: people have joined, left and moved. Sync again to see it.`
}

const goBlind = ([dingtalk]: Clouds): string => {
  dingtalk.faults = [{ kind: 'empty' }]
  return 'DingTalk shows no one until the next day. Sync ExtA to see the run held.'
}

main().catch(failToStart)
