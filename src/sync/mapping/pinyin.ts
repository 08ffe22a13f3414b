import { createRequire } from 'node:module'

type Library = typeof import('pinyin-pro')

let library: Library | undefined

/** Its dictionary takes a tenth of a second and 16 MB: it is loaded only when it is used. */
const load = (): Library => createRequire(import.meta.url)('pinyin-pro')

const chinese = /\p{Script=Han}/u

/**
 * A Chinese name in Latin letters, lower case, without tones and spaces: 张三 is `zhangsan`, 吕布 is `lvbu`. What it begins
 * with is read as a surname where it can be one: 单田芳 is `shantianfang`. All other characters stay as they are.
 */
export const pinyin = (name: string): string => {
  if (!chinese.test(name)) return name
  library ??= load()
  return library
    .pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true, surname: 'head' })
    .join('')
}
