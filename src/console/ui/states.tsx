import { Alert, Button, Center, Code, Group, Loader, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Failure } from '../app/api.ts'
import { useFailureText } from '../app/failures.ts'
import { useTexts } from '../app/language.tsx'
import { useNotGranted } from '../app/not-granted.ts'
import { useMay, useMe } from '../app/session.tsx'
import type { OperationId } from '../generated/calls.ts'
import { PageLink } from './PageLink.tsx'

/** A page or a part of one that is on its way. @param height about what it will have, in pixels: what is below stays there */
export const Loading = ({ height = 160 }: { height?: number }) => {
  const { states } = useTexts()
  return (
    <Center mih={height} role="status" aria-label={states.loading}>
      <Loader size="sm" />
    </Center>
  )
}

/** Nothing to show, and what to do about it. */
export const Empty = ({ title, help, children }: { title?: string; help?: string; children?: ReactNode }) => {
  const { states } = useTexts()
  return (
    // In a table too, whose cells do not wrap.
    <Center mih={160} p="md" style={{ whiteSpace: 'normal' }}>
      <Stack gap="xs" align="center">
        <Text fw={600}>{title ?? states.empty}</Text>
        {help !== undefined && (
          <Text c="dimmed" ta="center" maw={420}>
            {help}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  )
}

/** Why something could not be loaded, with the way to try again. */
export const Failed = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const { states, actions } = useTexts()
  const failureText = useFailureText()
  const requestId = error instanceof Failure ? error.requestId : null
  return (
    <Alert color="red" variant="light" title={states.failed} role="alert">
      <Text>{failureText(error)}</Text>
      <Group mt="xs" gap="sm">
        {retry !== undefined && (
          <Button variant="default" onClick={retry}>
            {actions.retry}
          </Button>
        )}
        {requestId !== null && <Code>{states.request(requestId)}</Code>}
      </Group>
    </Alert>
  )
}

/**
 * Parts of a page that are shown all at once, so that none grows above what is about to be pressed. Until then they are there and
 * hidden: a part that came only then would read again what has failed, and the failure would not be said.
 * @param wait whether one of them does not know yet what it shows
 */
export const AllAtOnce = ({ wait, children }: { wait: boolean; children: ReactNode }) => (
  <>
    {wait && <Loading />}
    <div hidden={wait}>{children}</div>
  </>
)

/**
 * What a query has to show: its data, or why not. A failure after data were there stands above them.
 * @param height about what the data will take, in pixels
 */
export const QueryState = <T,>({
  query,
  height,
  children,
}: {
  query: UseQueryResult<T, Failure>
  height?: number
  children: (data: T) => ReactNode
}) => {
  if (query.data === undefined) {
    return query.isPending ? (
      <Loading {...(height !== undefined && { height })} />
    ) : (
      <Failed error={query.error} retry={() => void query.refetch()} />
    )
  }
  return (
    <>
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {children(query.data)}
    </>
  )
}

/** A page for callers who hold the operation that it reads; others are told what to ask an administrator for. */
export const PageFor = ({ operation, children }: { operation: OperationId; children: ReactNode }) => {
  if (useMay(operation)) return children
  return (
    <Suspense fallback={<Loading />}>
      <Forbidden operation={operation} />
    </Suspense>
  )
}

/** What the caller may not see, and what to ask an administrator for. */
export const Forbidden = ({ operation }: { operation: OperationId }) => {
  const { states } = useTexts()
  const help = useNotGranted(operation)
  return <Empty title={states.forbidden} {...(help !== null && { help })} />
}

export const NotFound = () => {
  const { states } = useTexts()
  return (
    <Center component="main" mih="60vh" p="md">
      <Stack align="center" gap="xs">
        <Title order={1}>{states.notFound}</Title>
        <Text c="dimmed">{states.notFoundHelp}</Text>
        <PageLink to="/">{states.toHome}</PageLink>
      </Stack>
    </Center>
  )
}

/** The service is away: it is asked again until it is back. */
export const Away = ({ error }: { error: unknown }) => {
  const me = useMe({ enabled: false })
  const { refetch } = me
  useEffect(() => {
    const timer = setInterval(() => void refetch(), 3000)
    return () => clearInterval(timer)
  }, [refetch])
  const { states } = useTexts()
  const failureText = useFailureText()
  return (
    <Center mih="60vh" p="md" role="alert">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={1} ta="center">
          {failureText(error)}
        </Title>
        <Text c="dimmed">{states.offline}</Text>
      </Stack>
    </Center>
  )
}
