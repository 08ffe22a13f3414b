import type { FakeCloud } from '../../scripts/fakes/cloud.ts'
import type { Organisation } from '../../scripts/fakes/organisation.ts'
import type { Teardown } from '../database.ts'
import { type Platform, platforms } from '../sources/platforms.ts'

/** The slots as they are connected by default: ExtA to DingTalk, ExtB to Feishu, ExtC to WeCom. */
export const cloudSlots = ['exta', 'extb', 'extc'] as const
export type CloudSlot = (typeof cloudSlots)[number]

/** A platform's cloud with an organisation of its own, and the settings that connect a slot to it. */
export interface Cloud {
  slot: CloudSlot
  cloud: FakeCloud
  platform: Platform
  env: Record<string, string>
}

/** Starts the cloud of a slot; it is closed with the test. */
export const startCloud = async (t: Teardown, slot: CloudSlot, organisation: Organisation): Promise<Cloud> => {
  const platform = platforms[cloudSlots.indexOf(slot)]
  if (platform === undefined) throw new Error(`${slot} has no platform`)
  const cloud = await platform.start({ organisation })
  t.teardown(() => cloud.close())
  const prefix = slot.toUpperCase()
  const env: Record<string, string> = { [`${prefix}_URL`]: cloud.url }
  if (slot === 'exta') env.EXTA_API_URL = cloud.url
  // appKey is APP_KEY in the environment.
  for (const [name, value] of Object.entries(cloud.credentials)) {
    env[`${prefix}_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`] = value
  }
  return { slot, cloud, platform, env }
}
