import { callForHelp } from '../generated/forms/callForHelp.ts'
import { registerDevice } from '../generated/forms/registerDevice.ts'
import { updateDevice } from '../generated/forms/updateDevice.ts'
import { layoutOf } from '../ui/form-layout.ts'

export const callForHelpLayout = layoutOf(callForHelp)({
  shown: ['type', 'description'],
  widgets: { description: 'textarea' },
})

export const registerDeviceLayout = layoutOf(registerDevice)({
  shown: [['name', 'type'], 'location'],
})

export const updateDeviceLayout = layoutOf(updateDevice)({
  shown: ['name', 'location'],
})
