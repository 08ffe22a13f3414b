import { type Json, RawNumber } from './inputs.ts'

/** Values that hardly any schema accepts. A request that has one of them is refused, or it means something. */
export const oddValues: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 63),
  1e21,
  new RawNumber('1e400'),
  new RawNumber('-1e400'),
  new RawNumber('9007199254740993'),
  new RawNumber('1.0'),
  new RawNumber('-0'),
  '',
  '1',
  ' ',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00',
  '\udfff\ud800',
  [],
  [[]],
  [null],
  ['x'],
  [1, 'x'],
  {},
  { length: 1 },
  { toString: 'x', constructor: 1 },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  { constructor: { prototype: { isAdmin: true } } },
  Array.from({ length: 500 }).reduce<Json>((inner) => [inner], 'deep'),
  Array.from({ length: 500 }).reduce<Json>((inner) => ({ k: inner }), 'deep\0'),
  'long '.repeat(20_000),
]

/** Texts in a URL that are no number for a parameter that is one, or odd for any. */
export const oddTexts: readonly string[] = [
  '', '0', '-1', '-0', '+1', '01', '1.0', '1.5', '1e3', '0x10', ' 1', '1 ', '1_000', '1,000', '٣', 'Infinity', 'NaN', 'null', 'true', '[]', '{}',
  '2147483647', '2147483648', '-2147483649', '9007199254740991', '9007199254740992', '9007199254740993', '99999999999999999999',
  '%', '_', '\\', '%25', "'", '"', "' or 1=1 --", '\0', 'a\0', '*', '*)(uid=*', '../../etc/passwd', '\u202e', '😀', 'x'.repeat(255), 'x'.repeat(256),
] // biome-ignore format: a list

/**
 * Characters that some part on the way might take for something else: SQL's wildcards and quotes, what DNs and filters
 * escape, spaces that are dropped, letters that change their number when case or form does, no letters at all.
 */
export const oddCharacters: readonly string[] = [
  '%', '_', '\\', "'", '"', ';', '$1', '?', ',', '+', '=', '<', '>', '#', '*', '(', ')', '/', '.', ':', '{', '}', '[', ']', '@', '&', '|', '~', '`', '^',
  ' ', '\u00a0', '\u3000', '\u200b', '\u200d', '\ufeff', '\u00ad', '\t', '\n', '\r', '\u0001', '\u0085', '\u2028', '\u007f',
  'ß', 'İ', 'ı', 'ﬁ', 'ﷺ', 'Ａ', 'é', 'e\u0301', '\u0301', 'Å', 'ſ', 'Σ', 'ς', '李', '娜', 'ع', 'א', '\u202e', '\u2066', '한', '각',
  '😀', '👩‍👩‍👧', '🇩🇪', '\u{10ffff}', '\ufffe', '\uffff', '\ue000', '\ufffd', '\u{1d400}',
] // biome-ignore format: a list
