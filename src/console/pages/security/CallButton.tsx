import { Button } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { DangerShape } from '../../ui/icons.tsx'

/** Leads to the call for help, from every page of the security center. */
export const CallButton = ({ onClick }: { onClick(): void }) => {
  const { security } = usePageTexts('security')
  return (
    <Button variant="default" className="danger-item" leftSection={<DangerShape />} onClick={onClick}>
      {security.emergency.call}
    </Button>
  )
}
