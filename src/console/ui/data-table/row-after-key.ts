interface Position {
  index: number
  /** Rows that Page Down goes on. */
  page: number
  /** Of all rows. */
  count: number
}

/** The index that a key moves the focus to, which may be beyond the ends; undefined: the key does not move it. */
export const rowAfterKey = (key: string, { index, page, count }: Position): number | undefined => {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  return moves[key]
}
