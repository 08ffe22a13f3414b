import { Alert } from '@mantine/core'
import { Failure } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { relativeTime } from '../../ui/time-text.ts'

/** Why a sign-in failed. A wrong password, a lock and a service that is away each say what they are. */
export const Problem = ({ failure }: { failure: unknown }) => {
  const { texts, language } = useLanguage()
  const failureText = useFailureText()
  if (failure === null) return null
  const isLock =
    failure instanceof Failure && failure.reason === 'auth.too_many_attempts' && failure.retryAfter !== null
  const now = Date.now()
  return (
    <Alert color="red" p="xs" role="alert">
      {isLock
        ? texts.signIn.locked(relativeTime(now + (failure.retryAfter ?? 0) * 1000, now, language))
        : failureText(failure)}
    </Alert>
  )
}
