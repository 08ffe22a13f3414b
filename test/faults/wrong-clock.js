// Loaded before a process (NODE_OPTIONS=--import): its clock is WRONG_CLOCK milliseconds ahead, as that of a host would be.
const { Date: Right } = globalThis
const ahead = Number(process.env.WRONG_CLOCK ?? 0)

globalThis.Date = class extends Right {
  constructor(...given) {
    if (given.length === 0) super(Right.now() + ahead)
    else super(...given)
  }

  static now() {
    return Right.now() + ahead
  }
}
