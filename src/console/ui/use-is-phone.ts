import { useMediaQuery } from '@mantine/hooks'

/** Whether the window has room for two or three columns. */
export const useIsPhone = (): boolean => useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
