import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, Failure } from '../../app/api.ts'
import { notSent } from '../../app/changed-meanwhile.ts'
import { problemText, useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { forget, useChange } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { withSecondFactor } from '../../app/step-up.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import { ExpressionInput, type ExpressionProblem } from './ExpressionInput.tsx'
import { Results } from './Results.tsx'
import { recordPaths } from './record-paths.ts'
import { type Attributes, flagOf, inOrder, isSame, type Kind, mappedFields, type Relation } from './relation.ts'
import { usePreview } from './use-preview.ts'
import { useTargets } from './use-targets.ts'

interface RelationEditorProps {
  source: 'exta' | 'extb' | 'extc' | 'extldap'
  kind: Kind
  /** Undefined: it was deleted. */
  relation: Relation | undefined
  /** Whether the source is connected; undefined: not known yet. */
  configured: boolean | undefined
}

/** How long typing pauses before records are mapped again, in milliseconds. */
const pause = 600

const nothing: Attributes = {}

/** The expressions of a field relation beside what they make of real records, as saved and as typed. */
export const RelationEditor = ({ source, kind, relation, configured }: RelationEditorProps) => {
  const { laboratory } = usePageTexts('sources').sources
  const { names: targets, nameOf } = useTargets(kind)
  const locale = useLanguage()
  const failureText = useFailureText()
  const saved = relation?.attributes ?? nothing
  const [draft, setDraft] = useState<{ attributes: Attributes; begun: string | undefined } | null>(null)
  const typed = draft?.attributes ?? saved
  const dirty = draft !== null && !isSame(typed, saved)
  const [focused, setFocused] = useState<string>(mappedFields[kind][0])
  const [asked] = useDebouncedValue(typed, pause)
  const maySave = useMay(relation === undefined ? 'addFieldRelation' : 'updateFieldRelation')
  const mayPreview = useMay('previewMapping')
  const enabled = mayPreview && configured === true
  const stored = usePreview({ source, kind, attributes: saved, enabled: enabled && relation !== undefined })
  const tried = usePreview({ source, kind, attributes: asked, enabled: enabled && Object.keys(asked).length > 0 })
  const save = useSave({ source, kind, relation, begun: draft?.begun })
  useUnsaved(
    () => dirty,
    dirty,
    (from, to) => from.pathname !== to.pathname || kindIn(from) !== kindIn(to),
  )

  const change = (attributes: Attributes): void => {
    save.reset()
    setDraft({ attributes, begun: draft?.begun ?? relation?.updatedAt })
  }
  const drop = (field: string): void => {
    const { [field]: _gone, ...rest } = typed
    change(rest)
    setFocused(mappedFields[kind][0])
  }
  const undo = (): void => {
    save.reset()
    setDraft(null)
  }
  const keep = (): void => {
    const onSuccess = (): void => {
      setDraft(null)
      notifyDone(laboratory.savedDone)
    }
    save.mutate(typed, { onSuccess })
  }
  const records = tried.records ?? stored.records ?? []
  const paths = recordPaths(records.map(({ record }) => record))
  const refused = save.error instanceof Failure ? save.error.fields : []
  const problemOf = (field: string): ExpressionProblem | undefined => {
    const found = [...refused, ...tried.problems].find((each) => each.field === `attributes.${field}`)
    return found === undefined ? undefined : { text: problemText(locale, found), position: found.params.position }
  }
  const fields = inOrder(targets, typed)
  const missing = targets.filter((name) => !fields.includes(name))
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Stack gap="sm" component="section" aria-label={laboratory.fields}>
        {relation === undefined && <Meaning level="danger">{laboratory.deleted}</Meaning>}
        {fields.map((field) => (
          <ExpressionInput
            key={field}
            label={nameOf(field)}
            value={typed[field] ?? ''}
            onChange={(value) => change({ ...typed, [field]: value })}
            onFocus={() => setFocused(field)}
            problem={problemOf(field)}
            required={field === mappedFields[kind][0]}
            readOnly={!maySave || save.isPending}
            paths={paths}
            records={records.length}
            onDrop={maySave && field !== mappedFields[kind][0] ? () => drop(field) : null}
          />
        ))}
        {maySave && missing.length > 0 && (
          <AddField
            fields={missing}
            nameOf={nameOf}
            onAdd={(field) => {
              change({ ...typed, [field]: '' })
              setFocused(field)
            }}
          />
        )}
        {save.isError && refused.length === 0 && (
          <Text c="var(--danger)" role="alert">
            {failureText(save.error)}
          </Text>
        )}
        {maySave ? (
          <SaveBar dirty={dirty} saving={save.isPending} onSave={keep} onUndo={undo}>
            {relation !== undefined && <DeleteRelation id={relation.id} onDone={() => setDraft(null)} />}
          </SaveBar>
        ) : (
          <Text c="dimmed">{laboratory.readOnly}</Text>
        )}
        <Grammar />
      </Stack>
      <ResultsColumn
        field={focused}
        name={nameOf(focused)}
        configured={configured}
        enabled={enabled}
        stored={stored}
        tried={tried}
        isOld={asked !== typed}
      />
    </SimpleGrid>
  )
}

