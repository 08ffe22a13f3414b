import type { Principal, RequestContext } from '../contract/handler.ts'
import { addressKey } from '../text/throttle-keys.ts'
import { reasons } from './reasons.ts'
import type { Throttle } from './throttle.ts'

export interface Caller {
  user: Principal
  request: RequestContext
}

/**
 * Checks a code of the caller's second factor; null is a wrong one. Ten wrong ones lock the caller for 15 minutes. They
 * are counted apart from failed passwords: an attacker with the password could clear that count by signing in.
 * @throws AppError invalid, naming `code`; limited: too many were wrong
 */
export const factorAttempts =
  ({ throttle }: { throttle: Throttle }) =>
  async <T>({ user, request }: Caller, attempt: () => Promise<T | null>): Promise<T> => {
    const key = `second-factor:${user.userId}`
    const counted = [key, addressKey(request.address)]
    const who = { username: user.username, address: request.address }
    const proven = await throttle.run({ counted, cleared: [key], who }, attempt)
    if (proven === null) throw reasons.wrong_factor_code.at('code')
    return proven
  }
