import { call } from '../../app/api.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { declareAttribute } from '../../generated/forms/declareAttribute.ts'
import { declareLayout } from '../../hints/attributes.tsx'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { showingValues } from './attribute.ts'

const first = { kind: 'user', type: 'text', own: 'see', multiple: false, searched: false }

/** Declares an attribute. What is wrong with it is said before a second factor is asked for. */
export const NewAttribute = ({ onClose }: { onClose(): void }) => {
  const { attributes: texts } = usePageTexts('attributes')
  const { language } = useLanguage()
  const declare = useChange('declareAttribute', ['listAttributes', ...showingValues])
  return (
    <RecordDrawer opened onClose={onClose} title={texts.declare}>
      <ContractForm
        form={declareAttribute}
        layout={declareLayout}
        initial={first}
        labels={{ type: texts.typeLabel }}
        helps={texts.helps}
        submit={async (body) => {
          await call('declareAttribute', { body: { ...body, dryRun: true } })
          await declare.mutateAsync({ body })
          notifyDone(texts.declared(body.labels[language]))
        }}
        onDone={onClose}
        submitText={texts.submit}
        onCancel={onClose}
      />
    </RecordDrawer>
  )
}
