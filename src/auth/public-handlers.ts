import type { BaseHandlers } from '../generated/directory.ts'
import { type SignInOptions, signInHandlers } from './bearer-handlers.ts'
import { type ForgottenPasswordOptions, forgottenPasswordHandlers } from './forgotten-password-handlers.ts'
import { reasons } from './reasons.ts'
import type { TransportCipher } from './transport-cipher.ts'

export interface PublicHandlersOptions extends SignInOptions, ForgottenPasswordOptions {
  cipher: TransportCipher
  /** PASSWORD_TOOLS. false: no new transport texts; existing ones are still accepted until they expire. */
  passwordTools: boolean
}

/** The operations that need no sign-in. The room posture has the dashboard. */
export const publicHandlers = (options: PublicHandlersOptions): Omit<BaseHandlers, 'dashboard'> => {
  const { cipher, passwordTools } = options
  const requireTools = (): void => {
    if (!passwordTools) throw reasons.password_tools_off()
  }
  return {
    ...signInHandlers(options),
    ...forgottenPasswordHandlers(options),
    ping: async () => 'pong',
    async encryptPassword({ query: { passwd } }) {
      requireTools()
      return cipher.encrypt(passwd)
    },
    async decryptPassword({ query: { passwd } }) {
      requireTools()
      const password = cipher.decrypt(passwd)
      if (password === null) throw reasons.not_encrypted.at('passwd')
      return password
    },
  }
}