interface ResultsColumnProps extends Pick<RelationEditorProps, 'configured'> {
  field: string
  name: string
  enabled: boolean
  stored: ReturnType<typeof usePreview>
  tried: ReturnType<typeof usePreview>
  /** Whether something else is typed by now. */
  isOld: boolean
}

/** What the expressions make of real records, or why that is not shown. */
const ResultsColumn = ({ field, name, configured, enabled, stored, tried, isOld }: ResultsColumnProps) => {
  const { laboratory } = usePageTexts('sources').sources
  const mayPreview = useMay('previewMapping')
  const sourceFailure = tried.query.error !== null && tried.problems.length === 0 ? tried.query.error : null
  return (
    <Stack gap="sm" className="results-column" component="section" aria-label={laboratory.records}>
      {configured === false && <Text c="dimmed">{laboratory.notConnected}</Text>}
      {!mayPreview && <Text c="dimmed">{laboratory.noPreview}</Text>}
      {sourceFailure !== null && <Failed error={sourceFailure} retry={() => void tried.query.refetch()} />}
      {enabled && tried.records === undefined && tried.query.isFetching && <Loading />}
      {tried.records !== undefined && (
        <Results
          field={field}
          name={name}
          stored={stored.records ?? []}
          tried={tried.records}
          busy={tried.query.isFetching || isOld}
        />
      )}
    </Stack>
  )
}

interface AddFieldProps {
  fields: readonly string[]
  nameOf(field: string): string
  onAdd(field: string): void
}

const AddField = ({ fields, nameOf, onAdd }: AddFieldProps) => {
  const { laboratory } = usePageTexts('sources').sources
  return (
    <Select
      aria-label={laboratory.add}
      placeholder={laboratory.add}
      data={fields.map((value) => ({ value, label: nameOf(value) }))}
      value={null}
      onChange={(value) => value !== null && onAdd(value)}
      w={240}
    />
  )
}

interface SaveBarProps {
  dirty: boolean
  saving: boolean
  onSave(): void
  onUndo(): void
  children: ReactNode
}

const SaveBar = ({ dirty, saving, onSave, onUndo, children }: SaveBarProps) => {
  const { sources, actions } = usePageTexts('sources')
  const { laboratory } = sources
  return (
    <Group gap="sm">
      <Button disabled={!dirty} loading={saving} onClick={onSave}>
        {actions.save}
      </Button>
      <Button variant="default" disabled={!dirty || saving} onClick={onUndo}>
        {laboratory.undo}
      </Button>
      {children}
      <Text size="sm" c="dimmed">
        {laboratory.rightsHelp}
      </Text>
    </Group>
  )
}

/** What an expression may be made of. */
const Grammar = () => {
  const { laboratory } = usePageTexts('sources').sources
  return (
    <Paper withBorder p="sm">
      <Title order={2} size="h4" mb={4}>
        {laboratory.help}
      </Title>
      <ul className="plain-list grammar">
        {laboratory.grammar.split('\n').map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Paper>
  )
}

const DeleteRelation = ({ id, onDone }: { id: number; onDone(): void }) => {
  const { sources, actions } = usePageTexts('sources')
  const { laboratory } = sources
  const failureText = useFailureText()
  const confirm = useConfirm()
  const remove = useChange('deleteFieldRelations', ['listFieldRelations'])
  const ask = async (): Promise<void> => {
    const { deleteTitle: title, deleteConsequence: consequence } = laboratory
    if (!(await confirm({ title, consequence, action: actions.delete, danger: true }))) return
    remove.mutate(
      { body: { fieldRelationIds: [id] } },
      { onSuccess: onDone, onError: (error) => notifyFailure(failureText(error)) },
    )
  }
  return (
    <Granted to="deleteFieldRelations">
      <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => void ask()}>
        {actions.delete}
      </Button>
    </Granted>
  )
}

const kindIn = ({ search }: { search: unknown }): unknown => (search as { kind?: unknown }).kind ?? 'users'

interface SaveOptions extends Omit<RelationEditorProps, 'configured'> {
  /** When the relation was changed last as the draft was begun. */
  begun: string | undefined
}

/** Saves expressions, unless someone else changed the relation since they were begun. */
const useSave = ({ source, kind, relation, begun }: SaveOptions) => {
  const client = useQueryClient()
  const flag = flagOf(source, kind)
  return useMutation<void, Failure, Attributes>({
    mutationFn: async (attributes) => {
      if (relation === undefined) {
        await withSecondFactor(() => call('addFieldRelation', { body: { flag, attributes } }))
        return
      }
      const { data: now } = await call('listFieldRelations', {})
      if (now.find(({ id }) => id === relation.id)?.updatedAt !== begun) {
        throw notSent()
      }
      await withSecondFactor(() => call('updateFieldRelation', { body: { id: relation.id, flag, attributes } }))
    },
    onSettled: () => forget(client, 'listFieldRelations'),
  })
}
