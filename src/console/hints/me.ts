import { languageNames } from '../app/Appearance.tsx'
import { changeOwnPassword } from '../generated/forms/changeOwnPassword.ts'
import { updateMe } from '../generated/forms/updateMe.ts'
import { layoutOf, valuesIn } from '../ui/form-layout.ts'

export const profileLayout = layoutOf(updateMe)({
  shown: ['name', ['language', 'theme']],
  unexplained: ['language', 'theme'],
  widgets: {
    language: valuesIn('me', ({ me }) => ({ '': me.followBrowser, ...languageNames })),
    theme: valuesIn('me', ({ me, theme }) => ({ '': me.followSystem, light: theme.light, dark: theme.dark })),
  },
})

export const passwordLayout = layoutOf(changeOwnPassword)({
  shown: ['oldPassword', 'newPassword'],
  unexplained: ['oldPassword', 'newPassword'],
  widgets: { oldPassword: 'password', newPassword: 'new-password' },
})
