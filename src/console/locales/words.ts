/** The same texts with other words: literals become texts, functions keep what they are given. */
export type Words<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [K in keyof T]: Words<T[K]> }
