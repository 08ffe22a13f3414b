import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, call } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange } from '../../app/queries.ts'
import { Granted, highest, useSession } from '../../app/session.tsx'
import { updateAttribute } from '../../generated/forms/updateAttribute.ts'
import { changeLayout } from '../../hints/attributes.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { stillOwn, useSaveOver } from '../../ui/overwrite.tsx'
import { Time } from '../../ui/Time.tsx'
import { Facts } from '../people/Facts.tsx'
import { type Attribute, showingValues, useLabelOf, useRoleNames, useSourcesOf } from './attribute.ts'

interface AttributeProps {
  attribute: Attribute
  onClose(): void
}

type Changes = Omit<Body<'updateAttribute'>, 'version'>

const names = [
  ...['labels', 'minimum', 'maximum', 'searched', 'own', 'seeRoles', 'editRoles'],
  ...['ldapAttribute', 'objectClass'],
] as const satisfies readonly (keyof Changes)[]

/** A declaration: what can be changed of it, and its end. */
export const AttributeDetails = ({ attribute, onClose }: AttributeProps) => {
  const { attributes: texts, fields } = usePageTexts('attributes')
  const { me, may } = useSession()
  const client = useQueryClient()
  const labelOf = useLabelOf()
  const sourcesOf = useSourcesOf()
  const textsOf = useTextsOf()
  const saveOver = useSaveOver()
  const update = useChange('updateAttribute', ['listAttributes', ...showingValues])
  // The form begins with this declaration, and begins anew with what was saved.
  const [before, setBefore] = useState(attribute)
  const mayChange = me.rank === highest && may('updateAttribute')
  const save = async (body: Changes): Promise<void> => {
    const { id } = attribute
    const sent = textsOf(body)
    await saveOver({
      before: { ...textsOf(before), version: before.version },
      read: async () => {
        const { attributes } = await client.fetchQuery({ ...reading('listAttributes', {}), staleTime: 0 })
        const now = attributes.find((each) => each.id === id)
        return now && { ...textsOf(now), version: now.version }
      },
      body: sent,
      fields: names.map((name) => [name, fields[name]]),
      save: async ({ version, ...saved }) => {
        const { data } = await update.mutateAsync({ path: { id }, body: { ...stillOwn(body, sent, saved), version } })
        notifyDone(texts.changed(labelOf(data)))
        setBefore(data)
      },
    })
  }
  const { kind, name, type, multiple, creator, createdAt, updatedAt } = attribute
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [fields.kind, texts.kinds[kind]],
          [texts.name, <Code key="name">{name}</Code>],
          [texts.typeLabel, multiple ? texts.several(texts.types[type]) : texts.types[type]],
          [texts.columns.source, sourcesOf(attribute)],
          [texts.created, <Time key="created" value={createdAt} />],
          [texts.updated, <Time key="updated" value={updatedAt} />],
          [texts.by, creator],
        ]}
      />
      <ContractForm
        key={before.version}
        form={updateAttribute}
        layout={changeLayout}
        // The kind and the type, which cannot be changed, tell which fields have a meaning.
        initial={{ ...before }}
        helps={texts.helps}
        changedOnly
        readOnly={!mayChange}
        submit={save}
      >
        {mayChange && (
          <Text size="sm" c="dimmed">
            {texts.moves}
          </Text>
        )}
      </ContractForm>
      {me.rank === highest && (
        <Granted to="removeAttribute">
          <Removal attribute={attribute} onClose={onClose} />
        </Granted>
      )}
    </Stack>
  )
}

/** The fields of a declaration as texts, to be compared and shown. */
const useTextsOf = () => {
  const { attributes: texts, status } = usePageTexts('attributes')
  const namesOf = useRoleNames()
  return (changes: Changes): Partial<Record<keyof Changes, string>> => {
    const { labels, searched, own, seeRoles, editRoles, ...plain } = changes
    const given = Object.entries(plain).filter(([name]) => names.some((each) => each === name))
    return {
      ...Object.fromEntries(given.map(([name, value]) => [name, String(value ?? '')])),
      ...(labels && { labels: `${labels.en} · ${labels['zh-CN']}` }),
      ...(searched !== undefined && { searched: searched ? status.yes : status.no }),
      ...(own && { own: texts.owns[own] }),
      ...(seeRoles && { seeRoles: namesOf(seeRoles) }),
      ...(editRoles && { editRoles: namesOf(editRoles) }),
    }
  }
}

/** How many people have a value; null where the caller cannot know. */
const useHolders = ({ kind, name }: Attribute): (() => Promise<number | null>) => {
  const { may } = useSession()
  return async () => {
    if (kind !== 'user' || !may('listPeople')) return null
    const { data } = await call('listPeople', { query: { attribute: `${name}=`, limit: 1 } })
    return data.totalIsExact ? data.total : null
  }
}

const Removal = ({ attribute, onClose }: AttributeProps) => {
  const { attributes: texts } = usePageTexts('attributes')
  const failureText = useFailureText()
  const confirm = useConfirm()
  const label = useLabelOf()(attribute)
  const sources = useSourcesOf()(attribute)
  const holders = useHolders(attribute)
  const remove = useChange('removeAttribute', [...showingValues, 'listAttributes', 'listFieldRelations', 'listPeople'])
  const { id, name, ldapAttribute } = attribute
  const ask = async (): Promise<void> => {
    try {
      const consequence = (
        <Stack gap="xs">
          <span>{texts.removeValues(label, await holders())}</span>
          {ldapAttribute !== '' && <span>{texts.removeEntries(ldapAttribute)}</span>}
          {sources !== '' && <span>{texts.removeSources(sources)}</span>}
          <span>{texts.removeFinal}</span>
        </Stack>
      )
      if (!(await confirm({ title: texts.remove, consequence, action: texts.remove, danger: true, typed: name })))
        return
      const { data } = await remove.mutateAsync({ path: { id } })
      notifyDone(texts.removed(label, data.records))
      onClose()
    } catch (error) {
      notifyFailure(failureText(error))
    }
  }
  return (
    <Group>
      <Button variant="default" className="danger-item" loading={remove.isPending} onClick={() => void ask()}>
        {texts.remove}
      </Button>
    </Group>
  )
}
