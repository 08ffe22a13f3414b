import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../app/language.tsx'

/** A new password that is typed twice: its inputs for a form, and whether both are the same. */
export const useNewPassword = () => {
  const { mustChange } = useTexts().signIn
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isDifferent, setDifferent] = useState(false)
  return {
    password,
    /** Call it when the form is submitted: where the two differ, the second input says so. */
    isRepeated: (): boolean => {
      setDifferent(password !== repeated)
      return password === repeated
    },
    inputs: (
      <>
        <PasswordInput
          label={mustChange.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
          required
          maxLength={1024}
          autoFocus
        />
        <PasswordInput
          label={mustChange.repeat}
          value={repeated}
          onChange={(event) => setRepeated(event.currentTarget.value)}
          autoComplete="new-password"
          required
          maxLength={1024}
          error={isDifferent ? mustChange.different : undefined}
        />
      </>
    ),
  }
}
