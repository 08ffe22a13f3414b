import { languageNames } from '../app/Appearance.tsx'
import { changeOwnPassword } from '../generated/forms/changeOwnPassword.ts'
import { updateMe } from '../generated/forms/updateMe.ts'
import { layoutOf } from '../ui/form-layout.ts'

export const profileLayout = layoutOf(updateMe)({
  shown: ['name', ['language', 'theme']],
  widgets: {
    language: ({ me }) => ({ '': me.followBrowser, ...languageNames }),
    theme: ({ me, theme }) => ({ '': me.followSystem, light: theme.light, dark: theme.dark }),
  },
})

export const passwordLayout = layoutOf(changeOwnPassword)({
  shown: ['oldPassword', 'newPassword'],
  widgets: { oldPassword: 'password', newPassword: 'new-password' },
})
