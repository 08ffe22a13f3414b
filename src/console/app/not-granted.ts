import { use } from 'react'
import type { OperationId } from '../generated/calls.ts'
import { type Language, useLanguage } from './language.tsx'
import { useMay } from './session.tsx'

type NameOf = (operation: OperationId) => string

const loaded = new Map<Language, Promise<NameOf>>()

const loadNames = async (language: Language): Promise<NameOf> => {
  try {
    const { operationName, operationTextsIn } = await import('./operations.ts')
    return (operation) => operationName(operationTextsIn(language), operation)
  } catch {
    // Where the line dropped, the name in the API documents says which one it is.
    return (operation) => operation
  }
}

/** What operations are called. Few callers read it, so it is loaded for the first who does. */
const namesIn = (language: Language): Promise<NameOf> => {
  const names = loaded.get(language) ?? loadNames(language)
  loaded.set(language, names)
  return names
}

/** What a caller needs to be granted the operation; null for one who is. Suspends until the operation's name is loaded. */
export const useNotGranted = (operation: OperationId): string | null => {
  const { language, texts } = useLanguage()
  return useMay(operation) ? null : texts.states.forbiddenHelp(use(namesIn(language))(operation))
}
