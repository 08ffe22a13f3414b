import { findFood, nameKey } from './food-names.ts'

/** What forms send for an empty answer. */
const nothing = new Set(['none', 'nothing', 'no', 'n/a', 'nil', '-', '无', '没有', '暂无'])

const stop = /[,，、;；\n]/

/** What joins two words where there is one on either side; `及其制品` is "and what is made of it". */
const joint = /[/／&＆+＋|｜]| and | or |(?<=[\p{L}\p{N}]\s*)(?:以及|和|与|跟|及(?!其))(?=\s*[\p{L}\p{N}])/iu

/** The parts of a text that a person typed, each of which may join words: `no pork and beef, low fat` has two. */
export const partsIn = (text: string): string[] => pieces(text, stop)

/** The words of a text that a person typed: `peanuts, milk`, `花生和牛奶` and `peanut/milk` are two. */
export const wordsIn = (text: string): string[] =>
  partsIn(text).flatMap((part) => (findFood(part) === null ? pieces(part, joint) : [part]))

const pieces = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((word) => word.trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !nothing.has(nameKey(word)))
